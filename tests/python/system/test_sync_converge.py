"""Three machines that write and sync in any order come to the same bytes, and nothing is lost."""

from __future__ import annotations

import hashlib
import random

import pytest
from machines import BODY, assert_in_step, machines, offline
from world import note

SHARED = "cccccccc-3333-4333-8333-333333333333"
WRITES = 8


def unlike(*numbers):
    """Words that no other node has, for the guard against duplicates."""
    digest = hashlib.sha256(repr(numbers).encode()).hexdigest()
    letters = digest.translate(str.maketrans("0123456789", "ghijklmnop"))
    return " ".join(letters[at : at + 7] for at in range(0, 56, 7))


@pytest.mark.parametrize("seed", [1])
def test_three_machines_converge(template, tmp_path, seed):
    chance = random.Random(seed)
    worlds = machines(template, tmp_path, 3)
    worlds[0].write("shared.org", note("Shared", SHARED, body=BODY.strip()))
    worlds[0].ok("commit")
    for world in worlds[1:]:
        world.ok("sync")
    written = []
    for turn in range(WRITES):
        for number, world in enumerate(worlds):
            words = f"{unlike(turn, number)}."
            env = offline(world) if chance.random() < 0.6 else None
            if chance.random() < 0.5:
                title = f"Node {unlike(number, turn)[:20]}"
                world.ok(
                    "new",
                    "--type",
                    "observation",
                    "--title",
                    title,
                    "--body-file",
                    "-",
                    "--related",
                    SHARED[:8],
                    stdin=words,
                    env=env,
                )
            else:
                world.ok(
                    "edit",
                    SHARED,
                    "--append-file",
                    "-",
                    "--add-tag",
                    f"m{number}",
                    stdin=words,
                    env=env,
                )
            written.append(words)
            if chance.random() < 0.3:
                world.ok("sync")
    for world in (*worlds, *worlds):
        world.ok("sync")
    tree = worlds[0].git("grep", "-h", ".", "HEAD", "--", "*.org")
    assert [words for words in written if tree.count(f"{words}\n") != 1] == []
    for number, world in enumerate(worlds[:2]):  # one edit that only a person can end
        text = (world.store / "shared.org").read_text()
        world.write("shared.org", text.replace("Second line.", f"Second, says {number}."))
        world.ok("commit", "shared.org", env=offline(world))
        written.append(f"Second, says {number}.")
    worlds[0].ok("sync")
    assert worlds[1].run("sync").code == 1
    worlds[1].ok("sync", "--resolve", SHARED, "both")
    for world in (*worlds, *worlds):
        world.ok("sync")
    history = worlds[0].git("log", "-p", "--format=", "--diff-merges=first-parent", "--all")
    assert [words for words in written if words not in history] == []
    tree = worlds[0].git("grep", "-h", ".", "HEAD", "--", "*.org")
    assert [words for words in written if words not in tree] == []
    assert_in_step(*worlds, sound=True)
