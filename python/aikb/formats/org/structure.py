"""What kind of line each line of an Org text is, as ``org-element`` decides it.

One letter a line:

==== ==========================================================================================
``h`` heading                  ``g`` planning or clock line          ``p`` line of a property drawer
``c`` comment                  ``k`` keyword (``#+key:``)            ``P`` its ``:PROPERTIES:``/``:END:``
``b`` begin or end of a block  ``o`` inside an opaque block          ``d`` begin or end of a drawer
``f`` fixed width (``: text``) ``l`` LaTeX environment               ``t`` table row
``s`` diary sexp               ``i`` first line of a list item       ``x`` other text
``-`` blank
==== ==========================================================================================

A block or drawer counts only if it is closed before the next heading; what is never closed is text,
as in Org.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

OPAQUE = frozenset({"SRC", "EXAMPLE", "EXPORT", "COMMENT"})
_BLOCK_BEGIN = re.compile(r"[ \t]*#\+begin_(\S+)", re.IGNORECASE)
_BLOCK_END = re.compile(r"[ \t]*#\+end_(\S+)[ \t]*$", re.IGNORECASE)
_DYNAMIC_BEGIN = re.compile(r"[ \t]*#\+begin:? ", re.IGNORECASE)
_DYNAMIC_END = re.compile(r"[ \t]*#\+end:?[ \t]*$", re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+\S+:")
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*$")
_COMMENT = re.compile(r"[ \t]*#(?: |$)")
_FIXED = re.compile(r"[ \t]*:(?: |$)")
_HEADING = re.compile(r"\*+ ")
_PLANNING = re.compile(r"[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):", re.IGNORECASE)
_PROPERTY = re.compile(r"[ \t]*:[^\s\u200b]+:(?: .*)?[ \t]*$")
_LATEX_BEGIN = re.compile(r"[ \t]*\\begin\{([A-Za-z0-9*]+)\}")
_FOOTNOTE = re.compile(r"\[fn:[-\w]+\]")
_ITEM = re.compile(r"[ \t]*(?:[-+]|[ \t]\*|\d+[.)]|[A-Za-z][.)])(?:[ \t]|$)")


class Structure:
    """The kinds of all lines of one text, and where the lines begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines[:-1]:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.kinds = ["x"] * len(self.lines)
        self._ends: dict[str, list[int]] = {}
        self._find_ends()
        self._classify()

    def line_of(self, pos: int) -> int:
        """The line's number, from 0, of an offset."""
        return bisect_right(self.starts, pos) - 1

    def kind_at(self, pos: int) -> str:
        """The letter of the line that has the offset."""
        return self.kinds[self.line_of(pos)]

    def _find_ends(self) -> None:
        for number, line in enumerate(self.lines):
            stripped = line.lstrip(" \t")
            if stripped.startswith("#+"):
                if match := _BLOCK_END.match(line):
                    self._ends.setdefault("block " + match.group(1).upper(), []).append(number)
                elif _DYNAMIC_END.match(line):
                    self._ends.setdefault("dynamic", []).append(number)
            elif stripped.startswith(":") and (match := _DRAWER.match(line)):
                if match.group(1).upper() == "END":
                    self._ends.setdefault("drawer", []).append(number)
            elif "\\end{" in line:
                for name in re.findall(r"\\end\{([A-Za-z0-9*]+)\}[ \t]*$", line):
                    self._ends.setdefault("latex " + name, []).append(number)

    def _end(self, kind: str, after: int, limit: int) -> int | None:
        """The first closing line of *kind* behind line *after* and before *limit*."""
        ends = self._ends.get(kind, [])
        place = bisect_left(ends, after)
        return ends[place] if place < len(ends) and ends[place] < limit else None

    def _classify(self) -> None:
        heads = [n for n, line in enumerate(self.lines) if _HEADING.match(line)]
        first = heads[0] if heads else len(self.lines)
        start = 0
        while start < first and _COMMENT.match(self.lines[start]):
            self.kinds[start] = "c"
            start += 1
        self._section(self._property_drawer(start, first), first)
        for place, head in enumerate(heads):
            limit = heads[place + 1] if place + 1 < len(heads) else len(self.lines)
            self.kinds[head] = "h"
            start = head + 1
            if start < limit and _PLANNING.match(self.lines[start]):
                self.kinds[start] = "g"
                start += 1
            self._section(self._property_drawer(start, limit), limit)

    def _property_drawer(self, start: int, limit: int) -> int:
        """Mark a property drawer that begins at *start*; returns the line after it."""
        if start >= limit or self.lines[start].strip(" \t").upper() != ":PROPERTIES:":
            return start
        end = self._end("drawer", start + 1, limit)
        if end is None or not all(map(_PROPERTY.match, self.lines[start + 1 : end])):
            return start
        self.kinds[start] = self.kinds[end] = "P"
        self.kinds[start + 1 : end] = "p" * (end - start - 1)
        return end + 1

    def _section(self, start: int, limit: int) -> None:
        """Classify lines of one section; greater blocks and drawers are looked into."""
        todo = [(start, limit)]
        while todo:
            number, limit = todo.pop()
            while number < limit:
                kind, end = self._element(number, limit)
                self.kinds[number] = kind
                if end is None:
                    number += 1
                    continue
                self.kinds[end] = kind
                if kind in "bd" and not self._opaque(number):
                    todo.append((end + 1, limit))
                    limit = end
                    number += 1
                    continue
                fill = "l" if kind == "l" else "o"
                self.kinds[number + 1 : end] = fill * (end - number - 1)
                number = end + 1

    def _opaque(self, number: int) -> bool:
        match = _BLOCK_BEGIN.match(self.lines[number])
        return bool(match) and match.group(1).upper() in OPAQUE  # type: ignore[union-attr]

    def _element(self, number: int, limit: int) -> tuple[str, int | None]:
        """The kind of the element that begins at a line, and the line that closes it."""
        line = self.lines[number]
        stripped = line.lstrip(" \t")
        if not stripped:
            return "-", None
        mark = stripped[0]
        if mark == "#":
            return self._hash(number, limit)
        if mark == ":":
            if _DRAWER.match(line):
                end = self._end("drawer", number + 1, limit)
                return ("d", end) if end is not None else ("x", None)
            return ("f" if _FIXED.match(line) else "x"), None
        if mark == "|":
            return "t", None
        if mark == "C" and stripped.startswith("CLOCK:"):
            return "g", None
        if mark == "[" and _FOOTNOTE.match(line):
            return "i", None
        if mark == "\\" and (match := _LATEX_BEGIN.match(line)):
            end = self._end("latex " + match.group(1), number, limit)
            return ("l", end) if end is not None else ("x", None)
        if line.startswith("%%("):
            return "s", None
        if mark in "-+*" or mark.isalnum():
            return ("i" if _ITEM.match(line) else "x"), None
        return "x", None

    def _hash(self, number: int, limit: int) -> tuple[str, int | None]:
        line = self.lines[number]
        if _COMMENT.match(line):
            return "c", None
        if match := _BLOCK_BEGIN.match(line):
            end = self._end("block " + match.group(1).upper(), number + 1, limit)
            return ("b", end) if end is not None else ("x", None)
        if _DYNAMIC_BEGIN.match(line):
            end = self._end("dynamic", number + 1, limit)
            return ("b", end) if end is not None else ("x", None)
        return ("k" if _KEYWORD.match(line) else "x"), None
