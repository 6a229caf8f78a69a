"""A write asks a running Emacs to sync, and nobody ever waits for it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from aikb.tools.emacsclient import find_sockets

CHECKOUT = Path(__file__).parents[3]

# The real commands; only the work itself is counted instead of done, because it needs org-roam.
LISP = """
(setq load-prefer-newer t ai-kb-sync-idle-delay 0.3)
(provide 'org-roam)
(require 'ai-kb)
(require 'ai-kb-sync)
(defvar test-syncs 0)
(fset 'ai-kb-sync-now (lambda (&rest _) (setq test-syncs (1+ test-syncs)) 'done))
(fset 'ai-kb-sync-describe #'symbol-name)
"""


@pytest.fixture
def home():
    """A directory with a short name: a socket's path may have no more than about 100 characters."""
    with tempfile.TemporaryDirectory(prefix="ak", dir="/tmp") as folder:
        for name in ("run", "tmp"):
            (Path(folder) / name).mkdir(mode=0o700)
        yield Path(folder)


@pytest.fixture
def env(home):
    """A shell's environment, all places in *home*."""
    return {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "HOME": str(home),
        "AI_KB_HOME": str(home / "kb"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "TMPDIR": str(home / "tmp"),
        "PYTHONPATH": str(CHECKOUT / "python"),
    }


@pytest.fixture
def aikb(env):
    """Run the command; its output must end by itself, so a child that holds it open is seen."""

    def run(*words, **more):
        done = subprocess.run(
            [sys.executable, "-m", "aikb", *words],
            env={**env, **more}, capture_output=True, text=True, timeout=60, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done

    run("init")
    return run


def new(aikb, title, **more):
    return aikb("new", "--type", "principle", "--title", title, **more)


def evaluate(env, form):
    done = subprocess.run(
        ["emacsclient", "-e", form], env=env, capture_output=True, text=True, timeout=20, check=True
    )
    return done.stdout.strip()


def answers(env):
    """Whether the server answers: its socket is there a moment before it does."""
    try:
        return evaluate(env, "t") == "t"
    except subprocess.CalledProcessError:
        return False


@pytest.fixture
def daemon(env, home):
    """A real Emacs server of this home, which counts its syncs."""
    lisp = home / "init.el"
    lisp.write_text(LISP)
    child = subprocess.Popen(
        ["emacs", "-Q", "--fg-daemon", "-L", str(CHECKOUT / "elisp"), "-l", str(lisp)],
        env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    wait_for(lambda: find_sockets(env) and answers(env), 20)
    yield child
    os.killpg(child.pid, signal.SIGCONT)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def wait_for(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def requests_under_way(home):
    """The processes that were started to ask an Emacs of *home*."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"emacsclient" in words and str(home).encode() in words:
                found.append(int(entry.name))
    return found


def test_two_writes_in_a_row_cause_one_sync(aikb, env, daemon):
    evaluate(env, "(setq ai-kb-sync-idle-delay 3)")
    new(aikb, "One")
    new(aikb, "Two")
    wait_for(lambda: evaluate(env, "test-syncs") == "1")
    time.sleep(1)
    assert evaluate(env, "test-syncs") == "1"


def test_each_writing_command_asks(aikb, env, daemon, home):
    new(aikb, "One")
    wait_for(lambda: evaluate(env, "test-syncs") == "1")
    aikb("edit", "One", "--add-tag", "git")
    wait_for(lambda: evaluate(env, "test-syncs") == "2")
    path = next((home / "kb").glob("*-one.org"))
    path.write_text(path.read_text() + "More.\n")
    aikb("commit", str(path))
    wait_for(lambda: evaluate(env, "test-syncs") == "3")


def test_what_changes_nothing_asks_nothing(aikb, env, daemon):
    aikb("index")
    aikb("find", "knowledge")
    aikb("edit", "About this knowledge base", "--add-tag", "reference")
    time.sleep(1)
    assert evaluate(env, "test-syncs") == "0"


def test_an_emacs_that_browses_another_store_is_left_alone(aikb, env, daemon, home):
    evaluate(env, f'(setq ai-kb-directory "{home}/other")')
    new(aikb, "One")
    time.sleep(1)
    assert evaluate(env, "test-syncs") == "0"


def test_a_hung_emacs_costs_no_time_and_leaves_no_process(aikb, env, daemon, home):
    os.killpg(daemon.pid, signal.SIGSTOP)
    began = time.monotonic()
    done = new(aikb, "One")
    assert time.monotonic() - began < 4
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
    assert requests_under_way(home)
    wait_for(lambda: not requests_under_way(home), 9)


def test_without_a_server_nothing_is_started(aikb, env, home):
    """An emacsclient that would leave a trace is first on PATH."""
    bin_ = home / "bin"
    bin_.mkdir()
    trace = home / "trace"
    fake = bin_ / "emacsclient"
    fake.write_text(f"#!/bin/sh\necho called >>{trace}\n")
    fake.chmod(0o755)
    path = f"{bin_}:{env['PATH']}"
    done = new(aikb, "One", PATH=path)
    time.sleep(0.5)
    assert done.stderr == ""
    assert not trace.exists()
    # The trace works: with a socket there, it is called.
    folder = home / "run" / "emacs"
    folder.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "server"))
        new(aikb, "Two", PATH=path)
        wait_for(trace.exists)


def test_a_stale_socket_is_silence(aikb, env, home):
    folder = home / "run" / "emacs"
    folder.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "server"))
    # An alternate editor, and above all an empty one, would be started.
    done = new(aikb, "One", ALTERNATE_EDITOR="")
    assert done.stderr == ""
    wait_for(lambda: not requests_under_way(home), 9)
    assert find_sockets(env) == [str(folder / "server")]
    assert subprocess.run(["pgrep", "-f", f"daemon.*{home}"], check=False).returncode == 1


def test_find_sockets_takes_only_sockets_of_ours(env, home):
    folder = home / "run" / "emacs"
    folder.mkdir(mode=0o700)
    (folder / "file").write_text("")
    (folder / "link").symlink_to(folder / "server")
    assert find_sockets(env) == []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "server"))
        assert find_sockets(env) == [str(folder / "server")]
        assert find_sockets({**env, "EMACS_SOCKET_NAME": "other"}) == []
        assert find_sockets({**env, "EMACS_SOCKET_NAME": "server"}) == [str(folder / "server")]
        full = str(folder / "server")
        assert find_sockets({"EMACS_SOCKET_NAME": full}) == [full]
