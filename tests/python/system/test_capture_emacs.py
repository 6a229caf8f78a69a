"""A person's Emacs visits captures with every guard of its own down: nothing executes."""

from __future__ import annotations

import subprocess

import pytest
import web as webs
from web import ALLOW

VISIT = """
(progn
  (setq enable-local-variables :all enable-local-eval t org-confirm-babel-evaluate nil
        org-link-elisp-confirm-function nil org-link-shell-confirm-function nil
        enable-dir-local-variables t enable-remote-dir-locals t)
  (require 'org)
  (dolist (file command-line-args-left)
    (with-current-buffer (find-file-noselect file)
      (unless (derived-mode-p 'org-mode) (if (string-suffix-p ".org" file) (org-mode)))
      (font-lock-ensure)
      (princ (format "%s|%s|%s\\n" buffer-file-coding-system
                     (if (derived-mode-p 'org-mode)
                         (list (length (org-element-map (org-element-parse-buffer) '(headline)
                                         #'identity))
                               (length (org-element-map (org-element-parse-buffer)
                                           '(link keyword macro inline-src-block babel-call src-block
                                             property-drawer include timestamp)
                                         (lambda (e) (unless (equal (org-element-property :key e) "TITLE")
                                                       e)))))
                       major-mode)
                     file))))
  (setq command-line-args-left nil))
"""
LOCAL = '# Local Variables:\n# eval: (shell-command "touch {proof}")\n# End:\n'
RUN = '(shell-command "touch {proof}")'
PAYLOADS = {
    "local variables": "Words.\n" + LOCAL,
    "local variables and a page break": "Words.\n\f\n" + LOCAL,
    "many page breaks": "\f\n" + LOCAL + "\f\n" * 30,
    "long before": "x\n" * 5000 + LOCAL,
    "first line": '# -*- eval: (shell-command "touch {proof}") -*-\n',
    "bind and macro": f"#+BIND: x {RUN}\n#+MACRO: x (eval {RUN})\n{{{{{{{{{{{{x}}}}}}}}}}}}\n",
    "headings and a property": f"* head\n:PROPERTIES:\n:header-args: :var x={RUN}\n:END:\n",
    "block end": "#+end_example\n* out\n#+begin_src sh :var x=(shell-command \"touch {proof}\")\n#+end_src\n",
    "block end, indented and capital": "  #+END_EXAMPLE\n* out\n[[elisp:(shell-command \"touch {proof}\")]]\n",
    "dynamic block": f"#+BEGIN: x :f {RUN}\n#+END:\n%%{RUN}\n",
    "utf-7": '<html><head><meta charset="utf-7"></head>\n+AAoAKg- out\n+AAoAIwAr-begin_src sh\n' + LOCAL,
    "coding in the end": "+AAoAKg- out\n# Local Variables:\n# coding: utf-7\n# End:\n",
    "utf-16": "\ufeff" + LOCAL,
    "enriched": "Content-Type: text/enriched\nText-Width: 70\n\n<x-display><param>(when "
    f"{RUN} t)</param>x</x-display>\n",
    "org file": "#+SETUPFILE: {proof}.fifo\n#+STARTUP: inlineimages\n[[http://127.0.0.1:1/x.png]]\n",
    "carriage returns": "Words.\r# Local Variables:\r# eval: (shell-command \"touch {proof}\")\r# End:\r",
}  # fmt: skip


def visit(files, home, environment):
    """Visit files as a person does; what Emacs says of each."""
    done = subprocess.run(
        ["emacs", "-Q", "--batch", "--eval", VISIT, *map(str, files)],
        env={**environment, "HOME": str(home)}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [line.split("|") for line in done.stdout.splitlines()]


def written(world, suffix, proof):
    """The payloads as files of one kind."""
    for number, (name, text) in enumerate(PAYLOADS.items()):
        codec = "utf-16-le" if name == "utf-16" else "utf-8"
        place = world.project / f"p{number}{suffix}"
        place.write_bytes(text.format(proof=proof).encode(codec))
        yield place


def test_the_payloads_do_fire_where_nobody_quotes_them(world):
    """Else the test below could not fail."""
    fired = []
    for place in written(world, ".txt", world.root / "proof"):
        if not place.read_bytes().startswith(b"Content-Type"):  # about which a plain Emacs asks
            visit([place], world.home, world.env)
        fired.append((world.root / "proof").exists())
        (world.root / "proof").unlink(missing_ok=True)
    names = {name for name, hit in zip(PAYLOADS, fired, strict=True) if hit}
    assert {
        "local variables",
        "local variables and a page break",
        "first line",
        "utf-16",
        "utf-7",
    } <= names


@pytest.mark.parametrize("suffix", [".txt", ".org", ".html", ".el"])
def test_nothing_executes_when_captures_are_visited(world, suffix):
    proof = world.root / "proof"
    for place in written(world, suffix, proof):
        world.ok("capture", place)
    files = sorted((world.store / "raw").iterdir())
    assert len(files) == len(PAYLOADS)
    for coding, what, path in visit(files, world.home, world.env):
        if path.endswith(".org"):
            assert coding == "utf-8-unix", path
            assert what == "(1 1)", f"{path}: more than our heading and our drawer is Org"
    assert not proof.exists()
    world.assert_sound()


def test_nothing_executes_in_excerpts_titles_and_pages(world):
    proof = world.root / "proof"
    server = webs.Web()
    for number, place in enumerate(written(world, ".txt", proof)):
        if place.read_bytes().startswith(b"\xff\xfe"):
            continue
        text = place.read_text()
        title = f"[[elisp:{RUN.format(proof=proof)}]] {{{{{{x}}}}}}"
        page = f"<html><title>{title}</title><body>{text}<p>{number}"
        server.pages[f"/{number}"] = (200, {"Content-Type": "text/html"}, page.encode())
        world.ok("capture", server.url(f"/{number}"), "--fetch", *ALLOW, "--excerpt-file", place)
    server.close()
    records = sorted((world.store / "raw").glob("*.org"))
    others = [path for path in (world.store / "raw").iterdir() if path not in records]
    visit(others, world.home, world.env)
    for coding, what, path in visit(records, world.home, world.env):
        assert coding == "utf-8-unix"
        assert what in {"(2 1)", "(3 1)", "(1 1)"}, path
    assert not proof.exists()


def test_org_reads_the_text_back_as_it_was(world):
    text = "* a\n  #+b\n,* c\n,,#+d\n\n,e\n"
    place = world.project / "x.org"
    place.write_text(text)
    path = world.ok("capture", place).out.strip()
    form = """(with-current-buffer (find-file-noselect (car command-line-args-left))
      (setq command-line-args-left nil)
      (princ (org-element-property :value (org-element-map (org-element-parse-buffer)
        'example-block #'identity nil t))))"""
    done = subprocess.run(
        ["emacs", "-Q", "--batch", "-l", "org", "--eval", form, str(world.store / path)],
        env=world.env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout == text + "\n"
