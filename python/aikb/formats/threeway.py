"""Three-way merging of values, sets and texts; knows no format and no git.

``base`` is what both sides began with.  Every function gives the same when the sides change places, so
that two machines that merge at the same time make the same of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
MARKED = "marked"
_BLOCK = re.compile(
    r"^[ \t]*(?:#\+begin_(\S+)|#\+end_(\S+)|(`{3,}|~{3,}).*)[ \t]*", re.IGNORECASE | re.MULTILINE
)


class Clash(NamedTuple):
    """A place of a text that both sides changed, each in its own way."""

    base: str
    ours: str
    theirs: str


class Text(NamedTuple):
    """A merged text; ``clashes`` are the line ranges (from 1, both ends in) of ours in dispute."""

    text: str
    clashes: tuple[tuple[int, int], ...]


class Conflict(NamedTuple):
    """What cannot be merged: the node (its id, or empty), what of it, and the lines in our file.

    *what* is ``body``, ``title``, ``property KEY``, ``deleted``, ``made twice``, ``text``, ``file``.
    """

    node: str
    what: str
    lines: tuple[int, int] = (1, 1)


class Piece(NamedTuple):
    """A node's text, and the line of its file at which it begins."""

    first: int
    text: str


class UnmergeableError(Exception):
    """What merges texts cannot merge these: they have bytes that no text has, or it failed."""


class Merge(NamedTuple):
    """A merged file.  With conflicts it has our side where they are."""

    data: bytes
    conflicts: tuple[Conflict, ...] = ()


if TYPE_CHECKING:
    # base, ours, theirs, whole lines; raises UnmergeableError
    TextMerger = Callable[[str, str, str], list[str | Clash]]


def value(base: T, ours: T, theirs: T) -> tuple[T, bool]:
    """The value that one side changed, or both alike; and whether they clash (then ours)."""
    if ours in (theirs, base):
        return theirs, False
    return ours, theirs != base


def united(base: Iterable[T], ours: Iterable[T], theirs: Iterable[T]) -> tuple[T, ...]:
    """What either side added, less what either took away: the base's order, then what is new."""
    base, ours, theirs = tuple(base), tuple(ours), tuple(theirs)
    kept = [word for word in base if word in ours and word in theirs]
    new = {*ours, *theirs}.difference(base)
    return tuple(dict.fromkeys([*kept, *sorted(new)]))  # type: ignore[type-var]


def text(base: str, ours: str, theirs: str, merger: TextMerger, favour: str = "") -> Text:
    """A text merged line by line.

    What both sides only added at one place is kept twice, unless it stands inside a block of code,
    where order has a meaning.  Where they clash the favoured side (ours) is taken; *favour* can be
    ``MARKED`` too: then both are, between git's markers.
    """
    simple, clashes = value(base, ours, theirs)
    if not clashes:
        return Text(simple, ())
    full = [_ended(part) for part in (base, ours, theirs)]
    done: list[str] = []
    disputed: list[tuple[int, int]] = []
    at = 0
    for piece in merger(*full):
        if isinstance(piece, str):
            done.append(piece)
            continue
        start = max(full[1].find(piece.ours, at), at)
        at = start + len(piece.ours)
        added = _both(piece) if not piece.base and not _inside_block("".join(done)) else None
        if added is None:
            done.append(_chosen(piece, favour))
            if not favour:
                first = full[1].count("\n", 0, start) + 1
                disputed.append((first, max(first, first + piece.ours.count("\n") - 1)))
        else:
            done.append(added)
    merged = "".join(done)
    bare = value(*(not part.endswith("\n") for part in (base, ours, theirs)))[0]
    return Text(merged.removesuffix("\n") if bare else merged, tuple(disputed))


def _chosen(piece: Clash, favour: str) -> str:
    if favour == MARKED:
        return f"<<<<<<< ours\n{piece.ours}=======\n{piece.theirs}>>>>>>> theirs\n"
    return piece.theirs if favour == "theirs" else piece.ours


def _ended(part: str) -> str:
    return part if not part or part.endswith("\n") else part + "\n"


def _both(piece: Clash) -> str | None:
    """Both sides' new lines, what they have in common once; None where a block would be torn."""
    sides = (lines(piece.ours), lines(piece.theirs))
    one, two = sorted(sides, key=_place)
    if any(_inside_block("".join(part)) for part in (one, two)):
        return None
    head = _common(one, two)
    one, two = one[head:], two[head:]
    tail = _common(one[::-1], two[::-1])
    end = one[len(one) - tail :]
    one, two = one[: len(one) - tail], two[: len(two) - tail]
    shared = lines(piece.ours)[:head]
    return "".join([*shared, *one, *two, *end])


def lines(part: str) -> list[str]:
    """A text's lines with their ends; a line ends with a line feed and nothing else."""
    return re.findall(r"[^\n]*\n|[^\n]+", part)


def _place(new: list[str]) -> tuple[bool, bool, list[str]]:
    """What goes on with the lines above comes first, what goes on with those below comes last."""
    return not new[0].strip(), bool(new[-1].strip()), new


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """How many first lines are the same and end where a paragraph ends in both."""
    same = 0
    while same < min(len(one), len(two)) and one[same] == two[same]:
        same += 1
    while same and not (_parts(one, same) and _parts(two, same)):
        same -= 1
    return same


def _parts(new: Sequence[str], at: int) -> bool:
    return at == len(new) or not new[at].strip()


def _inside_block(before: str) -> bool:
    """Whether a text ends inside a block that is open."""
    stack: list[str] = []
    for match in _BLOCK.finditer(before):
        begin, end, fence = match.groups()
        if begin:
            stack.append(begin.lower())
        elif end and stack and stack[-1] == end.lower():
            stack.pop()
        elif fence:
            if stack and stack[-1][0] == fence[0]:
                stack.pop()
            elif not stack:
                stack.append(fence)
    return bool(stack)
