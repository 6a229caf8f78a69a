"""Where a line's text is =verbatim= or ~code~, which Org shows and never reads."""

from __future__ import annotations

import re

_LITERAL = re.compile(r"(?<![^\s\-('\"{])([=~])(?=\S).*?\S\1(?![^\s\-.,:!?;'\")}\\\[])")


def in_literal(line: str, column: int, kind: str) -> bool:
    """Whether a column of a line stands between such marks; in a table they end with the cell."""
    if kind == "t":
        start = line.rfind("|", 0, column) + 1
        end = line.find("|", column)
        line = line[start : end if end >= 0 else None]
        column -= start
    return any(m.start() < column < m.end() for m in _LITERAL.finditer(line))
