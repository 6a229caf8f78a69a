"""Notes and words as they are printed; imports nothing that a quick answer would wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aikb.formats.source import is_outside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Note
    from aikb.recall.vault_find import Entry

NOTHING_FOUND = (
    "nothing found in titles, tags, projects and summaries; try fewer or shorter words, or search the "
    "whole text: rg -il WORD STORE"
)
_ESCAPED = {c: f"\\x{c:02x}" for c in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if c not in (9, 10)}
_ESCAPED |= {c: f"\\u{c:04x}" for c in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def printable(text: str) -> str:
    """*text* with everything that a terminal would obey made visible."""
    return text.translate(_ESCAPED)


def note_json(note: Note) -> dict[str, Any]:
    """A note as JSON has it."""
    return {
        "id": note.id,
        "title": note.title,
        "path": note.path,
        "line": note.line,
        "tags": list(note.tags),
        "projects": list(note.projects),
        "status": note.status,
        "created": note.created,
        "updated": note.updated,
        "source": note.source,
        "outside": is_outside(note.source),
        "summary": note.summary,
        **({"issue": note.issue} if note.issue else {}),
        **({"type": note.type} if note.type else {}),
    }


def find_line(note: Note) -> str:
    """One found node in one line."""
    status = f" ({note.status})" if note.status != "current" else ""
    if is_outside(note.source):
        status += " (outside)"
    summary = f" - {note.summary}" if note.summary else ""
    return f"{note.id[:8]} {note.title}{status}{summary}"


def vault_line(note: Note | Entry) -> str:
    """One note of a vault in one line."""
    summary = f" - {note.summary}" if note.summary else ""
    return f"{note.path}: {note.title}{summary}"


def find_json(found: Sequence[Note], *, more: bool) -> dict[str, Any]:
    """What ``find --json`` prints; *more*: there are more than the limit."""
    return {"ok": True, "nodes": [note_json(note) for note in found], "more": more}


def more_line(limit: int) -> str:
    """What is said where the limit cut."""
    return f"only the best {limit} are shown; --limit N shows more"
