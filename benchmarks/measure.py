"""Time commands against each other: medians of runs that take turns, so that noise hits both."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

Step = Callable[[], object]


class Ratio(NamedTuple):
    """One figure: what was measured, both medians in seconds, and what was promised."""

    name: str
    ours: float
    bare: float
    limit: float
    at_least: bool = False

    @property
    def value(self) -> float:
        """Ours over bare; for "times faster" figures bare over ours."""
        return self.bare / self.ours if self.at_least else self.ours / self.bare

    @property
    def kept(self) -> bool:
        """Whether the promise holds."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def render(self) -> str:
        """One row of the report."""
        sign = ">=" if self.at_least else "<="
        verdict = "kept" if self.kept else "MISSED"
        return (
            f"{self.name:<58} {self.ours * 1000:9.1f} {self.bare * 1000:9.1f} "
            f"{self.value:7.2f} {sign}{self.limit:5.1f}  {verdict}"
        )


def environment(home: Path, store: Path) -> dict[str, str]:
    """A world of its own for the commands that are measured."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "XDG_", "AI_KB_"))}
    env.update(HOME=str(home), AI_KB_HOME=str(store), GIT_CONFIG_NOSYSTEM="1", LC_ALL="C.UTF-8")
    return env


def run(
    command: Sequence[str], env: dict[str, str], cwd: Path | None = None, stdin: bytes = b""
) -> None:
    """Run a command; its output is thrown away, its failure is not."""
    done = subprocess.run(command, env=env, cwd=cwd, input=stdin, capture_output=True, check=False)
    if done.returncode != 0:
        message = f"{command}: {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}"
        raise RuntimeError(message)


def clock(step: Step) -> float:
    """Wall time of one call in seconds."""
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def compare(ours: Step, bare: Step, times: int, before: Step | None = None) -> tuple[float, float]:
    """Medians of both, run in turns; *before* is run ahead of each of ours and not timed."""
    a, b = [], []
    for _ in range(times):
        if before:
            before()
        a.append(clock(ours))
        b.append(clock(bare))
    return statistics.median(a), statistics.median(b)
