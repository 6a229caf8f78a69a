"""What audits proposed and what became of it, by project and session (Phase 4).

It shows whether the loop closes.  One JSON line an audit, in the state folder; the last line of a
session counts, so that an audit that is taken up again after a kill is not counted twice.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAME = "audits.jsonl"
_LARGEST = 4 << 20
_FEW = 3  # sessions of a project under which nothing can be said of a direction
_WINDOW = 3


class Audit(NamedTuple):
    """One session's audit, in counts; ``time`` is as the log has it, ``agent`` who proposed."""

    time: str
    project: str
    session: str
    head: str
    agent: str
    proposed: int = 0
    created: int = 0
    covered: int = 0
    rejected: int = 0
    flagged: int = 0
    confirmed: int = 0


class Trend(NamedTuple):
    """A project's audits, oldest first, and where the number of proposals goes."""

    project: str
    audits: tuple[Audit, ...]
    direction: str

    @property
    def totals(self) -> tuple[int, int, int, int]:
        """Proposed, created, covered, rejected."""
        names = ("proposed", "created", "covered", "rejected")
        a, b, c, d = (sum(getattr(audit, name) for audit in self.audits) for name in names)
        return a, b, c, d


def record(state: str, audit: Audit) -> None:
    """Add an audit.

    Raises:
        OSError: it cannot be written.
    """
    os.makedirs(state, mode=0o700, exist_ok=True)
    line = json.dumps(audit._asdict(), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    path = os.path.join(state, NAME)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, line)
        os.fsync(descriptor)
        large = os.fstat(descriptor).st_size > _LARGEST
    finally:
        os.close(descriptor)
    if large:  # the older half goes
        with open(path, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        with open(path + ".tmp", "wb") as file:
            file.writelines(lines[len(lines) // 2 :])
        os.replace(path + ".tmp", path)


def read(state: str) -> list[Audit]:
    """All audits, oldest first; a line that was cut off is left out."""
    try:
        with open(os.path.join(state, NAME), encoding="utf-8", errors="replace") as file:
            lines = file.read(2 * _LARGEST).splitlines()
    except OSError:
        return []
    found: dict[tuple[str, str, str], Audit] = {}
    for line in lines:
        try:
            values = json.loads(line)
            audit = Audit(**{name: values[name] for name in Audit._fields})
        except (ValueError, KeyError, TypeError):
            continue
        if all(isinstance(v, str if n < 5 else int) for n, v in enumerate(audit)):
            found[audit.project, audit.session, audit.head] = audit
    return sorted(found.values(), key=lambda audit: audit.time)


def trends(audits: Iterable[Audit]) -> list[Trend]:
    """The projects by name, each with its direction."""
    by_project: dict[str, list[Audit]] = {}
    for audit in audits:
        by_project.setdefault(audit.project, []).append(audit)
    return [
        Trend(name, tuple(rows), direction([row.proposed for row in rows]))
        for name, rows in sorted(by_project.items())
    ]


def direction(counts: Sequence[int]) -> str:
    """Whether the number of proposals falls towards zero, in two words.

    The last three sessions are held against all before them.
    """
    if len(counts) < _FEW:
        return "too few"
    last, before = counts[-_WINDOW:], counts[:-_WINDOW]
    now = sum(last) / len(last)
    if now == 0:
        return "at zero"
    if not before:
        before = counts[:1]
    then = sum(before) / len(before)
    if now < 0.8 * then:
        return "near zero" if now < 1 else "falling"
    return "rising" if now > 1.25 * then else "steady"
