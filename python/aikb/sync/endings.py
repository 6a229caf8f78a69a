"""How a sync that was stopped is told: truly, and again by `status` later."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.errors import StoppedError
from aikb.sync import pause
from aikb.sync.conflict import MergeConflictError

if TYPE_CHECKING:
    from aikb.errors import AikbError

_FEW = 3
_NOTHING = re.compile(r"\b[Nn]othing was (?:changed|merged)(?: or pushed)?\b")


def own_up(error: AikbError, landed: str) -> None:
    """Take back that nothing was changed, where an earlier round of the run committed *landed*."""
    if not landed:
        return
    words = f"what came before is committed here ({landed[:10]})"
    said = _NOTHING.sub(words, error.message)
    if error.hint:
        error.hint = _NOTHING.sub(words[0].upper() + words[1:], error.hint)
    error.message = said if said != error.message else f"{said}; {words}"


def stopped(begun: str | None, head: str | None) -> StoppedError:
    """What was kept of a run that somebody stopped, by HEAD when it *begun* and now."""
    kept = "nothing was changed"
    if begun and head and head != begun:
        kept = f"what was merged is committed here ({head[:10]}), and may not be pushed yet"
    return StoppedError(f"stopped: {kept}; running it again goes on")


def remember(
    directory: str, error: AikbError, command: str, cost: float, now: float, *, person: bool
) -> str:
    """Keep what ended a try after *cost* seconds for `status`; returns it in words.

    *person*: only a person can end it, so that writes try it less and less often.
    """
    told = words(error, command)
    pause.failed(directory, cost, told, now, person=person)
    return told


def words(error: AikbError, command: str) -> str:
    """An error in one line, with the first nodes of a conflict."""
    from aikb.rules.credentials import blot

    said = _NOTHING.sub("nothing was merged", error.message)
    if isinstance(error, MergeConflictError):
        names = [f"{c.short} {c.title}".strip() for c in error.conflicts[:_FEW]]
        more = "" if len(error.conflicts) <= _FEW else ", …"
        said = f"{said} ({blot(', '.join(names))}{more})"
    return f"{said}; run `{command}`"
