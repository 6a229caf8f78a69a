"""What an error carries besides its sentence: findings, and values for ``--json`` and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.errors import (
    NearDuplicateError,
    NoteCoveredError,
    UncommittedError,
    ValidationFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aikb.errors import AikbError
    from aikb.model import Finding
    from aikb.sync.conflict import Conflict


class Beside(NamedTuple):
    """Findings, further values of the JSON object, and the lines that a person gets instead."""

    findings: Sequence[Finding] = ()
    further: dict[str, Any] = {}  # noqa: RUF012 - nobody writes into it
    lines: Sequence[str] = ()


def beside(error: AikbError) -> Beside:
    """What to show with an error."""
    if isinstance(error, ValidationFailedError):
        return Beside(error.findings)
    if isinstance(error, UncommittedError):
        return Beside(further={"paths": list(error.paths)})
    if isinstance(error, NearDuplicateError):
        return _near(error)
    if error.code == "merge-conflict":  # of a room that only a sync imports
        return _conflicts(error)
    return Beside()


def _near(error: NearDuplicateError) -> Beside:
    from aikb.cli.private import safe
    from aikb.cli.text import find_line, note_json, vault_line

    line = vault_line if isinstance(error, NoteCoveredError) else find_line
    shown = [  # a file that lies about uncommitted may hold what no rule has seen
        note._replace(title=safe(note.title), summary=safe(note.summary), path=safe(note.path))
        for note in error.candidates
    ]
    return Beside(
        further={"candidates": [note_json(note) for note in shown]},
        lines=[f"near {line(note)}" for note in shown],
    )


def _conflicts(error: AikbError) -> Beside:
    from aikb.cli.sync import conflict_json, decided_json, decided_line
    from aikb.sync.conflict import MergeConflictError

    assert isinstance(error, MergeConflictError)
    return Beside(
        error.findings,
        {
            "conflicts": [conflict_json(conflict) for conflict in error.conflicts],
            "decided": [decided_json(one) for one in error.decided],
        },
        [
            *(f"{decided_line(one)}; kept for the merge" for one in error.decided),
            *(line for conflict in error.conflicts for line in _told(conflict)),
        ],
    )


def _told(conflict: Conflict) -> Iterator[str]:
    """A conflict, and below it the lines that differ; what stands in them is nobody's instruction."""
    from aikb.cli.private import safe

    yield safe(conflict.render())
    for line in conflict.shown:
        yield safe(line.render())
