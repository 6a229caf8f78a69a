"""The shape of a node: a drawer that Org sees, one id, one title (ai-kb.org, "Node format")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.lookalike import mixed_word
from aikb.formats.org.nodes import (
    COMMENT,
    DRAWER,
    HEADING,
    file_drawer,
    heading_drawer,
    heading_title,
    is_node,
    read_properties,
)
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from aikb.formats.org.document import Document

UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_ANY_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}", re.IGNORECASE)
_NEARLY_ID = re.compile(r"\W*(?:I\W*D?|D|IDD|IID|DI|.ID|ID.|I.D)\W*")
_HEAD = re.compile(r"[ \t]*(?:[*#:]|$)")
_ID = re.compile(r"^[ \t]*:?ID:?[ \t]+(\S.*?)[ \t]*$|^[ \t]*:ID:[ \t]*$", re.IGNORECASE)
_DRAWER_START = re.compile(r"[ \t]*\S*:PROPERTIES:", re.IGNORECASE)
_DRAWER_LINE = re.compile(r"[ \t]*:[^\s\u200b]+:(?: .*)?[ \t]*$")
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]+")
_TITLE_ATTEMPT = re.compile(r"^[ \t]*#[ \t]*\+?[ \t]*title\b", re.IGNORECASE)
_CURE = "the file must begin with :PROPERTIES:, :ID: and a UUID, :END:, each on its own line"


def check(document: Document) -> Iterator[Finding]:
    """Findings about the file's name, its drawers, ids and title."""
    yield from _file_name(document.path)
    yield from _drawers(document)
    yield from _ids(document)
    yield from _titles(document)


def _file_name(path: str) -> Iterator[Finding]:
    name = path.rpartition("/")[2]
    if word := mixed_word(path):
        yield Finding(
            path, 1, "warning", "look-alike",
            f"'{word}' in the file's name mixes letters that look alike; people take it for another",
        )  # fmt: skip
    if not _NAME.fullmatch(name) or name != name.strip():
        yield Finding(
            path.replace("\n", " "), 1, "error", "file-name",
            "this name breaks tools that list files; use letters, digits, - and _",
        )  # fmt: skip
    elif name.startswith("-"):
        yield Finding(
            path, 1, "warning", "file-name",
            "programs take a name that begins with - for an option; begin with a letter or a digit",
        )  # fmt: skip
    elif "/" not in path and (name == "index.org" or name.startswith("index-")):
        yield Finding(
            path, 1, "error", "reserved-name",
            "index*.org are generated pages; give the note another file name",
        )  # fmt: skip


def _drawers(document: Document) -> Iterator[Finding]:
    """Say why org-roam sees no node here, or not all of them."""
    text, path = document.text, document.path
    if not document.nodes:
        line, why = _why_no_node(document)
        yield Finding(path, line, "error", "no-node", f"org-roam sees no node here: {why}")
        return
    lines, kinds = document.structure.lines, document.structure.kinds
    for number, words in enumerate(lines):
        if kinds[number] in "xdi" and _ID.match(words) and _near_drawer(lines, number):
            yield Finding(
                path, number + 1, "error", "unseen-id",
                "Org does not see this id: a drawer stands right below its heading (or at the "
                "file's top), every line is `:KEY: value`, and :END: closes it",
            )  # fmt: skip
    first = None if text.startswith("*") and HEADING.match(text) else file_drawer(text)
    if first and document.nodes[0].level:
        yield from _hidden(document, first, read_properties(first.group(1)))
    if first and first.start() and not document.nodes[0].level:
        yield Finding(
            path, document.line(first.start()), "warning", "drawer-not-first",
            "the drawer should be the first thing in the file",
        )  # fmt: skip


def _near_drawer(lines: list[str], number: int) -> bool:
    """Whether a line that looks like an id was meant to stand in a drawer, and is no prose."""
    above = lines[max(0, number - 6) : number]
    if not any(map(_DRAWER_START.match, above)):
        return lines[number].lstrip(" \t").startswith(":") and bool(
            _HEAD.match(above[-1] if above else "")
        )
    return lines[number].lstrip(" \t").startswith(":") or bool(_ANY_UUID.search(lines[number]))


def _why_no_node(document: Document) -> tuple[int, str]:
    lines, text = document.structure.lines, document.text
    starts = [n for n, line in enumerate(lines) if _DRAWER_START.match(line)]
    drawer = None if text.startswith("*") and HEADING.match(text) else file_drawer(text)
    if drawer:
        return _why_drawer_has_no_id(document, drawer)
    if not starts:
        return 1, f"there is no property drawer; {_CURE}"
    start = starts[0]
    if lines[start].strip(" \t").upper() != ":PROPERTIES:":
        return start + 1, f"':PROPERTIES:' must stand alone on its line; {_CURE}"
    if bad := _bad_drawer_line(lines, start):
        return bad
    heading = next((h for h in document.headings if document.line(h.pos) <= start), None)
    if heading:
        return start + 1, "the drawer must stand right below its heading"
    above = next((n for n, line in enumerate(lines[:start]) if not COMMENT.fullmatch(line)), 0)
    what = "a blank line" if not lines[above].strip() else "other text"
    return start + 1, f"{what} stands above the drawer; move the drawer to the first line"


def _bad_drawer_line(lines: list[str], start: int) -> tuple[int, str] | None:
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.strip(" \t").upper() == ":END:":
            return None
        if not line.strip():
            return number + 1, "a blank line inside the drawer ends it; remove the line"
        if line.lstrip(" \t").upper().startswith(":END:"):
            return number + 1, "':END:' must stand alone on its line"
        if "\t" in line and _DRAWER_LINE.match(line.replace("\t", " ")):
            return number + 1, "a tab stands behind the key; put a space there"
        if not _DRAWER_LINE.match(line):
            if line.startswith(("#+", "*")):
                return number + 1, "the drawer is not closed; put a line ':END:' above this one"
            return number + 1, "every line of the drawer must be `:KEY: value`"
    return start + 1, "the drawer is not closed; put a line ':END:' below its properties"


def _why_drawer_has_no_id(document: Document, drawer: re.Match[str]) -> tuple[int, str]:
    properties = read_properties(drawer.group(1))
    line = document.line(drawer.start())
    if "ID" not in properties:
        return line, "the drawer has no :ID:; put one in (uuidgen, or /proc/sys/kernel/random/uuid)"
    if not properties["ID"].strip():
        return (
            line,
            "the :ID: is empty; put a UUID there (uuidgen, or /proc/sys/kernel/random/uuid)",
        )
    return line, ":ROAM_EXCLUDE: hides it; remove that property, or keep the file elsewhere"


def _ids(document: Document) -> Iterator[Finding]:
    text, path = document.text, document.path
    seen: dict[str, int] = {}
    for node in document.nodes:
        drawer = DRAWER.search(text, node.pos)
        start = drawer.start() if drawer else node.pos
        lines = text[start : node.body].split("\n")
        places = [
            n for n, line in enumerate(lines) if line.lstrip(" \t").upper().startswith(":ID:")
        ]
        line = document.line(start) + (places[0] if places else 0)
        if len(places) > 1:
            yield Finding(
                path, line + places[1] - places[0], "error", "id-twice",
                "a second :ID: in one drawer; Emacs takes the first, remove the other",
            )  # fmt: skip
        if not UUID.fullmatch(node.id.lower()):
            yield Finding(
                path, line, "error", "id-not-uuid",
                f"the id '{node.id[:60]}' is no UUID; make one with "
                "uuidgen, or take /proc/sys/kernel/random/uuid",
            )  # fmt: skip
        elif node.id != node.id.lower():
            yield Finding(
                path, line, "warning", "id-uppercase",
                "links to this id must be written in capitals too; lower case is usual",
            )  # fmt: skip
        if node.id in seen:
            yield Finding(
                path, line, "error", "duplicate-id",
                f"the id {node.id} stands in line {seen[node.id]} already; make a new one",
            )  # fmt: skip
        seen.setdefault(node.id, line)
    yield from _headings(document)


def _headings(document: Document) -> Iterator[Finding]:
    for heading in document.headings:
        line = document.text[heading.pos : heading.end]
        number = document.line(heading.pos)
        drawer = heading_drawer(document.text, heading)
        title = heading_title(document.text, heading, document.keywords.todo)
        properties = read_properties(drawer.group(1)) if drawer else {}
        if drawer and not is_node(properties):
            yield from _hidden(document, drawer, properties)
            for key, value in properties.items():
                if key != "ID" and _NEARLY_ID.fullmatch(key) and _ANY_UUID.match(value):
                    yield Finding(
                        document.path, document.line(drawer.start()), "error", "unseen-id",
                        f"':{key}:' has a UUID, and Org knows only `:ID:`; mend it, or use another key",
                    )  # fmt: skip
        if title is None and is_node(properties):
            yield Finding(
                document.path, number, "error", "heading-without-title",
                "a heading with an id needs words; org-roam drops the whole file",
            )  # fmt: skip
        if re.search(r"\s:[^\s:]+:(?:[^\s:]*:)*[ \t]*$", line) and re.search(
            r"(?:^|\s):(?:[\w@#%]*:)*[\w@#%]*[^\w@#%:\s][^\s:]*:(?=\s|$|\S*:)", line
        ):
            yield Finding(
                document.path, number, "error", "heading-tag",
                "a tag may have letters, digits and _ @ # % only, all tags in one `:a:b:`",
            )  # fmt: skip
        elif re.search(r":[\w@#%]+:[ \t]+:[\w@#%:]+:[ \t]*$", line):
            yield Finding(
                document.path, number, "error", "heading-tag", "write all tags in one `:a:b:`"
            )
        if re.match(r"\*+ (?:[A-Z]+ )?\[#(?!.\])[^\]\n]*\]", line):
            yield Finding(
                document.path, number, "error", "priority",
                "a priority is one character: [#A]; what stands here becomes part of the title",
            )  # fmt: skip


def _hidden(
    document: Document, drawer: re.Match[str], properties: Mapping[str, str]
) -> Iterator[Finding]:
    """Findings about a drawer that Org reads and in which org-roam sees no node."""
    for place, line in enumerate(document.text[drawer.start() : drawer.end()].split("\n")):
        number = document.line(drawer.start()) + place
        if line.lstrip(" \t").upper().startswith(":ID:"):
            if properties.get("ID", "").strip():
                yield Finding(
                    document.path, number, "warning", "excluded",
                    "org-roam does not see this node, because :ROAM_EXCLUDE: hides it",
                )  # fmt: skip
            else:
                yield Finding(
                    document.path, number, "error", "empty-id",
                    "the :ID: is empty; put a UUID there ( "
                    "uuidgen, or /proc/sys/kernel/random/uuid), or remove the line",
                )  # fmt: skip
            return


def _titles(document: Document) -> Iterator[Finding]:
    if not document.nodes or document.nodes[0].level:
        return
    titles, path = document.keywords.titles, document.path
    lines = document.structure.lines
    attempts = [n for n, line in enumerate(lines) if _TITLE_ATTEMPT.match(line)]
    if not titles:
        line = attempts[0] + 1 if attempts else 1
        yield Finding(
            path, line, "error", "no-title",
            "the node has no title and goes by its file name; write `#+title: Words`",
        )  # fmt: skip
    elif word := mixed_word(titles[0]):
        yield Finding(
            path, attempts[0] + 1 if attempts else 1, "warning", "look-alike",
            f"'{word}' in the title mixes letters that look alike; people take it for another",
        )  # fmt: skip
    elif not titles[0].strip():
        yield Finding(path, attempts[0] + 1, "error", "empty-title", "the title is empty")
    elif len(titles) > 1:
        yield Finding(
            path, attempts[-1] + 1, "error", "two-titles",
            "org-roam 2.2 takes the first title, 2.3 joins them; keep one",
        )  # fmt: skip
