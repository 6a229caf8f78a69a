"""Tags of a Markdown note: in the front matter in every form that people use, and inline."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from aikb.formats.markdown.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What ends a tag: white space and punctuation but for - _ /, also the wide one of Chinese and Japanese.
_STOP = (
    r"\s\x00-\x1f\x7f-\xa0!-,.:-@\[-^`{-~\u2000-\u206f\u2e00-\u2e7f\u3000-\u3004\u3008-\u303f"
    r"\uff00-\uff0f\uff1a-\uff20\uff3b-\uff3e\uff40\uff5b-\uff65\ufeff"
)
_INLINE = re.compile(rf"(?:(?<=\s)|^)#([^{_STOP}]+)((?:#[^{_STOP}]+)*)", re.MULTILINE)
_LINKED = re.compile(
    r"!?\[\[[^\[\]\n]*\]\]|\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+\"[^\"\n]*\")?\)"
)
_SEPARATORS = re.compile(r"[\s,]+")


def inline_tags(masked: str) -> Iterator[str]:
    """The ``#tags`` of a text in which code is blank (see :mod:`~aikb.formats.markdown.mask`).

    As Obsidian has it: a tag stands behind white space or another tag, and is no mere number.
    """
    if "#" not in masked:
        return
    if "[" in masked:
        masked = _LINKED.sub(
            lambda m: " " * len(m.group()) if "#" in m.group() else m.group(), masked
        )
    for match in _INLINE.finditer(masked):
        for name in (match.group(1), *match.group(2).split("#")):
            tag = clean(name)
            if tag and not tag.replace("/", "").isdecimal():
                yield tag


def listed_tags(texts: Iterable[str], *, single: bool) -> Iterator[str]:
    """The tags that a front matter's value names.

    A *single* text is separated by commas or spaces, and may look like a JSON list.  An element of a
    list is one tag; spaces in it become hyphens, since no tag has any.
    """
    for text in map(str.strip, texts):
        if text.startswith("[") and text.endswith("]"):
            parts = [part.strip().strip("\"'") for part in text[1:-1].split(",")]
        elif single:
            parts = _SEPARATORS.split(text)
        else:
            parts = text.split(",")
        for part in parts:
            if tag := clean("-".join(one_line(part).split())):
                yield tag


def clean(tag: str) -> str:
    """A tag without its marks and stray slashes, in composed form."""
    tag = tag.strip().lstrip("#").strip("/").strip()
    if "//" in tag:
        tag = re.sub("/{2,}", "/", tag)
    return tag if tag.isascii() else unicodedata.normalize("NFC", tag)


def unique(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags in order, each once: letters' case does not tell two tags apart, the first spelling stays."""
    seen: dict[str, str] = {}
    for tag in tags:
        seen.setdefault(tag.casefold(), tag)
    return tuple(seen.values())
