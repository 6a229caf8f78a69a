"""A person's own Emacs, at a real terminal, visits every payload and switches to a store of them."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest
from hostile_worlds import FILES, copy_of, here, pulled, written

import verdicts
from cases import payloads

ELISP = Path(__file__).resolve().parents[3] / "elisp"
ELPA = "/usr/share/emacs/site-lisp/elpa"

# What a careless person has: everything that Emacs asks about is allowed.
VISIT = """
(setq inhibit-startup-screen t make-backup-files nil auto-save-default nil create-lockfiles nil
      ai-kb-check-while-typing nil ai-kb-commit-on-save nil org-startup-with-inline-images t
      org-id-locations-file (expand-file-name "ids" (getenv "HOME")))
(dolist (place '("elpa" "elpa-src"))
  (let ((default-directory (concat "/usr/share/emacs/site-lisp/" place)))
    (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path))))
(add-to-list 'load-path (getenv "HOSTILE_ELISP"))
(defvar hostile-log nil)
(defun hostile-say (&rest words)
  (let ((coding-system-for-write 'utf-8-unix))  ; a buffer's own may be none that Emacs knows
    (write-region (concat (apply #'format words) "\\n") nil (getenv "HOSTILE_LOG") t 'silent)))
(setq kill-emacs-query-functions nil confirm-kill-processes nil)
(condition-case err
    (progn
      (require 'org) (require 'ai-kb) (require 'ai-kb-mode)
      (setq ai-kb-directory (file-name-as-directory (getenv "AI_KB_HOME"))
            ai-kb-db-location (expand-file-name "ai.db" (getenv "HOME")))
      (global-ai-kb-mode 1)
      %s
      (hostile-say "end"))
  (t (hostile-say "error %%S" err)))
(kill-emacs)
"""
EACH = """
      (setq enable-local-variables %s enable-local-eval %s org-confirm-babel-evaluate nil
            org-link-elisp-confirm-function nil org-link-shell-confirm-function nil)
      (dolist (file (directory-files ai-kb-directory t "\\\\.org\\\\'"))
        (condition-case err
            (with-current-buffer (find-file file)
              (font-lock-ensure)
              (goto-char (point-min))
              (redisplay t)
              (hostile-say "%%s %%s %%s" (file-name-nondirectory file) major-mode
                           (if (or ai-kb-mode ai-kb-page-mode) "on" "off"))
              (set-buffer-modified-p nil)
              (kill-buffer))
          (error (hostile-say "%%s failed %%S" (file-name-nondirectory file) err))))
"""
SWITCH = """
      (require 'org-roam)
      (setq org-roam-directory (expand-file-name "roam/" (getenv "HOME"))
            org-roam-db-location (expand-file-name "roam.db" (getenv "HOME")))
      (make-directory org-roam-directory t)
      (org-roam-db-autosync-mode 1)
      (ai-kb-switch-to-ai-kb)
      (hostile-say "titles %%d" (length (org-roam-node-list)))
      (hostile-say "alpha %%S" (org-roam-node-title (org-roam-node-from-title-or-alias "Alpha")))
      (ai-kb-switch-to-personal)
"""


def at_a_terminal(world, what, answer=b"n"):
    """Let an Emacs in a terminal do *what*; every question is answered; gives what it noted."""
    script, log = world.root / "visit.el", world.root / "log"
    script.write_text(VISIT % (what.replace("%%", "%")))
    log.unlink(missing_ok=True)
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    child = subprocess.Popen(
        ["emacs", "-nw", "-Q", "-l", str(script)], stdin=side, stdout=side, stderr=side,
        env={**world.env, "TERM": "xterm-256color", "AI_KB_HOME": str(world.store),
             "HOSTILE_ELISP": str(ELISP), "HOSTILE_LOG": str(log)},
        cwd=world.project, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # no threads here
    )  # fmt: skip
    os.close(side)
    deadline = time.monotonic() + 240
    try:
        while child.poll() is None and time.monotonic() < deadline:
            if select.select([main], [], [], 0.2)[0]:
                try:
                    shown = os.read(main, 1 << 16)
                except OSError:
                    break
                if (
                    b"y or n" in shown
                    or b"y, n" in shown
                    or b"(y/n" in shown
                    or b"Please type" in shown
                ):
                    os.write(main, answer)
                elif b"yes or no" in shown:  # Org 9.7 hashes a buffer whose coding is unknown
                    os.write(main, b"no\r")
        assert child.wait(timeout=20) == 0
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        os.close(main)
    lines = log.read_text().splitlines() if log.exists() else []
    assert lines, "Emacs said nothing"
    assert lines[-1] == "end", lines[-3:]
    return lines[:-1]


def test_the_batch_emacs_reads_every_payload_and_runs_none(template, tmp_path, monkeypatch):
    """Also those that the rules refuse before it is asked."""
    world = copy_of(template, tmp_path / "world")
    monkeypatch.setenv("PATH", world.env["PATH"])
    texts = [here(world, text).encode("utf-8", "surrogateescape") for text, _ in FILES.values()]
    (tmp_path / "texts").mkdir()
    readings = verdicts.ask_emacs(texts, tmp_path / "texts")
    assert len(readings) == len(set(texts))
    assert not (world.root / "canary").exists()


@pytest.fixture(scope="module")
def taken_in(template, tmp_path_factory):
    """A store in which only stands what the write path let in."""
    world = written(copy_of(template, tmp_path_factory.mktemp("taken-in")))
    for name in world.run("commit", "--json", timeout=300).json["refused"]:
        (world.store / name).unlink()
    return world


def test_what_was_taken_in_does_nothing_where_everything_is_allowed(taken_in):
    world = taken_in
    lines = at_a_terminal(world, EACH % (":all", "t"))
    assert len(lines) > 40
    for line in lines:
        assert line.endswith("org-mode on"), line
    assert not (world.root / "canary").exists()
    assert world.git("status", "--porcelain") == ""


def test_the_payloads_do_fire_where_nobody_refuses_them(template, tmp_path):
    """Else the test above could not fail."""
    world = copy_of(template, tmp_path)
    text = here(world, payloads.files()["variables-list-lines.org"][0])
    (world.store / "x.org").write_text(text)
    at_a_terminal(world, EACH % (":all", "t"))
    assert (world.root / "canary").exists()


@pytest.mark.parametrize("what", ["visit", "switch"])
def test_what_came_by_a_pull_does_nothing_as_emacs_comes(template, tmp_path, what):
    """Emacs asks about file variables, and the person says no; switching asks nothing at all."""
    world = pulled(copy_of(template, tmp_path))
    if what == "switch":
        verdicts.need_roam()
        lines = at_a_terminal(world, SWITCH)
        assert 'alpha "Alpha"' in lines
        (count,) = [int(line.split()[1]) for line in lines if line.startswith("titles")]
        assert count > len(FILES) / 2
    else:
        for path in world.store.glob("*keyword-setupfile*"):
            path.unlink()  # Org reads it on opening: refused on writing, and no mode of ours can help
        for place in ("title", "property", "heading", "source"):
            for path in world.store.glob(f"{place}-*.org"):
                path.unlink()  # what stands there stands in a body as well
        lines = at_a_terminal(world, EACH % ("t", "'maybe"))
        assert len(lines) > 150
    assert not (world.root / "canary").exists()
