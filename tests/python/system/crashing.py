"""Commands killed at a step or at an instant, and what must be true of the store afterwards.

What is killed is a real process by SIGKILL.  Trials run one after another on one store, so that
each begins with what the one before left; ``tests/faults`` runs hundreds, ``test_kill`` a few.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from operations import DECIDED, OPERATIONS, furnish
from world import CHECKOUT

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from operations import Operation
    from world import Ran, World

DYING = Path(__file__).parent / "dying"


def fated(step: int = 0, act: str = "die", shift: int = 0) -> dict[str, str]:
    """The environment of a command that something befalls at a step (see ``dying``)."""
    env = {"PYTHONPATH": f"{DYING}:{CHECKOUT / 'python'}", "AI_KB_TEST_SHIFT": str(shift)}
    return env | ({"AI_KB_TEST_STEP": str(step), "AI_KB_TEST_ACT": act} if step or act else {})


def steps_of(operation: Operation) -> list[str]:
    """Do it, and tell its steps."""
    log = operation.world.root / "steps"
    env = fated(0, f"tell {log}")
    operation.world.ok(*operation.words(), stdin=operation.stdin(), env=env)
    steps = log.read_text().splitlines()
    log.unlink()
    return steps


def die_at(operation: Operation, step: int) -> bool:
    """Run it until a step; whether it had acknowledged anything."""
    ran = operation.world.run(*operation.words(), stdin=operation.stdin(), env=fated(step))
    assert ran.code in (-signal.SIGKILL, 0), ran.err
    return bool(ran.out)


def befall(operation: Operation, step: int, act: str, **further: object) -> Ran:
    """Run it with something that happens at a step and that it must tell about."""
    env = fated(step, act)
    ran = operation.world.run(*operation.words(), stdin=operation.stdin(), env=env, **further)
    assert ran.code in (0, 1), ran
    assert "Traceback" not in ran.err
    assert ran.code == 0 or ran.err
    return ran


def die_after(operation: Operation, seconds: float, *, begun: bool, whole: bool) -> bool:
    """Kill it some time after its start, or after it has *begun* to write; whether it acknowledged.

    *whole*: its children die with it, as when memory or power are gone.
    """
    process = operation.world.start(*operation.words())
    process.stdin.write(operation.stdin().encode())
    process.stdin.close()
    process.stdin = None
    record = operation.world.store / ".ai-kb/txn/record.json"
    while begun and not record.exists() and process.poll() is None:
        time.sleep(0.0005)
    time.sleep(seconds)
    for pid in [process.pid, *(descendants(process.pid) if whole else ())]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return bool(process.communicate(timeout=30)[0])


def descendants(pid: int) -> Iterator[int]:
    """The processes below one, as the kernel knows them."""
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield int(child)
            yield from descendants(int(child))


def wait_for_orphans(world: World) -> None:
    """Until the last git of a killed command has let go of the lock."""
    deadline = time.monotonic() + 30
    with (world.store / ".git/ai-kb.lock").open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                assert time.monotonic() < deadline, "the lock is never let go"
                time.sleep(0.01)
            else:
                return


class Judge:
    """Looks after each trial, and remembers how many nodes there must be."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.nodes = self._status()["nodes"]
        self.landed: list[str] = []

    def _status(self):
        return self.world.ok("status", "--json").json

    def look(self, operation: Operation, *, acknowledged: bool) -> bool:
        """The next command repairs; then everything that the operation promises holds.

        Returns:
            Whether the write had landed when it was killed.
        """
        wait_for_orphans(self.world)
        status = self._status()  # a command that only reads; it repairs
        assert not status["interrupted"]
        assert not (self.world.store / ".ai-kb/txn").exists()
        landed = operation.landed()
        assert landed or not acknowledged, f"{operation.mark} was acknowledged and is missing"
        for path, text in operation.by_hand().items():
            place = self.world.store / path
            assert (place.read_text() if place.exists() else None) == text, f"{path} is not theirs"
        operation.finish()
        self.nodes += operation.adds()
        assert self.world.git("status", "--porcelain") == ""
        assert self._status()["nodes"] == self.nodes
        self.world.ok("index", "--check")
        if operation.landed():
            self.landed.append(operation.mark)
        return landed

    def close(self) -> None:
        """All that ever landed is in the history still, once as a write, and all is sound."""
        log = self.world.git("log", "-p", "--format=%s", "--", "*.org", ":!index*")
        assert [mark for mark in self.landed if mark not in log] == []
        self.world.assert_sound()


def crash_at_every_step(
    world: World, stride: int = 1, kinds: Sequence[type[Operation]] = OPERATIONS
) -> dict[str, int]:
    """Kill each operation at each of its steps (or each *stride*-th); how many trials by kind."""
    furnish(world)
    judge = Judge(world)
    told: dict[str, int] = {}
    number = 0
    for kind in kinds:
        number += 1
        operation = kind(world, number)
        count = len(steps_of(operation))
        operation.finish()
        judge.nodes += operation.adds()
        for step in range(1 + number % stride, count + 1, stride):
            number += 1
            operation = kind(world, number)
            judge.look(operation, acknowledged=die_at(operation, step))
            told[kind.__name__] = told.get(kind.__name__, 0) + 1
    judge.close()
    return told


def crash_at_instants(
    world: World,
    chance: random.Random,
    trials: int,
    kinds: Sequence[type[Operation]] = OPERATIONS,
    every: int = 50,
) -> dict[str, int]:
    """Kill operations at random instants; how many landed and how many did not, by kind."""
    furnish(world)
    judge = Judge(world)
    told: dict[str, int] = {}
    for number in range(1, trials + 1):
        kind = chance.choice(kinds)
        begun = chance.random() < 0.6
        operation = kind(world, number)
        acknowledged = die_after(
            operation, chance.uniform(0, 0.08 if begun else 0.5),
            begun=begun, whole=chance.random() < 0.4,
        )  # fmt: skip
        word = "landed" if judge.look(operation, acknowledged=acknowledged) else "taken back"
        told[f"{kind.__name__} {word}"] = told.get(f"{kind.__name__} {word}", 0) + 1
        if number % every == 0:
            world.run("resolve", "alpha.org", "--keep", "--both", *DECIDED)  # if it is contested
            world.assert_sound()
            print(f"{number} of {trials} trials: {told}", flush=True)
    judge.close()
    return told
