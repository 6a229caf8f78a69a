"""The few lines in which two versions of a node differ, for a person who has to decide; pure."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.formats.threeway import Piece

    Range = tuple[int, int]

_MOST = 6  # lines of each side
_WIDE = 100
_LARGE = 500  # lines that are compared one by one


class Line(NamedTuple):
    """A line of one side's file; without a number it says how many more there are."""

    side: str
    number: int
    text: str

    def render(self) -> str:
        """As it is printed below its conflict."""
        return f"  {self.side:<6} {self.number or '':>4} | {self.text}"


def excerpt(
    base: Piece | None, ours: Piece | None, theirs: Piece | None, ranges: Sequence[Range]
) -> tuple[Line, ...]:
    """At most six lines of each side; *ranges* are the lines of ours that clash.

    Where a side has nothing, what the other changed against *base* is shown.
    """
    if ours is None or theirs is None:
        left, side = (theirs, "theirs") if ours is None else (ours, "ours")
        if left is None:
            return ()
        hunks = _hunks(_lines(base), _lines(left))
        return tuple(_shown(side, left, [hunk[2:] for hunk in hunks]))
    hunks = _hunks(_lines(ours), _lines(theirs))
    near = [h for h in hunks if any(_meets(h, ours.first, lines) for lines in ranges)] or hunks
    return (
        *_shown("ours", ours, [hunk[:2] for hunk in near]),
        *_shown("theirs", theirs, [hunk[2:] for hunk in near]),
    )


def _lines(piece: Piece | None) -> list[str]:
    return piece.text.split("\n") if piece else []


def _hunks(one: list[str], two: list[str]) -> list[tuple[int, int, int, int]]:
    """Where two texts differ: the first line and the one behind the last, in each."""
    head = 0
    while head < min(len(one), len(two)) and one[head] == two[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(two)) - head and one[-1 - tail] == two[-1 - tail]:
        tail += 1
    old, new = one[head : len(one) - tail], two[head : len(two) - tail]
    if max(len(old), len(new)) > _LARGE:
        return [(head, head + len(old), head, head + len(new))]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(head + a, head + b, head + c, head + d) for tag, a, b, c, d in codes if tag != "equal"]


def _meets(hunk: tuple[int, int, int, int], first: int, lines: Range) -> bool:
    return first + hunk[0] <= lines[1] and max(hunk[1] - 1, hunk[0]) + first >= lines[0]


def _shown(side: str, piece: Piece, ranges: Sequence[Range]) -> list[Line]:
    lines = piece.text.split("\n")
    numbers = [n for start, end in ranges for n in range(start, end) if lines[n].strip()]
    shown = [Line(side, piece.first + n, _cut(lines[n])) for n in numbers[:_MOST]]
    if len(numbers) > _MOST:
        shown.append(Line(side, 0, f"… and {len(numbers) - _MOST} more"))
    return shown


def _cut(text: str) -> str:
    return text if len(text) <= _WIDE else text[: _WIDE - 1] + "…"
