"""Notes and their texts, in the design's words, for tests to build from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterable

ME = "b0b0b0b0-1111-4111-8111-b0b0b0b0b0b0"
HERS = "c0c0c0c0-2222-4222-8222-c0c0c0c0c0c0"
ONE = "a1a1a1a1-3333-4333-8333-a1a1a1a1a1a1"
TWO = "d2d2d2d2-4444-4444-8444-d2d2d2d2d2d2"
NOBODY = "99999999-9999-4999-8999-999999999999"
PROPERTIES = """\
:PROJECTS: :general:
:CREATED:  2026-01-02
:UPDATED:  2026-01-03
:SOURCE:   chat 2026-01-02
:STATUS:   current
"""
TO_ONE = f"[[id:{ONE}][one]]"


def drawer(lines: str) -> str:
    """A property drawer."""
    return f":PROPERTIES:\n{lines}:END:\n"


def node(
    body: str = f"Words, see {TO_ONE}.\n",
    *,
    node_id: str = ME,
    extra: str = "",
    title: str = "Tried",
    tags: str = ":observation:",
) -> str:
    """A good node: its body begins on line 12, what *extra* adds to the drawer on line 8."""
    top = drawer(f":ID:       {node_id}\n{PROPERTIES}{extra}")
    return f"{top}#+title: {title}\n#+filetags: {tags}\n\n{body}"


def file(drawer_lines: str, body: str = f"Words, see {TO_ONE}.\n") -> str:
    """A file whose drawer (line 1) has just these lines; the title follows."""
    return f"{drawer(drawer_lines)}#+title: Tried\n#+filetags: :observation:\n\n{body}"


def heading(drawer_lines: str = f":ID: {HERS}\n", line: str = "* Part", before: str = "") -> str:
    """A heading with a drawer, for a body: it stands on line 12, its id on line 14."""
    return f"{line}\n{before}{drawer(drawer_lines)}Words, see {TO_ONE}.\n"


def neighbours() -> dict[str, bytes]:
    """Two good nodes that link to each other."""
    return {
        "aaa.org": node(f"To [[id:{TWO}][two]].\n", node_id=ONE, title="One").encode(),
        "zzz.org": node(f"To [[id:{ONE}][one]].\n", node_id=TWO, title="Two").encode(),
    }


def make_note(number: int = 1, **values: object) -> Note:
    """A note; only what a test cares about has to be named."""
    note_id = f"{number * 2654435761 % (1 << 32):08x}-0000-4000-8000-{number:012x}"
    note = Note(
        id=note_id,
        path=f"{number:05d}.org",
        line=1,
        level=0,
        title=f"Note {number}",
        tags=("observation",),
        projects=("general",),
        status="current",
        created="2026-01-02",
        updated="2026-01-03",
        source="chat 2026-01-02",
        summary="What it says.",
    )
    return note._replace(**values)  # type: ignore[arg-type]


def note_text(note: Note) -> str:
    """The Org text that reads as this note (summary and body are the same)."""
    lines = drawer(
        f":ID:       {note.id}\n:PROJECTS: {' '.join(f':{p}:' for p in note.projects)}\n"
        f":CREATED:  {note.created}\n:UPDATED:  {note.updated}\n:SOURCE:   {note.source}\n"
        f":STATUS:   {note.status}\n"
    )
    tags = ":".join(note.tags)
    return f"{lines}#+title: {note.title}\n#+filetags: :{tags}:\n\n{note.summary}\n"


def markdown_text(note: Note) -> str:
    """The Markdown text that reads as this note (summary and body are the same)."""
    lists = "".join(
        f"{key}:\n{''.join(f'  - {value}' + chr(10) for value in values)}"
        for key, values in (("tags", note.tags), ("projects", note.projects))
    )
    return (
        f'---\ntitle: "{note.title}"\n{lists}created: {note.created}\nupdated: {note.updated}\n'
        f"source: {note.source}\nstatus: {note.status}\n---\n\n{note.summary}\n"
    )


def many(count: int, **values: object) -> Iterable[Note]:
    """Numbered notes that share some values."""
    return [make_note(number, **values) for number in range(1, count + 1)]
