"""No room: on the store's disk at any step of a write, and on the remote's."""

from __future__ import annotations

import pytest
from crashing import Judge, befall, steps_of
from disks import mounted, root_only
from operations import OPERATIONS, furnish


def full_at_steps(world, kinds, stride):
    """The disk is full from a step on; then there is room again, and the next command repairs."""
    furnish(world)
    ballast = world.store.parent / "ballast"
    judge = Judge(world)
    number = 0
    for kind in kinds:
        number += 1
        operation = kind(world, number)
        count = len(steps_of(operation))
        judge.nodes += operation.adds()
        for step in range(1 + number % stride, count + 1, stride):
            number += 1
            operation = kind(world, number)
            ran = befall(operation, step, f"fill {ballast}")
            ballast.unlink(missing_ok=True)
            assert ran.code == 0 or not operation.landed(), "it was refused, and HEAD has it"
            judge.look(operation, acknowledged=ran.code == 0)
    judge.close()


@root_only
def test_a_disk_that_fills_at_a_step_of_a_write(small_disk):
    full_at_steps(small_disk, OPERATIONS, 29)


def assert_told_and_sent_later(world, ran):
    assert ran.code == 0, ran.err
    assert "committed here, not pushed: " in ran.err
    assert world.ok("status", "--json").json["unpushed"] == 1
    assert world.git("status", "--porcelain") == ""


@root_only
def test_a_remote_without_room_is_told_and_gets_it_later(backed_up):
    bare = backed_up.root / "backup.git"
    with mounted(bare, "-t", "tmpfs", "-o", "size=400k", "tmpfs"):
        backed_up.git("init", "--quiet", "--bare", "--initial-branch=main", str(bare))
        (bare / "ballast").write_bytes(bytes(200 << 10))
        ran = backed_up.run(
            "new", "--type", "reference", "--title", "Large", "--body-file", "-",
            stdin="".join(f"Line {n} says {n * 7919 % 10007}.\n" for n in range(20_000)),
        )  # fmt: skip
        assert ran.code == 0, ran.err
        assert "committed here, not pushed: " in ran.err
        assert backed_up.ok("status", "--json").json["unpushed"] >= 1
        assert backed_up.git("rev-parse", "--verify", "main", cwd=bare, check=False).returncode
    backed_up.ok("push")
    assert backed_up.git("rev-parse", "main", cwd=bare).strip() == backed_up.head()


@pytest.mark.parametrize("words", ["fatal: write error: No space left on device", "quota exceeded"])
def test_a_remote_whose_hook_finds_no_room(backed_up, words):
    hook = backed_up.root / "backup.git/hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 28\n")
    hook.chmod(0o755)
    ran = backed_up.run("new", "--type", "reference", "--title", "T")
    assert_told_and_sent_later(backed_up, ran)
    hook.unlink()
    backed_up.ok("push")
    assert backed_up.ok("status", "--json").json["unpushed"] == 0
