"""A disk that is full or read-only, files that change under us, and somebody else's locks."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import threading
import time

import pytest
from disks import fill, mounted, root_only
from world import ALPHA, note

NEW = ("new", "--type", "reference", "--title", "T", "--body-file", "-")


@root_only
@pytest.mark.parametrize("leave", [0, 4, 8, 16, 24, 32, 48])
def test_a_full_disk_leaves_all_as_it_was_whatever_is_left(small_disk, leave):
    world = small_disk
    fill(world, leave << 10)
    before, commit = world.state(), world.head()
    ran = world.run(*NEW, stdin="Long enough. " * 400)
    if ran.code == 0:
        assert world.head() != commit
    else:
        assert ran.code == 1, ran.err
        assert "Traceback" not in ran.err
        (world.store.parent / "ballast").unlink()
        world.run("status")
        assert world.state() == before
    (world.store.parent / "ballast").unlink(missing_ok=True)
    world.new("Afterwards")
    world.assert_sound()


@root_only
def test_a_read_only_store_is_refused_and_can_be_read(world):
    world.ok("find", "alpha")
    with mounted(world.store, "--bind", str(world.store)), world.unchanged():
        subprocess.run(["mount", "-o", "remount,ro,bind", str(world.store)], check=True)
        for words in (NEW, ("commit",), ("index",), ("edit", ALPHA, "--add-tag", "x")):
            ran = world.run(*words)
            assert ran.code == 1
            assert "lock" in ran.err
            assert "Read-only" in ran.err
        for words in (("show", ALPHA), ("find", "alpha"), ("backlinks", ALPHA), ("status",),
                      ("index", "--check"), ("check", "--all")):  # fmt: skip
            world.ok(*words)


def test_a_file_size_limit_is_a_refusal_too(world):
    command = ["bash", "-c", 'ulimit -f 1; exec "$@"', "x", sys.executable, "-m", "aikb", *NEW]
    with world.unchanged():
        ran = subprocess.run(
            command, env=world.env, cwd=world.project, input=b"Words. " * 1000, capture_output=True,
            check=False,
        )  # fmt: skip
        assert ran.returncode == 1, ran.stderr
        assert b"Traceback" not in ran.stderr
        world.run("status")


@pytest.mark.parametrize("theirs", [note("Alpha", ALPHA, body="Saved in between."), None])
def test_a_file_that_changes_while_we_work_is_not_written_over(world, theirs):
    """Somebody saves, or deletes, between our reading and our writing: while Emacs reads, say."""
    save = f"rm {world.store}/alpha.org"
    if theirs:
        (world.root / "theirs").write_text(theirs)
        save = f"cp {world.root}/theirs {world.store}/alpha.org"
    world.fake("emacs", f'read path; {save}; printf "%s\\n" "$path" | $REAL "$@"')
    before = world.head()
    ran = world.run("edit", ALPHA, "--append-file", "-", stdin="ours\n")
    assert ran.code == 1
    assert "'alpha.org' changed on disk since it was read" in ran.err
    assert world.head() == before
    path = world.store / "alpha.org"
    assert (path.read_text() if path.exists() else None) == theirs
    assert not (world.store / ".ai-kb/txn").exists()


def _lock(world, owner):
    os.symlink(owner, world.store / ".#alpha.org")


def test_unsaved_changes_in_a_running_emacs_are_not_written_over(world):
    emacs = subprocess.Popen(["sleep", "60"])
    try:
        _lock(world, f"jane@{socket.gethostname()}.{emacs.pid}:1700000000")
        for words in (("edit", ALPHA, "--add-tag", "x"), ("edit", ALPHA, "--status", "contested")):
            ran = world.refused(*words)
            assert f"'alpha.org' has unsaved changes in Emacs (pid {emacs.pid})" in ran.err
        world.new("Another file is no matter")
    finally:
        emacs.kill()
        emacs.wait()
    world.ok("edit", ALPHA, "--add-tag", "x")


@pytest.mark.parametrize("owner", ["jane@elsewhere.12:17", "nonsense", "jane@{host}.999999999:1"])
def test_a_lock_of_a_dead_emacs_or_another_machine_holds_nobody_up(world, owner):
    _lock(world, owner.format(host=socket.gethostname()))
    world.ok("edit", ALPHA, "--add-tag", "x")


def test_a_real_emacs_with_unsaved_changes(world):
    """The lock is made by Emacs itself, so that we read what it really writes."""
    lisp = (
        f'(progn (find-file "{world.store}/alpha.org") (insert "x") (lock-buffer)'
        f' (write-region "" nil "{world.root}/ready") (sleep-for 60))'
    )
    emacs = subprocess.Popen(
        ["emacs", "-Q", "--batch", "--eval", lisp], env=world.env,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        while not (world.root / "ready").exists():
            assert emacs.poll() is None
            time.sleep(0.05)
        assert (world.store / ".#alpha.org").is_symlink()
        ran = world.run("edit", ALPHA, "--add-tag", "x")
    finally:
        emacs.kill()
        emacs.wait()
    assert ran.code == 1
    assert f"pid {emacs.pid}" in ran.err
    (world.store / ".#alpha.org").unlink()


def test_another_writer_is_waited_for_and_then_named(world):
    world.settings("[seconds]\nlock = 1.0\nlint = 30\n")
    world.fake("emacs", f'[ -e {world.root}/slow ] && sleep 20; exec $REAL "$@"')
    (world.root / "slow").touch()
    holder = world.start("new", "--type", "reference", "--title", "Slow")
    try:
        while not (world.store / ".ai-kb/txn").exists():
            time.sleep(0.01)
        (world.root / "slow").unlink()
        start = time.monotonic()
        ran = world.run(*NEW)
        assert ran.code == 1
        assert 0.9 < time.monotonic() - start < 10
        assert f"the store is busy: process {holder.pid}" in ran.err
        assert "new) holds its lock" in ran.err
        assert world.run(*NEW, "--json").json["error"]["code"] == "busy"
        world.ok("find", "alpha")
        assert world.ok("status", "--json").json["interrupted"] is False
    finally:
        holder.terminate()
        world.end(holder)
    world.ok(*NEW)
    world.assert_sound()


def test_a_program_of_others_that_holds_the_lock_is_not_taken_for_the_last_writer(world):
    world.settings("[seconds]\nlock = 0.1\n")
    with open(world.store / ".git/ai-kb.lock", "w") as lock:
        lock.write("4194304 ai-kb new\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = world.refused("new", "--type", "reference", "--title", "Waits")
    assert "the store is busy: another program" in ran.err


def test_a_writer_that_ends_in_time_holds_nobody_up(world):
    with (world.store / ".git/ai-kb.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        threading.Timer(1.0, lambda: fcntl.flock(file, fcntl.LOCK_UN)).start()
        world.ok(*NEW)
    world.assert_sound()
