"""What stands in a node's drawer and tags: the design's properties and org-roam's own."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from aikb.config import STATUSES
from aikb.formats.org.notes import split_words
from aikb.formats.org.roam import read_refs, split_and_unquote
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aikb.formats.org.document import Document
    from aikb.formats.org.nodes import OrgNode

_EXPECTED = ("PROJECTS", "CREATED", "UPDATED", "SOURCE", "STATUS")
_TAG = re.compile(r"[\w@#%]+")
_SLUG = re.compile(r"[\w][\w.+-]*")
_DATE = re.compile(r"[\[<]?(\d{4})-(\d\d)-(\d\d)(?:[ T][^\]>]*)?[\]>]?")
_FILETAGS = re.compile(r"[ \t]*#\+filetags:(.*)", re.IGNORECASE)
_FILETAGS_ATTEMPT = re.compile(r"(?:^\W{0,3}#|#\+)([^\s:]?[^:\n]{5,10}):")
_NO_LETTER = re.compile(r"[^A-Za-z]+")
_ALIKE = 0.8


def check(document: Document, types: Sequence[str]) -> Iterator[Finding]:
    """Findings about tags, projects, dates, status, aliases and references."""
    yield from _file_tags(document, types)
    for node in document.nodes:
        for key, value in node.properties.items():
            line = line_of(document, node, key)
            for severity, code, message in _value(key, value):
                yield Finding(document.path, line, severity, code, message)  # type: ignore[arg-type]
        if not node.level:
            missing = [key for key in _EXPECTED if not node.properties.get(key)]
            if missing:
                yield Finding(
                    document.path, 1, "warning", "missing-property",
                    f"the drawer lacks {', '.join(f':{key}:' for key in missing)}",
                )  # fmt: skip


def line_of(document: Document, node: OrgNode, key: str) -> int:
    """The line, from 1, of a node's property."""
    start = document.line(node.pos)
    end = document.line(node.body)
    for number in range(start, end + 1):
        line = document.structure.lines[number - 1].lstrip(" \t").upper()
        if line.startswith((f":{key}:", f":{key}+:")):
            return number
    return start


def _value(key: str, value: str) -> Iterator[tuple[str, str, str]]:
    if key in {"CREATED", "UPDATED", "LAST_CURATED"}:
        if value and not is_date(value):
            yield "error", "bad-date", f":{key}: '{value[:40]}' is no date; write YYYY-MM-DD"
    elif key == "STATUS":
        if value and value.strip().lower() not in STATUSES:
            yield "error", "bad-status", f"'{value[:40]}' is none of {', '.join(STATUSES)}"
    elif key == "PROJECTS":
        for word in split_words(value):
            if not _SLUG.fullmatch(word):
                yield (
                    "error", "bad-project",
                    f"'{word[:40]}' is no project slug; use letters, digits, - and _",
                )  # fmt: skip
                return
    elif key in {"ROAM_ALIASES", "ROAM_REFS"}:
        yield from _quoted(key, value)


def _quoted(key: str, value: str) -> Iterator[tuple[str, str, str]]:
    """Values that org-roam reads with ``split-string-and-unquote``: one odd quote drops the file."""
    if split_and_unquote(value) is None:
        yield (
            "error", "unbalanced-quote",
            f":{key}: has a quote that is never closed; org-roam drops the whole file",
        )  # fmt: skip
    elif key == "ROAM_REFS" and (wrong := read_refs(value)[1]):
        yield (
            "warning", "bad-reference",
            f"org-roam ignores the reference '{wrong[0][:40]}'; write a URL or @key",
        )  # fmt: skip


def is_date(value: str) -> bool:
    """Whether a value is a day of the calendar, bare or as an Org timestamp."""
    match = _DATE.fullmatch(value.strip())
    if not match:
        return False
    try:
        date(*map(int, match.groups()))
    except ValueError:
        return False
    return True


def _file_tags(document: Document, types: Sequence[str]) -> Iterator[Finding]:
    path = document.path
    for number, line in enumerate(document.structure.lines):
        match = _FILETAGS.match(line)
        if not match or document.structure.kinds[number] != "k":
            continue
        for word in re.split(r"[ \f\t\r\v]+", match.group(1)):
            if "::" in word:
                yield Finding(
                    path, number + 1, "error", "bad-tag",
                    "'::' makes a tag without a name; write :one:two:",
                )  # fmt: skip
            for tag in word.split(":"):
                if tag and not _TAG.fullmatch(tag):
                    yield Finding(
                        path, number + 1, "error", "bad-tag",
                        f"'{tag[:40]}' is no tag; use letters, digits and _ @ # % "
                        "(no hyphen, no comma), as in :one:two:",
                    )  # fmt: skip
    file_node = document.nodes[0] if document.nodes else None
    attempt = _tags_attempt(document)
    if attempt is not None:
        yield Finding(
            path, attempt + 1, "error", "keyword-syntax",
            "Org reads no tags here; write `#+filetags: :one:two:`",
        )  # fmt: skip
    elif file_node and not file_node.level and not set(file_node.tags) & set(types):
        yield Finding(
            path, 1, "warning", "no-type",
            f"no type among the tags; add one: {', '.join(types)}",
        )  # fmt: skip


def _tags_attempt(document: Document) -> int | None:
    """The line that was meant to have the file's tags, where Org reads none."""
    if document.keywords.filetags:
        return None
    for number, line in enumerate(document.structure.lines):
        if "#" not in line or document.structure.kinds[number] in "ofb" or _FILETAGS.match(line):
            continue
        for attempt in _FILETAGS_ATTEMPT.finditer(line):
            if _alike(_NO_LETTER.sub("", attempt.group(1)).lower()):
                return number
    return None


def _alike(word: str) -> bool:
    from difflib import SequenceMatcher  # late: hardly any file has such a line

    return word == "filetags" or SequenceMatcher(None, word, "filetags").ratio() > _ALIKE
