"""What a program left behind when it was killed: a child that went into a session of its own.

Linux only; elsewhere nothing is adopted, and nothing is killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SET_CHILD_SUBREAPER = 36  # of prctl(2)
_ROUNDS = 50  # each takes a generation: its children are ours when it is gone


@contextlib.contextmanager
def adopting() -> Iterator[Callable[[], None]]:
    """While this lasts orphans below us become our children; gives what kills those that came."""
    before = _children()
    _adopt(1)
    try:
        yield lambda: _kill_but(before)
    finally:
        _adopt(0)


def _adopt(on: int) -> None:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, on, 0, 0, 0)


def _kill_but(kept: set[int]) -> None:
    for _ in range(_ROUNDS):
        if not (left := _children() - kept):
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _children() -> set[int]:
    try:
        with open("/proc/thread-self/children", encoding="ascii") as file:
            return set(map(int, file.read().split()))
    except (OSError, ValueError):
        return set()
