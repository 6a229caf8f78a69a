"""``benchmarks/contention.py [SECONDS...]``: many machines, one remote, a model of docs/scaling.md.

Each machine writes at random times.  A write is pushed at once; the remote refuses it if anybody has
pushed since the machine last saw it, and then it fetches, merges and pushes again, which takes so many
seconds (measure them: ``benchmarks/scale.py``).  Prints for some numbers of machines how often a write
must merge, and how long it takes to arrive.
"""

from __future__ import annotations

import heapq
import random
import statistics
import sys

_HOURS = 24
_PUSH = 0.1
_PATIENCE = 60  # merges after which the model says that it no longer keeps up


def simulate(
    machines: int, an_hour: float, merge: float, seed: int = 1
) -> tuple[float, float, int]:
    """A day; the mean number of merges a write, the 95th percentile of its seconds, the most merges."""
    chance = random.Random(seed)
    events: list[
        tuple[float, int, float, int]
    ] = []  # when it pushes, who, since when, merges so far
    for machine in range(machines):
        at = 0.0
        while (at := at + chance.expovariate(an_hour / 3600)) < _HOURS * 3600:
            events.append((at + _PUSH, machine, at, 0))
    heapq.heapify(events)
    changed, seen = 0.0, [0.0] * machines
    merges, waits = [], []
    while events:
        now, machine, since, tried = heapq.heappop(events)
        if changed > seen[machine] and tried < _PATIENCE:
            seen[machine] = now  # the fetch
            heapq.heappush(
                events, (now + merge * chance.uniform(0.8, 1.2), machine, since, tried + 1)
            )
            continue
        changed = seen[machine] = now
        merges.append(tried)
        waits.append(now - since)
    return statistics.mean(merges), statistics.quantiles(waits, n=20)[-1], max(merges)


def main() -> None:
    """Print a table for each merge time."""
    for merge in [float(word) for word in sys.argv[1:]] or [0.7, 2.0, 10.0]:
        print(f"\na merge takes {merge} s\n")
        print(
            "| machines | writes an hour each | merges a write | 95 % arrive within | most merges |"
        )
        print("| ---: | ---: | ---: | ---: | ---: |")
        for machines in (2, 10, 30, 100):
            for an_hour in (2, 10):
                mean, late, most = simulate(machines, an_hour, merge)
                known = f"{most}" if most < _PATIENCE else "does not keep up"
                print(f"| {machines} | {an_hour} | {mean:.2f} | {late:.1f} s | {known} |")


if __name__ == "__main__":
    main()
