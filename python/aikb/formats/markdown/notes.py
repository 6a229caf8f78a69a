"""A Markdown file as a note, in the words that all formats share."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from aikb.formats.markdown.plain import one_line
from aikb.formats.markdown.tags import inline_tags, listed_tags, unique
from aikb.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable

    from aikb.formats.markdown.document import MarkdownDocument
    from aikb.formats.markdown.front import FrontMatter

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_SEPARATORS = re.compile(r"[\s,]+")
CREATED = ("created", "date created", "date")
UPDATED = ("updated", "date modified", "modified", "lastmod")


def read_note(document: MarkdownDocument, summarise: Callable[[str], str]) -> Note:
    """The one note in a file.  Its id is its path without the suffix: a vault gives notes no other."""
    front = document.front
    return Note(
        id=id_of(document.path),
        path=document.path,
        line=1,
        level=0,
        title=document.title,
        tags=tags_of(document),
        projects=words(front, "projects", "project"),
        status=front.first("status").strip().lower().partition(" ")[0] or "current",
        created=first_date(front.first(*CREATED)),
        updated=first_date(front.first(*UPDATED)),
        source=one_line(front.first("source")),
        summary=summarise(document.opening or one_line(front.first("description"))),
        type=front.first("type").strip().lower(),
    )


def id_of(path: str) -> str:
    """A note's id from its path; `a.MD` is another note than `a.md`."""
    return path.removesuffix(".md")


def name_of(path: str) -> str:
    """A note's file name without folder and suffix: what a wikilink calls it."""
    return posixpath.basename(path).rpartition(".")[0]


def tags_of(document: MarkdownDocument) -> tuple[str, ...]:
    """The tags of the front matter, then the inline ones, each once."""
    values = document.front.values
    listed = [
        tag
        for key in ("tags", "tag")
        if key in values
        for tag in listed_tags(values[key], single=key not in document.front.lists)
    ]
    return unique([*listed, *inline_tags(document.masked)])


def words(front: FrontMatter, *keys: str) -> tuple[str, ...]:
    """The words under the first of these keys that has any: a list, or separated by commas or spaces."""
    for key in keys:
        texts = front.values.get(key, ())
        found = [w.strip("\"'[]#") for text in texts for w in _SEPARATORS.split(text)]
        if any(found):
            return tuple(dict.fromkeys(w for w in found if w))
    return ()


def first_date(value: str) -> str:
    """The ISO date in a value, or an empty string."""
    match = _DATE.search(value)
    return match.group() if match else ""
