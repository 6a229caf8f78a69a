"""Several machines at work at once on one remote, with an Emacs that saves in between."""

from __future__ import annotations

import random
import re
import subprocess
import threading
from typing import TYPE_CHECKING

from crowd import at_once
from machines import assert_in_step, machines, offline
from world import World, note

if TYPE_CHECKING:
    from pathlib import Path

SHARED = "cccccccc-3333-4333-8333-333333333333"
LINES = 4


class Machine:
    """One clone: what it writes, and how it ends the conflicts that it meets."""

    def __init__(self, world: World, number: int, seed: int, written: list[str]) -> None:
        self.world = world
        self.number = number
        self.chance = random.Random(seed * 100 + number)
        self.written = written
        self.conflicts = 0

    def work(self, writes: int) -> None:
        """Write, now and then without the remote, and sync now and then."""
        for turn in range(writes):
            words = f"Words m{self.number}t{turn}x."
            env = offline(self.world) if self.chance.random() < 0.6 else None
            self.chance.choice([self.new, self.edit, self.append, self.clash, self.clash])(
                words, turn, env
            )
            self.written.append(words)
            if self.chance.random() < 0.3:
                self.sync()

    def new(self, words: str, turn: int, env: dict[str, str] | None) -> None:
        """A node of its own."""
        self.world.new(f"Node {1000 * self.number + turn}", words, env=env, timeout=300)

    def append(self, words: str, _: int, env: dict[str, str] | None) -> None:
        """A paragraph for the node of all; two such merge."""
        command = ("edit", SHARED, "--append-file", "-")
        ran = self.world.run(*command, stdin=words, env=env, timeout=300)
        if ran.code and "says nearly this" in ran.err:  # a copy that `both` kept
            near = re.findall(r"^near ([0-9a-f]{8})", ran.err, re.MULTILINE)
            related = [word for node in near for word in ("--related", node)]
            ran = self.world.run(*command, *related, stdin=words, env=env, timeout=300)
        assert ran.code == 0, ran

    def edit(self, words: str, turn: int, env: dict[str, str] | None) -> None:
        """Properties of the node of all, and a node that only its words tell from others."""
        self.world.ok("edit", SHARED, "--add-tag", f"m{self.number}t{turn}", env=env, timeout=300)
        self.world.new(
            f"Another {1000 * self.number + turn}", words, "observation", env=env, timeout=300
        )

    def clash(self, words: str, _: int, env: dict[str, str] | None) -> None:
        """A line that others change too."""
        place = self.world.store / "shared.org"
        lines = place.read_text().splitlines()
        marks = [n for n, line in enumerate(lines) if line.startswith("Line ")]
        if not marks:
            self.append(words, 0, env)
            return
        at = self.chance.choice(marks)
        lines[at] = f"{lines[at].split(':')[0]}: {words}"
        place.write_text("\n".join(lines) + "\n")
        self.world.ok("commit", "shared.org", env=env, timeout=300)

    def sync(self) -> None:
        """Sync, and decide what only a person can, by chance."""
        for _ in range(30):
            ran = self.world.run("sync", "--json", timeout=300)
            assert ran.code in (0, 1), ran
            assert "Traceback" not in ran.err
            if ran.code == 0:
                return
            conflicts = ran.json.get("conflicts") or ()
            self.conflicts += len(conflicts)
            if conflicts:
                words = []
                for conflict in conflicts:
                    side = self.chance.choice(["ours", "theirs", "both"])
                    words += ["--resolve", conflict["node"] or conflict["path"], side]
                ran = self.world.run("sync", *words, timeout=300)
                if ran.code == 0:
                    return
        raise AssertionError(f"it never ended: {ran}")


class SavingEmacs:
    """A person's Emacs on one of the machines: it changes a note of theirs and saves it, over and over.

    The file is committed by the next ``ai-kb commit``.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.place = world.store / "persons.org"
        self.saves = 0
        self._stop = threading.Event()

    def work(self) -> None:
        """Until :meth:`stop`."""
        lisp = (
            f'(progn (find-file "{self.place}") (goto-char (point-max))'
            ' (insert (format "Saved %s.\\n" (getenv "MARK"))) (save-buffer))'
        )
        while not self._stop.wait(0.2):
            mark = f"emacs{self.saves}x"
            env = self.world.env | {"MARK": mark}
            done = subprocess.run(
                ["emacs", "-Q", "--batch", "--eval", lisp],
                env=env,
                capture_output=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            self.saves += 1
            ran = self.world.run("commit", self.place, timeout=300)
            assert ran.code == 0 or "changed on disk" in ran.err, ran

    def stop(self) -> None:
        """Save no more."""
        self._stop.set()


def converge(template: World, root: Path, seed: int, clones: int, writes: int) -> dict[str, int]:
    """Machines write at once and sync; then all have the same bytes and every word is in history."""
    worlds = machines(template, root, clones)
    body = "".join(f"Line {n}: as it was.\n\n" for n in range(LINES)).strip()
    worlds[0].write("shared.org", note("Shared", SHARED, body=body))
    worlds[0].write("persons.org", note("A person's own"))
    worlds[0].ok("commit")
    for world in worlds[1:]:
        world.ok("sync")
    written: list[str] = []
    at_work = [Machine(world, n, seed, written) for n, world in enumerate(worlds)]
    emacs = SavingEmacs(worlds[0])
    left = [len(at_work)]

    def work(machine: Machine) -> None:
        try:
            machine.work(writes)
        finally:
            left[0] -= 1
            if not left[0]:
                emacs.stop()

    at_once([emacs.work, *(lambda m=m: work(m) for m in at_work)])
    worlds[0].ok("commit")
    for machine in (*at_work, *at_work):
        machine.sync()
    history = worlds[0].git("log", "-p", "--format=", "--diff-merges=first-parent", "--all")
    history += worlds[0].git("log", "-p", "--format=", "-m")
    assert [words for words in written if words not in history] == []
    saved = worlds[0].at_head("persons.org")
    assert [n for n in range(emacs.saves) if saved.count(f"Saved emacs{n}x.\n") != 1] == []
    assert_in_step(*worlds, sound=True)
    return {
        "writes": len(written), "conflicts": sum(m.conflicts for m in at_work),
        "merges": len(worlds[0].git("rev-list", "--merges", "HEAD").split()), "saves": emacs.saves,
    }  # fmt: skip
