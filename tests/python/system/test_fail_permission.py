"""Rights that are not there, or that go away in the middle of a write."""

from __future__ import annotations

import ctypes

import pytest
from crashing import Judge, befall, steps_of
from operations import OPERATIONS, furnish
from world import ALPHA, note

_PR_CAPBSET_DROP = 24
_OVERRIDES = (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_libc = ctypes.CDLL(None)


def like_anybody():
    """Root in the command that is started may do no more than the files' owner may."""
    for capability in _OVERRIDES:
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


ORDINARY = {"preexec_fn": like_anybody}
NEW = ("new", "--type", "reference", "--title", "T")
PLACES = [".", ".git", ".git/objects", ".git/refs/heads"]


def test_rights_that_are_taken_are_named_and_all_stays(world):
    world.git("pack-refs", "--all")  # so that refs/heads is a folder to write into
    for place in PLACES:
        folder = world.store / place
        mode = folder.stat().st_mode
        folder.chmod(0o500)
        try:
            with world.unchanged():
                ran = world.run(*NEW, **ORDINARY)
                world.run("status", **ORDINARY)
        finally:
            folder.chmod(mode)
        assert ran.code == 1, (place, ran)
        assert "ermission" in ran.err, (place, ran.err)
        assert "Traceback" not in ran.err
    world.ok(*NEW, **ORDINARY)
    world.assert_sound()


def test_a_note_that_may_not_be_read_is_named_alone(world):
    world.write("good.org", note("Good"))
    (world.store / "alpha.org").chmod(0)
    ran = world.run("edit", ALPHA, "--add-tag", "x", **ORDINARY)
    assert ran.code == 1
    ran = world.run("check", "alpha.org", **ORDINARY)
    assert ran.code == 1
    assert "'alpha.org' cannot be read: Permission denied" in ran.err.replace(f"{world.store}/", "")
    assert "Beta" in world.ok("find", "beta", **ORDINARY).out
    (world.store / "alpha.org").chmod(0o600)
    world.ok("commit")
    assert "| Alpha |" in world.at_head("index.org")
    world.assert_sound()


def locked_at_steps(world, kinds, places, stride, only=""):
    """Nobody may write into a folder from a step on (of those named *only* so); then one may again."""
    furnish(world)
    judge = Judge(world)
    number = 0
    for place in places:
        folder = world.store / place
        mode = folder.stat().st_mode
        for kind in kinds:
            number += 1
            operation = kind(world, number)
            steps = [n for n, name in enumerate(steps_of(operation), 1) if name.startswith(only)]
            judge.nodes += operation.adds()
            for step in steps[number % stride :: stride]:
                number += 1
                operation = kind(world, number)
                ran = befall(operation, step, f"lock {folder}", **ORDINARY)
                folder.chmod(mode)
                assert ran.code == 0 or not operation.landed(), "it was refused, and HEAD has it"
                judge.look(operation, acknowledged=ran.code == 0)
    judge.close()


@pytest.mark.parametrize("place", [".", ".git/objects"])
def test_rights_that_go_away_at_a_step_of_a_write(world, place):
    locked_at_steps(world, OPERATIONS[1:3], [place], 23)


def test_rights_that_go_away_between_two_files_of_a_write(world):
    locked_at_steps(world, OPERATIONS[:1], ["."], 1, only="os.rename")
