"""Which notes stand where in an index, and in what order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.index.prefix import unique_prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from aikb.model import Note

_OPPONENT = re.compile(r"\bagainst ([0-9a-f]{8}):")  # as a note's issue names it
UNTYPED = "untyped"


class Row(NamedTuple):
    """One note in an index, named by the shortest prefix of its id."""

    note: Note
    name: str


class Section(NamedTuple):
    """Rows that belong together; ``key`` is the type's name, or the tag."""

    key: str
    rows: tuple[Row, ...]


class Index(NamedTuple):
    """What an index shows: what needs a person first, then a section for each type or tag in use."""

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

    *keep* filters what is shown; names are unique among all *notes* all the same.
    """
    notes = list(notes)
    names = unique_prefixes(note.id for note in notes)
    shown = notes if keep is None else filter(keep, notes)
    rows = (Row(note, names[note.id]) for note in shown)
    return group(rows, lambda note: (type_of(note, types),), (*types, UNTYPED))


def build_tag_index(notes: Iterable[Note]) -> Index:
    """Group notes by each of their tags, in the order of the tags; rows by title.

    A nested tag (``a/b``) has a section of its own; its parents are found by who looks for them.
    """
    index = group((Row(note, note.id) for note in notes), lambda note: note.tags)
    return Index(index.contested, tuple(sorted(index.sections, key=lambda section: section.key)))


def group(
    rows: Iterable[Row],
    sections_of: Callable[[Note], Iterable[str]],
    order: Iterable[str] | None = None,
) -> Index:
    """Rows in all of the sections that *sections_of* names for their note, by title.

    *order* gives the sections that are shown, and their order; without one all are, as they come.
    Superseded notes are left out: they are history, and links to them still resolve.
    """
    groups: dict[str, list[Row]] = {}
    contested = []
    for row in sorted((row for row in rows if row.note.status != "superseded"), key=_by_title):
        for key in sections_of(row.note):
            groups.setdefault(key, []).append(row)
        if row.note.status == "contested":
            contested.append(row)
    keys = groups if order is None else [key for key in order if key in groups]
    return Index(
        tuple(_together(contested)), tuple(Section(key, tuple(groups[key])) for key in keys)
    )


def _together(rows: Sequence[Row]) -> Iterator[Row]:
    """Rows in their order, but each followed by those that it is contested with."""
    opposed: dict[str, list[Row]] = {}
    by_name = {row.note.id[:8]: row for row in rows}
    for row in rows:
        for name in _OPPONENT.findall(row.note.issue):
            if name in by_name:
                opposed.setdefault(row.note.id, []).append(by_name[name])
                opposed.setdefault(by_name[name].note.id, []).append(row)
    told: set[str] = set()
    for first in rows:
        waiting = [first]
        while waiting:
            row = waiting.pop(0)
            if row.note.id not in told:
                told.add(row.note.id)
                yield row
                waiting += opposed.get(row.note.id, [])


def concerns(note: Note, project: str) -> bool:
    """Whether a note belongs to a project: its own notes and the general ones."""
    return project in note.projects or "general" in note.projects


def _by_title(row: Row) -> tuple[str, str]:
    return row.note.title.casefold(), row.note.id
