"""kill -9 at every step: the old state or the new one, or one that the next command repairs."""

from __future__ import annotations

import random
import shutil
import time

import pytest
from crashing import crash_at_every_step, crash_at_instants
from operations import OPERATIONS
from world import ALPHA, BETA, note

NEW = ("new", "--type", "reference", "--title", "Killed", "--body-file", "-")
# The moment, as a step of git and whether git does its work first.
STEPS = [(step, when) for step in ("status", "config", "update-index", "fast-import", "cat-file")
         for when in ("before", "after")]  # fmt: skip


def kill_at(world, step, when):
    """A git that kills whoever called it for a step, before or after doing it."""
    kill = "kill -9 $PPID; sleep 0.2"
    act = f'{kill}; exec $REAL "$@"' if when == "before" else f'$REAL "$@"; {kill}; exit 0'
    world.fake("git", f'case " $* " in *" {step} "*) {act};; esac\nexec $REAL "$@"')


def heal(world):
    time.sleep(0.5)  # the killed writer's git lives on for 0.2 s, and holds the lock as long
    shutil.rmtree(world.bin)
    world.bin.mkdir()


def two_edits(world):
    """Changes to a node, one new file and one removed: every kind of promotion at once."""
    world.write("alpha.org", note("Alpha again", ALPHA, "principle", body="[[id:bbbbbbbb]]"))
    world.write("added.org", note("Added"))
    (world.store / "gone.org").unlink()
    return ("commit",)


@pytest.mark.parametrize(("step", "when"), STEPS)
def test_a_new_node_killed_at_a_step_of_git(world, step, when):
    kill_at(world, step, when)
    ran = world.run(*NEW, stdin="Words.")
    assert ran.code == -9
    assert ran.out == "", "nothing was acknowledged"
    heal(world)
    world.new("Afterwards")
    landed = "Killed" in world.at_head("index.org")
    assert landed is (world.git("log", "--format=%s").count("new: Killed") == 1)
    if (step, when) != ("fast-import", "before"):  # there git goes on alone, faster or slower
        assert landed is ((step, when) == ("fast-import", "after") or step == "cat-file")
    assert len(list(world.store.glob("*-killed.org"))) == landed
    world.assert_sound()


@pytest.mark.parametrize(
    ("step", "when"), [s for s in STEPS if s[0] in ("update-index", "fast-import")]
)
def test_a_commit_of_many_kinds_killed_leaves_the_hand_written_files(world, step, when):
    world.write("gone.org", note("Gone"))
    world.ok("commit")
    words = two_edits(world)
    kill_at(world, step, when)
    assert world.run(*words).code == -9
    heal(world)
    world.ok("commit")
    world.ok("commit", "gone.org")
    assert "Alpha again" in world.at_head("alpha.org")
    assert f"[[id:{BETA}]" in world.at_head("alpha.org")
    assert world.at_head("added.org")
    assert world.at_head("gone.org") is None
    world.assert_sound()


def test_killed_while_emacs_reads(world):
    world.fake("emacs", 'kill -9 $PPID; exec $REAL "$@"')
    with world.unchanged():
        assert world.run(*NEW).code == -9
        heal(world)
        world.run("status")
    world.new("Afterwards")
    world.assert_sound()


def test_killed_while_it_pushes_the_commit_stands_and_is_sent_later(backed_up):
    backed_up.fake(
        "git", 'case " $* " in *" push "*) kill -9 $PPID; exit 1;; esac; exec $REAL "$@"'
    )
    assert backed_up.run(*NEW).code == -9
    heal(backed_up)
    assert backed_up.ok("status", "--json").json["unpushed"] == 1
    backed_up.new("Afterwards")
    bare = backed_up.root / "backup.git"
    assert backed_up.git("rev-parse", "main", cwd=bare).strip() == backed_up.head()
    backed_up.assert_sound()


@pytest.mark.parametrize(
    "command", [("find", "alpha"), ("show", ALPHA), ("links", ALPHA), ("backlinks", ALPHA),
                ("status",), ("index",), ("commit",), NEW],
)  # fmt: skip
def test_the_next_command_whatever_it_is_repairs_and_says_so(world, command):
    kill_at(world, "fast-import", "before")
    # git goes on alone for a moment, so that the lock is not free at once
    before = world.state().tree
    assert world.run("edit", ALPHA, "--add-tag", "x").code == -9
    heal(world)
    time.sleep(0.5)
    ran = world.ok(*command)
    assert "repaired: " in ran.err
    assert "an interrupted write of 2 files" in ran.err
    assert world.git("status", "--porcelain") == ""
    if "took back" in ran.err and command[0] != "new":
        assert world.state().tree == before
    world.assert_sound()


def test_a_file_that_somebody_mended_after_the_kill_is_left(world):
    kill_at(world, "update-index", "before")
    assert world.run("edit", ALPHA, "--add-tag", "x").code == -9
    heal(world)
    theirs = note("Alpha", ALPHA, "principle", body="Mended by hand.")
    world.write("alpha.org", theirs)
    ran = world.ok("status")
    assert "left as they are, since somebody changed them: alpha.org" in ran.err
    assert (world.store / "alpha.org").read_text() == theirs
    world.ok("commit")
    world.assert_sound()


def test_locks_that_a_killed_git_left_are_moved_aside_when_they_are_ours(world):
    """The kernel kills git and us together (no memory); git's lock stays behind."""
    world.fake(
        "git", f'case " $* " in *" update-index "*) touch {world.store}/.git/index.lock; kill -9 $PPID $$;; '
        'esac; exec $REAL "$@"',
    )  # fmt: skip
    assert world.run(*NEW).code == -9
    heal(world)
    ran = world.ok("new", "--type", "reference", "--title", "Next")
    assert "took back an interrupted write" in ran.err
    world.assert_sound()


def test_killed_at_some_of_its_own_steps(backed_up):
    """All of them: `make test-faults`."""
    assert set(crash_at_every_step(backed_up, stride=17)) == {k.__name__ for k in OPERATIONS}


def test_killed_at_random_instants_nothing_acknowledged_is_missing(backed_up):
    """Hundreds of them: `make test-faults`."""
    assert sum(crash_at_instants(backed_up, random.Random(3), 12).values()) == 12
