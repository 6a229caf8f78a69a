"""Org markup to plain words: what a summary or a table cell may show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.org.links import BRACKET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FOOTNOTE = re.compile(r"\[fn:[^\[\]]*\]")
_EMPHASIS = re.compile(r"(?<![^\s\-('\"{])([*/_+=~])(?=\S)(.+?)(?<=\S)\1(?![^\s\-.,:!?;'\")}\\\[])")
_MACRO = re.compile(r"\{\{\{.*?\}\}\}|<<.*?>>|@@[-\w]+:.*?@@|\\\\$")
_TIMESTAMP = re.compile(r"[<\[](\d{4}-\d\d-\d\d[^>\]\n]*)[>\]]")
_BULLET = re.compile(r"[ \t]*(?:[-+]|[ \t]\*|\d+[.)])[ \t]+(?:\[[ X-]\][ \t]+)?")
_BLOCK = re.compile(r"[ \t]*#\+begin_(src|example|export|comment)\b", re.IGNORECASE)
_BLOCK_END = re.compile(r"[ \t]*#\+end_(src|example|export|comment)\b", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:[\w-]+:[ \t]*$")
_SKIPPED = re.compile(
    r"[ \t]*(?:#(?:\+| |$)|:(?: |$)|\||-{5,}[ \t]*$|\[fn:[^\]]+\] "
    r"|(?:CLOSED|DEADLINE|SCHEDULED|CLOCK):|%%\()"
)
_HEADING = re.compile(r"(\*+) ")
_FEW_CHARACTERS = 320
_MOST_CHARACTERS = 1_000  # of one long line: emphasis that never closes is slow to look for


def plain_text(text: str) -> str:
    """*text* without markup: links by their words, no footnotes, white space folded."""
    if "[" in text:
        text = BRACKET.sub(_words_of_link, text)
        text = _FOOTNOTE.sub("", text)
        text = _TIMESTAMP.sub(r"\1", text)
    if "<" in text:
        text = _TIMESTAMP.sub(r"\1", text)
    if "{{{" in text or "<<" in text or "@@" in text or text.endswith("\\\\"):
        text = _MACRO.sub("", text)
    for _ in range(3):  # emphasis nests: */both/*
        stripped = _EMPHASIS.sub(r"\2", text)
        if stripped == text:
            break
        text = stripped
    return " ".join(text.split())


def _words_of_link(match: re.Match[str]) -> str:
    target, words = match.group(1), match.group(2)
    if words:
        return words
    return "" if target.startswith("id:") else target


def opening(text: str, start: int, level: int) -> str:
    """The first paragraph below a node, as plain text, at most some 300 characters.

    *start* is the offset behind the node's drawer.  A file's text may begin under a heading; a
    heading's text ends at the next heading of its depth.
    """
    return plain_text(" ".join(_paragraph(_lines_from(text, start), level))[:_MOST_CHARACTERS])


def _lines_from(text: str, start: int) -> Iterator[str]:
    """The lines behind the one at *start*, one by one: most notes are asked for three."""
    end = text.find("\n", start)
    while end >= 0:
        start = end + 1
        end = text.find("\n", start)
        yield text[start:end] if end >= 0 else text[start:]


def _paragraph(lines: Iterable[str], level: int) -> Iterator[str]:
    length = 0
    for line in _text_lines(lines, level):
        if not line:
            if length:
                return
            continue
        bullet = _BULLET.match(line)
        if bullet and length:
            return
        words = line[bullet.end() :] if bullet else line
        yield words.strip()
        length += len(words)
        if length > _FEW_CHARACTERS:
            return


def _text_lines(lines: Iterable[str], level: int) -> Iterator[str]:
    """Lines of running text; an empty string wherever a paragraph would end."""
    closing: re.Pattern[str] | None = None
    for line in lines:
        if closing:
            closing = None if closing.match(line) else closing
            continue
        stripped = line.strip(" \t")
        if not stripped:
            yield ""
        elif stripped[0] in "#:|-[CDS%" and _SKIPPED.match(line):
            yield ""
            if _BLOCK.match(line):
                closing = _BLOCK_END
        elif stripped[0] == ":" and _DRAWER.match(line):
            yield ""
            if stripped.upper() != ":END:":
                closing = re.compile(r"[ \t]*:END:[ \t]*$", re.IGNORECASE)
        elif line[0] == "*" and (heading := _HEADING.match(line)):
            if level and len(heading.group(1)) <= level:
                return
            yield ""
        else:
            yield line
