"""The nodes of an Org file: what ``org-roam-db-sync`` would store for it, without Emacs.

The regular expressions are Org 9.5's own (``org-property-drawer-re``, ``org-tag-line-re``,
``org-complex-heading-regexp`` …) put into Python, because "almost" loses nodes: a tab after a key,
a blank line before the drawer or a carriage return in it makes org-roam see no node at all.
Held to ``truth/*.json`` by ``tests/python/test_truth.py``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.org.links import display_format
from aikb.formats.org.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FOLD = re.IGNORECASE | re.MULTILINE
DRAWER = re.compile(
    r"[ \t]*:PROPERTIES:[ \t]*\n((?:[ \t]*:[^\s\u200b]+:(?: .*)?[ \t]*\n)*?)[ \t]*:END:[ \t]*$",
    _FOLD,
)
PROPERTY = re.compile(r"^[ \t]*:([^ \t\n\r\f\v]+?):(?:[ \t]+(.*?))?[ \t]*$", re.MULTILINE)
COMMENT = re.compile(r"[ \t]*#(?: .*)?(?:\n|$)", re.MULTILINE)
PLANNING = re.compile(r"[ \t]*(?:CLOSED:|DEADLINE:|SCHEDULED:).*\n?", re.IGNORECASE)
HEADING = re.compile(r"^(\*+) .*$", re.MULTILINE)
KEYWORD = re.compile(r"#\+(TITLE|FILETAGS|TODO|SEQ_TODO|TYP_TODO):(?!\S*:[ \t])(.*)", re.IGNORECASE)
_OPAQUE_START = re.compile(r"^[ \t]*(?:#\+begin[_: ]|\\begin\{)", _FOLD)
_BLANKS = re.compile(r"[ \f\t\r\v]+")
_TAGS = re.compile(r"^\*+ (?:.*[ \t])?:([\w@#%:]+):[ \t]*$")


class OrgNode(NamedTuple):
    """One node as org-roam sees it; ``pos`` and ``body`` are offsets into the text.

    ``properties`` has upper-case keys in file order: the first value of a key wins, ``KEY+`` is
    appended.  ``title`` is None where a file has no ``#+title``.
    """

    id: str
    pos: int
    level: int
    title: str | None
    tags: tuple[str, ...]
    properties: Mapping[str, str]
    body: int


class Keywords(NamedTuple):
    """A file's in-buffer settings that matter for nodes."""

    titles: tuple[str, ...]
    filetags: tuple[str, ...]
    todo: tuple[str, ...]


class OrgHeading(NamedTuple):
    """A heading line: where it begins and ends, and its depth."""

    pos: int
    end: int
    level: int


def read_properties(block: str) -> dict[str, str]:
    """The properties of a drawer's inside, as ``org-entry-get`` answers for each key.

    A key whose only value is ``nil`` is left out, as Org treats it.
    """
    first: dict[str, str] = {}
    added: dict[str, list[str]] = {}
    for line in block.split("\n"):
        head, _, rest = line.strip(" \t").partition(" ")
        if len(head) < 3 or head[0] != ":" or head[-1] != ":":
            continue
        key, value = head[1:-1].upper(), rest.strip(" \t")
        if key.endswith("+"):
            added.setdefault(key[:-1], []).append(value)
        else:
            first.setdefault(key, value)
    for key in added:
        first.setdefault(key, "nil")
    result = {}
    for key, value in first.items():
        values = [value] if value != "nil" else []
        values += added.get(key, ())
        if values and values != ["nil"]:
            result[key] = " ".join(values)
    return result


def read_keywords(text: str, structure: Structure | None = None) -> Keywords:
    """Titles, file tags and TODO words, wherever ``org-collect-keywords`` finds them."""
    titles: list[str] = []
    tags: list[str] = []
    todo: list[str] = []
    for match in KEYWORD.finditer(text):
        start = match.start()
        line_start = text.rfind("\n", 0, start) + 1
        if text[line_start:start].strip(" \t"):
            continue
        if _OPAQUE_START.search(text, 0, start):
            structure = structure or Structure(text)
            if structure.kind_at(start) != "k":
                continue
        key, value = match.group(1).upper(), match.group(2).strip(" \t\r")
        if key == "TITLE":
            titles.append(value)
        elif key == "FILETAGS":
            for word in _BLANKS.split(value):
                inner = word.removeprefix(":").removesuffix(":")
                tags += inner.split(":") if inner else []
        else:
            todo += [word.partition("(")[0] for word in value.split() if word != "|"]
    return Keywords(tuple(titles), tuple(tags), tuple(todo) or ("TODO", "DONE"))


def read_headings(text: str) -> list[OrgHeading]:
    """Every heading; inside a source block too, because Org reads them there as well."""
    return [
        OrgHeading(match.start(), match.end(), len(match.group(1)))
        for match in HEADING.finditer(text)
    ]


def heading_tags(text: str, heading: OrgHeading) -> tuple[str, ...]:
    """A heading's own tags."""
    line = text[heading.pos : heading.end]
    if not line.rstrip(" \t").endswith(":"):
        return ()
    own = _TAGS.match(line)
    return tuple(tag for tag in own.group(1).split(":") if tag) if own else ()


def heading_title(text: str, heading: OrgHeading, todo: tuple[str, ...]) -> str | None:
    """A heading's words without TODO word, priority, tags and link syntax; None if none are left."""
    parts = _heading_pattern(todo).match(text[heading.pos : heading.end])
    title = parts.group(2) if parts else None
    return title and display_format(title)


@cache
def _heading_pattern(todo: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in todo)
    return re.compile(
        rf"^(\*+)(?: +(?:{words})(?=[ \t]|$))?(?: +\[#.\])?(?: +(.*?))??"
        r"(?:[ \t]+:[\w@#%:]+:)?[ \t]*$"
    )


def file_drawer(text: str) -> re.Match[str] | None:
    """The file's property drawer: at the very top, or below comment lines."""
    pos = 0
    while (comment := COMMENT.match(text, pos)) and comment.end() > pos:
        pos = comment.end()
    return DRAWER.match(text, pos)


def heading_drawer(text: str, heading: OrgHeading) -> re.Match[str] | None:
    """A heading's property drawer: on the next line, or after one planning line."""
    pos = heading.end + 1
    if text[pos : pos + 1] in " \tCDScds":
        planning = PLANNING.match(text, pos)
        pos = planning.end() if planning else pos
    return DRAWER.match(text, pos) if text[pos : pos + 1] in " \t:" else None


def is_node(properties: Mapping[str, str]) -> bool:
    """Whether org-roam takes an entry with these properties as a node."""
    return bool(properties.get("ID", "").strip()) and "ROAM_EXCLUDE" not in properties


def read_nodes(text: str) -> list[OrgNode]:
    """All nodes of *text* (decoded, see :mod:`aikb.formats.org.decode`), file node first.

    The common file, one drawer and no heading with an id, is answered without looking at headings:
    this is what a cold index of 10,000 notes spends its time on.
    """
    nodes = []
    keywords = read_keywords(text)
    drawer = None if _starts_with_heading(text) else file_drawer(text)
    if drawer:
        properties = read_properties(drawer.group(1))
        if is_node(properties):
            title = display_format(keywords.titles[0]) if keywords.titles else None
            nodes.append(
                OrgNode(properties["ID"], 0, 0, title, keywords.filetags, properties, drawer.end())
            )
    if _may_have_ids(text, drawer.end() if drawer else 0):
        nodes.extend(_heading_nodes(text, keywords))
    return nodes


def _may_have_ids(text: str, start: int) -> bool:
    """Whether another ``:ID:`` stands behind an offset; a plain search is ten times a pattern's."""
    return any(text.find(key, start) >= 0 for key in (":ID:", ":id:", ":Id:", ":iD:"))


def _starts_with_heading(text: str) -> bool:
    return text.startswith("*") and HEADING.match(text) is not None


def _heading_nodes(text: str, keywords: Keywords) -> Iterator[OrgNode]:
    ancestors: list[OrgHeading] = []
    for heading in read_headings(text):
        while ancestors and ancestors[-1].level >= heading.level:
            ancestors.pop()
        ancestors.append(heading)
        drawer = heading_drawer(text, heading)
        if not drawer:
            continue
        properties = read_properties(drawer.group(1))
        if not is_node(properties):
            continue
        title = heading_title(text, heading, keywords.todo)
        if title is None:
            continue
        tags = [*keywords.filetags, *(t for h in ancestors for t in heading_tags(text, h))]
        yield OrgNode(
            properties["ID"],
            heading.pos,
            heading.level,
            title,
            tuple(dict.fromkeys(reversed(tags)))[::-1],
            properties,
            drawer.end(),
        )
