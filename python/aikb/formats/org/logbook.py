"""Two versions of a node's history made one; pure."""

from __future__ import annotations

import re

from aikb.formats import threeway
from aikb.formats.org.write import LOGBOOK

_DATE = re.compile(r"\[(\d{4}-\d\d-\d\d)")


def merge_logs(base: str, ours: str, theirs: str) -> str:
    """History: every entry of both sides once, the new ones on top, newest first."""
    simple, clashes = threeway.value(base, ours, theirs)
    if not clashes:
        return simple
    entries = [_entries(log) for log in (base, ours, theirs)]
    merged = threeway.united(*entries)
    new = [entry for entry in merged if entry not in entries[0]]
    new.sort(key=lambda e: (m.group(1) if (m := _DATE.search(e)) else "", e), reverse=True)
    old = [entry for entry in merged if entry in entries[0]]
    tail = max(log[len(log.rstrip("\n")) :] for log in (ours, theirs))
    return f":LOGBOOK:\n{''.join([*new, *old])}:END:{tail}" if merged else ""


def _entries(log: str) -> list[str]:
    book = LOGBOOK.match(log)
    entries: list[str] = []
    for line in threeway.lines(book.group(1)) if book else ():
        if line.startswith("- ") or not entries:
            entries.append(line)
        else:
            entries[-1] += line
    return entries
