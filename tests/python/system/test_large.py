"""What a large store does otherwise: many files in one commit, and packing by size."""

from __future__ import annotations

import time

import pytest
from crashing import wait_for_orphans
from world import note

from aikb.tools.git import Git
from aikb.writing import repository

MANY = 70


def many(world):
    """Files of which each needs another kind of change: all are new, changed or gone in one commit."""
    for number in range(MANY):
        world.write(f"sub/n\u00e4me {number}.org", note(f"Number {number}"))
    world.ok("commit")
    for number in range(MANY):
        path = world.store / f"sub/n\u00e4me {number}.org"
        if number % 3 == 0:
            path.unlink()
        elif number % 3 == 1:
            path.rename(path.with_name(f"moved {number}.org"))
        else:
            path.write_text(path.read_text() + "\nMore.\n")
    return ("commit", world.store)


def test_many_files_at_once_are_committed_and_compared(world):
    words = many(world)
    world.ok(*words)
    names = world.git("ls-tree", "-r", "-z", "--name-only", "HEAD", "sub/").split("\0")
    assert len([name for name in names if name]) == MANY - (MANY + 2) // 3
    world.assert_sound()


@pytest.mark.parametrize(("step", "done"), [("fast-import", "took back"), ("ls-tree", "finished")])
def test_many_files_at_once_are_recognised_after_a_kill(world, step, done):
    """Killed before the commit, and before it is compared with what was written."""
    words = many(world)
    world.fake("git", f'case " $* " in *" {step} "*) kill -9 $PPID; exit 1;; esac; exec $REAL "$@"')
    assert world.run(*words).code == -9
    (world.bin / "git").unlink()
    wait_for_orphans(world)
    assert f"repaired: {done} an interrupted write" in world.ok("status").err
    world.ok(*words)
    world.assert_sound()


def test_few_but_large_objects_are_packed_too(world, monkeypatch):
    """100,000 files in a folder are a tree of megabytes at every write."""
    for number in range(1200):
        world.write(f"raw/{number}.txt", f"{number}\n")
    world.git("add", "raw")
    world.git("-c", "gc.auto=0", "commit", "-qm", "captures")
    git = Git(str(world.store), world.env)
    repository.tidy(git)
    assert not list((world.store / ".git/objects/pack").glob("*.pack"))
    monkeypatch.setattr(repository, "_MUCH_LOOSE", 100_000)
    repository.tidy(git)
    deadline = time.monotonic() + 60
    while (world.store / ".git/objects/17").exists() or (world.store / ".git/gc.pid").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert list((world.store / ".git/objects/pack").glob("*.pack"))
    world.assert_sound()
