"""Markdown in an Org file: harmless to Org, and never what its writer meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.formats.org.document import Document

_KINDS = (
    (re.compile(r"[ \t]*(?:```|~~~)"), "a Markdown fence; write #+begin_src LANGUAGE … #+end_src"),
    (re.compile(r".*\[[^\]\[\n]+\]\(https?://[^)\s]+\)"), "a Markdown link; write [[URL][words]]"),
    (
        re.compile(r".*(?<![\w*])\*\*[^*\s][^*\n]*\*\*(?![\w*])"),
        "Markdown bold; in Org it is *bold*",
    ),
)
_HEADING = re.compile(r"#{2,6} \S")


def check(document: Document) -> Iterator[Finding]:
    """One warning for each kind of Markdown, at its first line."""
    kinds = document.structure.kinds
    seen: set[str] = set()
    for number, line in enumerate(document.structure.lines):
        if kinds[number] in "ofpPdbk-":
            continue
        if _HEADING.match(line) and "h" not in seen:
            seen.add("h")
            yield _finding(document, number, "a Markdown heading; in Org it is * Words")
        for pattern, what in _KINDS:
            if what not in seen and pattern.match(line):
                seen.add(what)
                yield _finding(document, number, what)


def _finding(document: Document, number: int, what: str) -> Finding:
    return Finding(document.path, number + 1, "warning", "markdown", f"this looks like {what}")
