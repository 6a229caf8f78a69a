"""Two versions of a property drawer made one, each property by its own meaning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.config import STATUSES
from aikb.formats import threeway
from aikb.formats.org.conflicts import KEY as CONTESTED
from aikb.formats.org.notes import first_date, split_words
from aikb.formats.org.write import join_projects, property_line

if TYPE_CHECKING:
    from collections.abc import Callable

    Lines = tuple[str, ...]
    Values = tuple[str, ...]

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\S+')
_RANK = {status: rank for rank, status in enumerate(("current", "superseded", "contested"))}
assert set(_RANK) == set(STATUSES)


def merge_drawers(base: str, ours: str, theirs: str, favour: str = "") -> tuple[str, list[str]]:
    """One drawer (``:PROPERTIES:`` to ``:END:``, with its last line end) and the keys that clash."""
    simple, clashes = threeway.value(base, ours, theirs)
    if not clashes:
        return simple, []
    sides = [_read(drawer) for drawer in (base, ours, theirs)]
    keys = threeway.united(*(tuple(side) for side in sides))
    lines: list[str] = []
    disputed = []
    for key in dict.fromkeys([*keys, *sides[1], *sides[2]]):
        b, o, t = (side.get(key, ()) for side in sides)
        merged = _merge(key, b, o, t)
        if merged is None:
            disputed.append(key)
            merged = t if favour == "theirs" else o
        lines += merged
    if _decided_apart(*(_values(side.get("STATUS", ())) for side in sides)):
        lines = [line for line in lines if _key(line) not in (CONTESTED, "SUPERSEDED_BY")]
        lines += sides[0].get(CONTESTED, ())
    lines = _still_contested(lines)
    begin = _frame(*(threeway.lines(drawer)[:1] for drawer in (base, ours, theirs)))
    end = _frame(*(threeway.lines(drawer)[-1:] for drawer in (base, ours, theirs)))
    return "".join([*begin, *lines, *end]), [] if favour else disputed


def line_of(drawer: str, key: str) -> int:
    """The line of a drawer, from 1, in which a property stands; the first where it is not there."""
    keys = [_key(line) for line in threeway.lines(drawer)]
    return keys.index(key) + 1 if key in keys else 1


def _read(drawer: str) -> dict[str, tuple[str, ...]]:
    """The lines of each property; ``KEY+`` belongs to ``KEY``."""
    found: dict[str, tuple[str, ...]] = {}
    for line in threeway.lines(drawer)[1:-1]:
        key = _key(line)
        found[key] = (*found.get(key, ()), line)
    return found


def _key(line: str) -> str:
    return line.strip(" \t").partition(" ")[0].strip(":\n").removesuffix("+").upper()


def _values(lines: Lines) -> Values:
    return tuple(line.strip(" \t\n").partition(" ")[2].strip(" \t") for line in lines)


def _frame(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    line, clashes = threeway.value(base, ours, theirs)
    return min(ours, theirs) if clashes else line


def _merge(key: str, base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """The lines of one property; None where they clash."""
    lines, clashes = threeway.value(base, ours, theirs)
    if not clashes:
        return lines
    b, o, t = _values(base), _values(ours), _values(theirs)
    if o == t:
        return min(ours, theirs)
    if key in _MEANT:
        return _MEANT[key](key, b, o, t)
    return None


def _later(key: str, _: Values, ours: Values, theirs: Values) -> Lines:
    best = max(ours[:1], theirs[:1], key=lambda v: (first_date("".join(v)), v))
    return (property_line(key, best[0]),)


def _ranked(key: str, _: Values, ours: Values, theirs: Values) -> Lines:
    best = max(ours[:1], theirs[:1], key=lambda v: (_RANK.get("".join(v).lower(), -1), v))
    return (property_line(key, best[0]),)


def _projects(key: str, base: Values, ours: Values, theirs: Values) -> Lines:
    words = threeway.united(*(split_words(" ".join(v)) for v in (base, ours, theirs)))
    return (property_line(key, join_projects(words)),) if words else ()


def _tokens(key: str, base: Values, ours: Values, theirs: Values) -> Lines:
    words = threeway.united(*(_TOKEN.findall(" ".join(v)) for v in (base, ours, theirs)))
    return (property_line(key, " ".join(words)),) if words else ()


def _records(key: str, base: Values, ours: Values, theirs: Values) -> Lines:
    values = threeway.united(base, ours, theirs)
    return tuple(property_line(f"{key}+" if place else key, v) for place, v in enumerate(values))


_MEANT: dict[str, Callable[[str, Values, Values, Values], Lines]] = {
    "UPDATED": _later,
    "LAST_CURATED": _later,
    "STATUS": _ranked,
    "PROJECTS": _projects,
    "ROAM_ALIASES": _tokens,
    "ROAM_REFS": _tokens,
    CONTESTED: _records,
}


def _decided_apart(base: Values, ours: Values, theirs: Values) -> bool:
    """Whether a contested node was decided on both sides, and not alike: then nothing is decided.

    Else two nodes, of which each side kept another, would end superseded by one another.
    """
    return base == ("contested",) and "contested" not in ours + theirs and ours != theirs


def _still_contested(lines: list[str]) -> list[str]:
    """A node of which a conflict is left is contested, whatever one side decided about another."""
    if not any(_key(line) == CONTESTED for line in lines):
        return lines
    return [
        property_line("STATUS", "contested") if _key(line) == "STATUS" else line for line in lines
    ]
