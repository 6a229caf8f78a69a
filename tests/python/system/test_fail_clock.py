"""A clock that jumps by a year, either way, between commands and in what files and commits say."""

from __future__ import annotations

import os
import time

import pytest
from crashing import fated, wait_for_orphans
from world import ALPHA, note

YEAR = 365 * 24 * 3600


@pytest.mark.parametrize("first", [YEAR, -YEAR])
def test_writes_go_on_when_the_clock_jumps_and_jumps_back(world, first):
    made = []
    for number, shift in enumerate((first, 0, -first)):
        env = fated(act="", shift=shift)
        made.append(world.new(f"At {number}", f"Words of year{number}.", env=env))
        world.ok("edit", ALPHA, "--add-tag", f"t{number}", env=env)
        world.write(f"hand{number}.org", note(f"Hand {number}"))
        world.ok("commit", env=env)
        assert f"At {number}" in world.ok("find", f"year{number}", env=env).out
        world.ok("index", "--check", env=env)
    day = time.strftime("%Y", time.gmtime(time.time() + first))
    assert f":CREATED:  {day}" in world.ok("show", made[0]).out, "the shift is real"
    subjects = world.git("log", "--format=%s").splitlines()
    assert [s for s in subjects if s.startswith("new: At")] == [f"new: At {n}" for n in (2, 1, 0)]
    world.assert_sound()


@pytest.mark.parametrize("shift", [YEAR, -YEAR])
def test_the_cache_believes_no_time_of_a_file(world, shift):
    world.ok("find", "alpha")
    path = world.store / "beta.org"
    path.write_text(path.read_text().replace("Beta", "Zeta"))
    for place in world.store.glob("*.org"):
        os.utime(place, (time.time() + shift, time.time() + shift))
    assert "Zeta" in world.ok("find", "zeta").out
    path.write_text(path.read_text().replace("Zeta", "Yeta"))
    os.utime(path, (time.time() + shift, time.time() + shift))
    for env in (fated(act="", shift=shift), {}):
        assert "Yeta" in world.ok("find", "yeta", env=env).out
        assert world.ok("find", "zeta", env=env).out == ""
    world.ok("commit")
    world.assert_sound()


@pytest.mark.parametrize("shift", [YEAR, -YEAR])
def test_a_commit_of_another_time_is_no_matter_to_the_next(backed_up, shift):
    when = f"{int(time.time()) + shift} +0000"
    backed_up.write("hand.org", note("Hand"))
    backed_up.git("add", "hand.org")
    env = {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    backed_up.git("commit", "-qm", "of another time", env=env)
    backed_up.new("After it")
    assert backed_up.git("log", "--format=%s", "-2").splitlines()[1] == "of another time"
    assert backed_up.ok("status", "--json").json["unpushed"] == 0
    backed_up.assert_sound()


@pytest.mark.parametrize("shift", [YEAR, -YEAR])
def test_a_killed_write_is_repaired_in_another_year(world, shift):
    log = world.root / "steps"
    world.ok("find", "alpha")  # fills the cache, which is a step more the first time
    world.ok("edit", ALPHA, "--add-tag", "x", env=fated(0, f"tell {log}"))
    steps = log.read_text().splitlines()
    begun = next(number for number, step in enumerate(steps) if step.startswith("os.rename"))
    assert world.run("edit", ALPHA, "--add-tag", "y", env=fated(begun + 4)).code == -9
    wait_for_orphans(world)
    lock = world.store / ".git/index.lock"
    lock.touch()
    os.utime(lock, (time.time() - 60, time.time() - 60))
    ran = world.ok("status", env=fated(act="", shift=shift))
    assert "repaired: took back an interrupted write" in ran.err
    world.new("Afterwards")
    world.assert_sound()
