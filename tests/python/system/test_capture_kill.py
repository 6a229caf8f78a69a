"""Captures by several at once, and by processes that are killed."""

from __future__ import annotations

import random
import signal
import time

from world import ALPHA


def test_the_same_and_other_bytes_captured_at_once_lose_nothing(world):
    names = []
    for number in range(4):
        place = world.project / f"{number}.txt"
        place.write_text("the same\n" if number % 2 else f"other {number}\n")
        names.append(place)
    running = [world.start("capture", place, "--title", "One title") for place in names]
    paths = [world.end(process).out.strip() for process in running]
    assert paths[1] == paths[3]
    assert len(set(paths)) == 3
    for place, path in zip(names, paths, strict=True):
        assert (world.store / path).read_bytes() == place.read_bytes()
    world.assert_sound()


def test_killed_anywhere_the_capture_and_its_node_are_both_there_or_neither(world):
    dice = random.Random(4)
    place = world.project / "a.txt"
    for number in range(8):
        place.write_text(f"words {number}\n")
        process = world.start("capture", place, "--note", ALPHA)
        time.sleep(dice.uniform(0.1, 0.9))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        world.ok("status")
        world.ok("index")
        assert world.git("status", "--porcelain") == ""
        source = next(
            line.split()[1]
            for line in world.at_head("alpha.org").splitlines()
            if ":SOURCE:" in line
        )
        kept = world.git("ls-tree", "--name-only", "HEAD", "raw/").split()
        assert not source.startswith("raw/") or source in kept
        assert len(kept) <= number + 1
    world.ok("capture", place, "--note", ALPHA)
    world.assert_sound()
