"""Blocks and drawers that open must close, and nothing may nest too deep for Org to parse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.formats.org.document import Document

DEEPEST = 60
_MOST_OPEN = 200
_BEGIN = re.compile(r"[ \t]*#\+begin_(\S+)", re.IGNORECASE)
_END = re.compile(r"[ \t]*#\+end_(\S+)", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*$")
_BAD_KEYWORD = re.compile(r"[ \t]*#(?:\+ |\+?[ \t]*)(title|filetags)\b(?!:)", re.IGNORECASE)


def check(document: Document) -> Iterator[Finding]:
    """Findings about unpaired blocks and drawers, headings in blocks, and depth."""
    yield from _pairs(document)
    yield from _depth(document)


def _pairs(document: Document) -> Iterator[Finding]:
    path, structure = document.path, document.structure
    open_at: dict[str, int] = {}
    for number, line in enumerate(structure.lines):
        kind = structure.kinds[number]
        if kind == "h":
            for name in open_at:
                yield Finding(
                    path, number + 1, "error", "heading-in-block",
                    f"a line that begins with * is a heading even inside the {name} block above; put a "
                    "comma before the star (,*) or indent it",
                )  # fmt: skip
            open_at.clear()
        if kind in "of":
            continue
        if match := _BEGIN.match(line):
            if kind != "b":
                open_at[match.group(1).lower()] = number + 1
                yield Finding(
                    path, number + 1, "error", "unclosed-block",
                    f"this block is never closed; end it with #+end_{match.group(1)}",
                )  # fmt: skip
        elif (match := _END.match(line)) and kind != "b":
            open_at.pop(match.group(1).lower(), None)
            yield Finding(
                path, number + 1, "error", "stray-block-end",
                f"no #+begin_{match.group(1)} stands above this line in its section",
            )  # fmt: skip
        elif kind in "xi" and (match := _DRAWER.match(line)):
            name = match.group(1).upper()
            if name == "END":
                code, message = "stray-drawer-end", "':END:' closes no drawer here; remove it"
            else:
                code = "unclosed-drawer"
                message = f"the drawer :{match.group(1)}: is never closed; end it with :END:"
            yield Finding(path, number + 1, "error", code, message)
        elif match := _BAD_KEYWORD.match(line):
            yield Finding(
                path, number + 1, "error", "keyword-syntax",
                f"write it without spaces and with a colon: `#+{match.group(1).lower()}: …`",
            )  # fmt: skip


def _depth(document: Document) -> Iterator[Finding]:
    for heading in document.headings:
        if heading.level > DEEPEST:
            yield Finding(
                document.path, document.line(heading.pos), "error", "too-deep",
                f"headings nest {heading.level} deep, which Org cannot parse; {DEEPEST} is the limit",
            )  # fmt: skip
            return
    kinds = document.structure.kinds
    begun = sum(kind == "b" for kind in kinds) + sum(kind == "d" for kind in kinds)
    unclosed = sum(
        kind == "x" and bool(_DRAWER.match(line) or _BEGIN.match(line))
        for kind, line in zip(kinds, document.structure.lines, strict=True)
    )
    if unclosed > _MOST_OPEN or (begun > 2 * _MOST_OPEN and _nesting(document) > DEEPEST):
        yield Finding(
            document.path, 1, "error", "too-deep",
            "blocks or drawers open without end, which Org takes minutes to parse",
        )  # fmt: skip


def _nesting(document: Document) -> int:
    deepest = depth = 0
    for number, line in enumerate(document.structure.lines):
        kind = document.structure.kinds[number]
        if kind == "b":
            depth += 1 if _BEGIN.match(line) else -1
        elif kind == "d":
            depth += -1 if line.strip(" \t").upper() == ":END:" else 1
        deepest = max(deepest, depth)
    return deepest
