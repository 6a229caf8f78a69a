"""When to try again: a backup that costs an agent its time is tried less and less often.

What is known of the last tries stands in a small file in the repository's own directory; it is lost
without harm.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import NamedTuple

NAME = "ai-kb-backup.json"
_COSTLY = 1.0  # seconds; what fails faster is tried at every write
_FIRST, _LONGEST = 30.0, 3600.0


class Tries(NamedTuple):
    """Failed tries in a row: how many, since when, and not again before when (seconds since 1970)."""

    failures: int = 0
    since: float = 0.0
    until: float = 0.0
    reason: str = ""


def read(directory: str) -> Tries:
    """What is known; nothing where the file is missing or damaged."""
    try:
        with open(os.path.join(directory, NAME), encoding="utf-8") as file:
            values = json.load(file)
        return Tries(int(values[0]), float(values[1]), float(values[2]), str(values[3]))
    except (OSError, ValueError, TypeError, LookupError):
        return Tries()


def last_try(directory: str, branch: str, *, behind: bool) -> str:
    """Why the last try failed, if none went well since: a person's own ``git push`` did, perhaps."""
    reason = read(directory).reason
    if behind or not reason:
        return reason
    try:
        seen = os.stat(os.path.join(directory, "refs/remotes/origin", branch)).st_mtime
        return reason if os.stat(os.path.join(directory, NAME)).st_mtime >= seen else ""
    except OSError:
        return reason


def waits(tries: Tries, now: float) -> float:
    """How many seconds the next try has to wait; 0 where the clock has jumped."""
    left = tries.until - now
    return left if 0 < left <= _LONGEST else 0.0


def failed(directory: str, cost: float, reason: str, now: float, *, person: bool = False) -> None:
    """Remember a try that failed after *cost* seconds; *person*: only a person can end it."""
    before = read(directory)
    failures = before.failures + 1
    pause = min(_LONGEST, _FIRST * 2 ** (failures - 1)) if cost >= _COSTLY or person else 0.0
    since = before.since if 0 < before.since <= now else now
    _write(directory, Tries(failures, since, now + pause, reason))


def note(directory: str, reason: str, now: float) -> None:
    """Remember why a try came to nothing, and no more: it neither adds to a pause nor ends one."""
    before = read(directory)
    _write(directory, before._replace(since=before.since or now, reason=reason))


def _write(directory: str, tries: Tries) -> None:
    place = os.path.join(directory, NAME)
    with contextlib.suppress(OSError):  # without it the next write tries at once
        with open(f"{place}.{os.getpid()}", "w", encoding="utf-8") as file:
            json.dump(list(tries), file)
        os.replace(f"{place}.{os.getpid()}", place)


def succeeded(directory: str) -> None:
    """Forget failures."""
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(directory, NAME))
