"""Timestamps must be days of the calendar: an impossible one makes Org drop or misplace a node."""

from __future__ import annotations

import re
from datetime import date, time
from typing import TYPE_CHECKING

from aikb.model import Finding
from aikb.rules.literal import in_literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.formats.org.document import Document

_STAMP = re.compile(r"([<\[])(\d{4})-(\d{1,2})-(\d{1,2})\b([^>\]\n]*)[>\]]")
_TIME = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_WHEN = r"[<\[]\d{4}-\d\d-\d\d[^>\]\n]*[>\]]"
_PLANNING = re.compile(
    rf"(CLOSED|DEADLINE|SCHEDULED):[ \t]*(?:({_WHEN})(?:--{_WHEN})?)?", re.IGNORECASE
)
_CLOCK = re.compile(r"[ \t]*CLOCK:[ \t]*(.*)", re.IGNORECASE)
_CLOCK_OK = re.compile(
    rf"(?:{_WHEN}(?:--{_WHEN})?(?:[ \t]*=>[ \t]*\d+:\d\d)?|=>[ \t]*\d+:\d\d)[ \t]*"
)


def check(document: Document) -> Iterator[Finding]:
    """Findings about timestamps in text, headings, planning and clock lines."""
    path, structure = document.path, document.structure
    for number, line in enumerate(structure.lines):
        kind = structure.kinds[number]
        if kind in "ocflbk":
            continue
        if kind == "g":
            yield from _planning(path, number + 1, line)
        if (
            kind in "gxi"
            and (clock := _CLOCK.match(line))
            and not _CLOCK_OK.fullmatch(clock.group(1))
        ):
            yield Finding(
                path, number + 1, "error", "bad-clock",
                "a clock line needs [YYYY-MM-DD Day HH:MM]--[…] => H:MM",
            )  # fmt: skip
        if kind == "p":
            continue
        for match in _STAMP.finditer(line):
            if not _exists(match) and not in_literal(line, match.start(), kind):
                yield Finding(
                    path, number + 1, "error", "impossible-date",
                    f"'{match.group()[:40]}' is no day of the calendar",
                )  # fmt: skip


def _planning(path: str, number: int, line: str) -> Iterator[Finding]:
    for match in _PLANNING.finditer(line):
        if not match.group(2):
            yield Finding(
                path, number, "error", "bad-planning",
                f"{match.group(1)} needs a timestamp: <YYYY-MM-DD>",
            )  # fmt: skip


def _exists(match: re.Match[str]) -> bool:
    _, year, month, day, rest = match.groups()
    try:
        date(int(year), int(month), int(day))
        for hour, minute in _TIME.findall(rest):
            if (hour, minute) != ("24", "00"):
                time(int(hour), int(minute))
    except ValueError:
        return False
    return True
