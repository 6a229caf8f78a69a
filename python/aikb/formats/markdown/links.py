"""Links of a Markdown note: ``[[wikilinks]]`` with alias, heading, block and path, and Markdown's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIKI = re.compile(
    r"(!?)\[\[([^\[\]\n|#^]*)((?:[#^][^\[\]\n|]*)?)(?:\\?\|((?:[^\[\]\n]|\[(?!\[)|\](?!\](?!\])))*))?\]\]"
)
_MARKDOWN = re.compile(
    r"(!?)\[([^\[\]\n]*(?:\[[^\[\]\n]*\][^\[\]\n]*)*)\]"
    r"\((?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*))(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//|#")
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


class NoteLink(NamedTuple):
    """A link as it is written: *target* is a name or path without heading or block, never empty.

    ``pos`` is its offset in the text; ``part`` is what follows ``#`` or ``^``, the mark included.
    """

    pos: int
    target: str
    part: str
    words: str
    embed: bool
    wiki: bool


def find_links(masked: str) -> Iterator[NoteLink]:
    """The links to other files in a text in which code is blank, in no particular order of kinds.

    Addresses with a scheme, and links to a part of the same note, lead to no other note.
    """
    if "[[" in masked:
        for match in _WIKI.finditer(masked):
            target = match.group(2).rstrip("\\").strip()
            if target and not _SCHEME.match(target):
                yield NoteLink(
                    match.start(), target, match.group(3), (match.group(4) or "").strip(),
                    bool(match.group(1)), wiki=True,
                )  # fmt: skip
    if "](" not in masked:
        return
    for match in _MARKDOWN.finditer(masked):
        whole = match.group(3) if match.group(3) is not None else match.group(4)
        if not whole or _SCHEME.match(whole):
            continue
        target, mark, part = whole.partition("#")
        target = _unescaped(target)
        if target:
            yield NoteLink(
                match.start(), target, mark + _unescaped(part), match.group(2).strip(),
                bool(match.group(1)), wiki=False,
            )  # fmt: skip


def _unescaped(text: str) -> str:
    if "%" not in text:
        return text
    return _ESCAPE.sub(
        lambda m: bytes.fromhex(m.group().replace("%", "")).decode("utf-8", "replace"), text
    )
