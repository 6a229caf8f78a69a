"""Which notes stand where in an index, and in what order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.index.prefix import unique_prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from aikb.model import Note

UNTYPED = "untyped"


class Row(NamedTuple):
    """One note in an index, named by the shortest prefix of its id."""

    note: Note
    name: str


class Section(NamedTuple):
    """Rows that belong together; ``key`` is the type's name."""

    key: str
    rows: tuple[Row, ...]


class Index(NamedTuple):
    """What an index shows: what needs a person first, then a section for each type in use."""

    contested: tuple[Row, ...]
    sections: tuple[Section, ...]


def type_of(note: Note, types: Sequence[str]) -> str:
    """The first of the note's tags that is a type, or ``untyped``."""
    for tag in note.tags:
        if tag in types:
            return tag
    return UNTYPED


def build_index(
    notes: Iterable[Note],
    types: Sequence[str],
    keep: Callable[[Note], bool] | None = None,
) -> Index:
    """Group notes by type, in the order of *types*; rows by title.

    *keep* filters what is shown; names are unique among all *notes* all the same.  Superseded notes
    are left out: they are history, and links to them still resolve.
    """
    notes = list(notes)
    names = unique_prefixes(note.id for note in notes)
    groups: dict[str, list[Row]] = {}
    contested = []
    for note in notes:
        if note.status == "superseded" or (keep and not keep(note)):
            continue
        row = Row(note, names[note.id])
        groups.setdefault(type_of(note, types), []).append(row)
        if note.status == "contested":
            contested.append(row)
    order = [key for key in (*types, UNTYPED) if key in groups]
    return Index(
        tuple(sorted(contested, key=_by_title)),
        tuple(Section(key, tuple(sorted(groups[key], key=_by_title))) for key in order),
    )


def concerns(note: Note, project: str) -> bool:
    """Whether a note belongs to a project: its own notes and the general ones."""
    return project in note.projects or "general" in note.projects


def _by_title(row: Row) -> tuple[str, str]:
    return row.note.title.casefold(), row.note.id
