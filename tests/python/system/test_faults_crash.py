"""Killed at random instants, whatever it was doing: nothing acknowledged is missing."""

from __future__ import annotations

import random

import pytest
from faults import kill_after, scaled, wait_unlocked
from machines import assert_in_step, machines, offline
from world import ALPHA, note


class Work:
    """Commands of every kind, and what each, once acknowledged, must have left in history."""

    def __init__(self, one, two, chance):
        self.one, self.two, self.chance = one, two, chance
        self.number = 0
        self.acknowledged = []
        self.files = []

    def turn(self):
        """Start one command and kill it somewhere."""
        self.number += 1
        kind = self.chance.choice(["new", "edit", "commit", "rename", "sync"])
        words = f"Words {self.number} end."
        stdin, command = getattr(self, kind)(words)
        process = self.one.start(*command)
        process.stdin.write(stdin.encode())
        process.stdin.close()
        process.stdin = None
        out = kill_after(process, self.chance.uniform(0, 0.9))
        if out.strip() and kind in ("new", "edit", "commit"):
            self.acknowledged.append(words)
        wait_unlocked(self.one)

    def new(self, words):
        title = f"Try {self.number}"
        return words, (
            "new",
            "--type",
            "reference",
            "--title",
            title,
            "--body-file",
            "-",
            "--related",
            ALPHA,
        )

    def edit(self, words):
        return words, ("edit", ALPHA, "--append-file", "-")

    def commit(self, words):
        name = f"hand-{self.number}.org"
        self.one.write(name, note(f"Hand {self.number}", body=words))
        self.files.append(name)
        return "", ("commit", name)

    def rename(self, words):
        names = [n for n in self.files if (self.one.store / n).exists() and self.one.at_head(n)]
        if not names:
            return self.commit(words)
        (self.one.store / names[0]).rename(self.one.store / f"moved-{self.number}.org")
        self.files.append(f"moved-{self.number}.org")
        return "", ("commit", names[0], f"moved-{self.number}.org")

    def sync(self, words):
        self.two.ok("edit", ALPHA, "--append-file", "-", stdin=words.replace("Words", "Other"))
        return "", ("sync",)


@pytest.mark.parametrize("seed", range(scaled(1, 5)))
def test_killed_at_random_instants_of_any_command(template, tmp_path, seed):
    one, two = machines(template, tmp_path)
    work = Work(one, two, random.Random(seed))
    for _ in range(scaled(12, 100)):
        work.turn()
    one.run("commit")
    gone = [n for n in work.files if not (one.store / n).exists() and one.at_head(n)]
    one.ok("commit", *gone, env=offline(one)) if gone else None
    one.ok("sync")
    two.ok("sync")
    one.ok("sync")
    history = one.git("log", "-p", "--format=", "--diff-merges=first-parent")
    assert [words for words in work.acknowledged if words not in history] == []
    assert_in_step(one, two, sound=True)
