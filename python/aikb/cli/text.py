"""Notes and words as they are printed; imports nothing that a quick answer would wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aikb.formats.source import LABEL, as_said, is_outside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Note
    from aikb.recall.vault_find import Entry

NOTHING_FOUND = (
    "nothing found in titles, tags, projects and summaries; try fewer or shorter words, or search the "
    "whole text: rg -il WORD STORE"
)
_ESCAPED = {c: f"\\x{c:02x}" for c in (*range(0x20), 0x7F) if c not in (9, 10)}


def printable(text: str) -> str:
    """*text* with everything that a terminal would obey, or no eye sees, made visible."""
    if text.isascii():
        return text.translate(_ESCAPED)
    from aikb.formats.unseen import shown

    return shown(text)


def one_line(text: str) -> str:
    """The same in one line, whatever stands in it: no name of a file makes a second one."""
    return printable(text.replace("\n", "\\n").replace("\t", "\\t"))


def to_json(value: dict[str, Any]) -> str:
    """One object in one line, in which no hidden or control character stands as it is."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    if text.isascii() and "\x7f" not in text:
        return text
    from aikb.formats.unseen import in_json

    return in_json(text)


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


def outside(note: Note | Entry | None) -> dict[str, bool]:
    """What a shorter row of JSON adds for a note whose words are somebody else's."""
    return {"outside": True} if note is not None and is_outside(note.source) else {}


def find_line(note: Note) -> str:
    """One found node in one line."""
    summary = f" - {as_said(note.summary, note.source)}" if note.summary else ""
    status = f" ({note.status})" if note.status != "current" else ""
    return f"{note.id[:8]} {title_of(note)}{status}{summary}"


def title_of(note: Note | Entry) -> str:
    """A note's title; what somebody outside wrote is a quotation and says so."""
    return as_said(note.title, note.source) + (f" ({LABEL})" if is_outside(note.source) else "")


def vault_line(note: Note | Entry) -> str:
    """One note of a vault in one line."""
    summary = f" - {as_said(note.summary, note.source)}" if note.summary else ""
    return f"{note.path}: {title_of(note)}{summary}"


def find_json(found: Sequence[Note], *, more: bool) -> dict[str, Any]:
    """What ``find --json`` prints; *more*: there are more than the limit."""
    return {"ok": True, "nodes": [note_json(note) for note in found], "more": more}


def more_line(limit: int) -> str:
    """What is said where the limit cut."""
    return f"only the best {limit} are shown; --limit N shows more"
