"""Where an Org file tells its own history: ``LOGBOOK`` drawers, which Org folds away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aikb.formats.org.document import Document

_BEGIN = re.compile(r"[ \t]*:LOGBOOK:[ \t]*$", re.IGNORECASE)


def history_lines(document: Document) -> frozenset[int]:
    """The numbers, from 1, of the lines that stand in such drawers."""
    found: set[int] = set()
    inside = False
    structure = document.structure
    for number, line in enumerate(structure.lines):
        if structure.kinds[number] == "d":
            inside = not inside and bool(_BEGIN.match(line))
        elif inside:
            found.add(number + 1)
    return frozenset(found)
