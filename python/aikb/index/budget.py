"""Keep every index page within a size that an agent can afford to read.

The main page stays under the budget by moving its largest sections to pages of their own; a
section's page over the budget is split by month of creation, then by day, then by the first
characters of the id.  All three are properties of one note that its edits do not change, so that
editing a note rewrites one page and adding one rewrites one page and the counts above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aikb.index.group import Index, Row, Section

    Measure = Callable[[str, Sequence[Row]], int]

DEFAULT_BYTES = 24_000


class Page(NamedTuple):
    """A part of a section on a page of its own; ``suffix`` is what its name ends with."""

    section: str
    suffix: str
    rows: tuple[Row, ...]


class Layout(NamedTuple):
    """Which sections stay on the main page, and the pages that the others moved to, in order."""

    whole: Index
    moved: dict[str, tuple[Page, ...]]


def lay_out(index: Index, budget: int, fixed: int, measure: Measure) -> Layout:
    """Decide where each section stands.

    *fixed* is the size in bytes of what the main page always has, *measure* gives the size of a
    section's rows.  The smallest sections stay.
    """
    sizes = {section.key: measure(section.key, section.rows) for section in index.sections}
    total = fixed + sum(sizes.values())
    moved: dict[str, tuple[Page, ...]] = {}
    by_size = sorted(index.sections, key=lambda section: (-sizes[section.key], section.key))
    for section in by_size:
        if total <= budget:
            break
        total -= sizes[section.key]
        moved[section.key] = _pages(section, budget, measure)
    return Layout(index, moved)


def _pages(section: Section, budget: int, measure: Measure) -> tuple[Page, ...]:
    if measure(section.key, section.rows) <= budget:
        return (Page(section.key, "", section.rows),)
    return tuple(_split(section.key, "", section.rows, budget, measure, 0))


def _split(
    key: str, suffix: str, rows: Sequence[Row], budget: int, measure: Measure, step: int
) -> list[Page]:
    """Split rows by the step's property until each page fits or nothing is left to split by."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_part(row, suffix, step), []).append(row)
    pages = []
    for name in sorted(groups):
        members = groups[name]
        if measure(key, members) > budget and step < _LAST_STEP and len(members) > 1:
            pages += _split(key, name, members, budget, measure, step + 1)
        else:
            pages.append(Page(key, name, tuple(members)))
    return pages


_LAST_STEP = 6


def _part(row: Row, suffix: str, step: int) -> str:
    created = row.note.created
    if step == 0:
        return created[:7] or "undated"
    if step == 1:
        return created[:10] or "undated"
    base = suffix if step == 2 else suffix.rpartition("-")[0]
    return f"{base}-{row.note.id[: step - 1].lower()}"
