"""Org text made and changed: a new node's text, and edits that keep every other byte."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.org.nodes import (
    HEADING,
    PROPERTY,
    OrgNode,
    file_drawer,
    heading_drawer,
    heading_tags,
    heading_title,
    read_headings,
    read_keywords,
    read_properties,
)
from aikb.formats.org.notes import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.model import Draft

_WIDTH = 10
HEAD_LINE = re.compile(r"[ \t]*(?:#\+[^\s:]+:.*|# .*|#|)(?:\n|$)")
TITLE = re.compile(r"^([ \t]*#\+title:[ \t]*)(.*?)([ \t]*)$", re.IGNORECASE | re.MULTILINE)
FILETAGS = re.compile(r"^([ \t]*#\+filetags:)([ \t]*)(.*?)([ \t]*)$", re.IGNORECASE | re.MULTILINE)
LOGBOOK = re.compile(
    r"[ \t]*:LOGBOOK:[ \t]*\n((?:(?!\*+ ).*\n)*?)[ \t]*:END:[ \t]*(?:\n|$)", re.IGNORECASE
)


def property_line(key: str, value: str) -> str:
    """One line of a drawer, values aligned as org-roam users write them."""
    return f"{f':{key}:':<{_WIDTH}} {value}\n"


def join_words(words: Iterable[str]) -> str:
    """``("a", "b")`` as ``:a:b:``, the form of file tags."""
    return f":{':'.join(words)}:"


def join_projects(words: Iterable[str]) -> str:
    """``("a", "b")`` as ``:a: :b:``, the form of the PROJECTS property."""
    return " ".join(f":{word}:" for word in words)


def render_node(draft: Draft, note_id: str, today: str) -> str:
    """The text of a new node (ai-kb.org, "Node format and conventions")."""
    tags = dict.fromkeys((draft.type, *draft.tags))
    lines = [
        ":PROPERTIES:\n",
        property_line("ID", note_id),
        property_line("PROJECTS", join_projects(dict.fromkeys(draft.projects))),
        property_line("CREATED", today),
        property_line("UPDATED", today),
        property_line("SOURCE", draft.source or f"chat {today}"),
        property_line("STATUS", "current"),
        ":END:\n",
        f"#+title: {draft.title}\n",
        f"#+filetags: {join_words(tag for tag in tags if tag)}\n",
    ]
    body = draft.body.strip("\n")
    if body:
        lines += ["\n", body, "\n"]
    return "".join(lines)


class Edit:
    """Changes to one node of a text; each method changes exactly what it names."""

    def __init__(self, text: str, node: OrgNode) -> None:
        self.text = text
        self._id = node.id
        self._level = node.level

    def _drawer(self) -> re.Match[str]:
        drawer = file_drawer(self.text) if not self._level else None
        for heading in read_headings(self.text) if self._level else ():
            found = heading_drawer(self.text, heading)
            if heading.level != self._level or not found or self._id not in found.group(1):
                continue
            if read_properties(found.group(1)).get("ID") == self._id:
                drawer = found
                break
        if drawer is None:
            raise LookupError(self._id)
        return drawer

    def _heading(self) -> re.Match[str]:
        found: re.Match[str] | None = None
        for match in HEADING.finditer(self.text, 0, self._drawer().start()):
            found = match
        if found is None:
            raise LookupError(self._id)
        return found

    def _replace(self, start: int, end: int, new: str) -> None:
        self.text = self.text[:start] + new + self.text[end:]

    def set_property(self, key: str, value: str) -> None:
        """Give a property a value: in its own line, or in a new one at the drawer's end."""
        drawer = self._drawer()
        for match in PROPERTY.finditer(self.text, drawer.start(1), drawer.end(1)):
            if match.group(1).upper() == key:
                if match.group(2) is None:
                    self._replace(match.start(1), match.end(), f"{match.group(1)}: {value}")
                else:
                    self._replace(match.start(2), match.end(2), value)
                return
        self._add_lines(property_line(key, value))

    def set_lines(self, key: str, values: Iterable[str]) -> None:
        """Give a property these values, one a line (``:KEY:``, ``:KEY+:`` …); none: take it away."""
        drawer = self._drawer()
        for match in reversed(list(PROPERTY.finditer(self.text, drawer.start(1), drawer.end(1)))):
            if match.group(1).upper().removesuffix("+") == key:
                start = self.text.rfind("\n", 0, match.start(1)) + 1
                self._replace(start, match.end() + 1, "")
        for place, value in enumerate(values):
            self._add_lines(property_line(f"{key}+" if place else key, value))

    def _add_lines(self, lines: str) -> None:
        drawer = self._drawer()
        first = drawer.group()
        indent = first[: len(first) - len(first.lstrip(" \t"))]
        self._replace(drawer.end(1), drawer.end(1), indent + lines)

    def set_title(self, title: str) -> None:
        """Change the title: the first ``#+title``, or the words of the heading."""
        if self._level:
            heading = self._heading()
            head = read_headings(self.text[heading.start() : heading.end()])[0]
            todo = read_keywords(self.text).todo
            old = heading_title(heading.group(), head, todo) or ""
            start = heading.start() + heading.group().rfind(old)
            self._replace(start, start + len(old), title)
            return
        match = TITLE.search(self.text, self._drawer().end())
        if match is not None:
            self._replace(match.start(2), match.end(2), title)
        else:
            at = self._drawer().end() + 1
            self._replace(at, at, f"#+title: {title}\n")

    def change_tags(self, add: Iterable[str], remove: Iterable[str]) -> None:
        """Add and remove tags of the node's own."""
        add, remove = tuple(add), set(remove)
        if self._level:
            self._change_heading_tags(add, remove)
            return
        present = read_keywords(self.text).filetags
        new = [tag for tag in add if tag not in present and tag not in remove]
        matches = list(FILETAGS.finditer(self.text, self._drawer().end()))
        for place, match in reversed(list(enumerate(matches))):
            old = [t for word in match.group(3).split() for t in word.split(":") if t]
            kept = [tag for tag in old if tag not in remove] + (new if place == 0 else [])
            if kept == old:
                continue
            self._replace(match.start(3), match.end(3), join_words(kept) if kept else "")
            if not match.group(2):
                self._replace(match.end(1), match.end(1), " ")
        if not matches and new:
            title = TITLE.search(self.text, self._drawer().end())
            at = (title or self._drawer()).end() + 1
            self._replace(at, at, f"#+filetags: {join_words(new)}\n")

    def _change_heading_tags(self, add: tuple[str, ...], remove: set[str]) -> None:
        heading = self._heading()
        head = read_headings(heading.group())[0]
        old = heading_tags(heading.group(), head)
        kept = [tag for tag in old if tag not in remove]
        kept += [tag for tag in add if tag not in kept]
        line = heading.group().rstrip(" \t")
        if old:
            line = line[: line.rfind(join_words(old))].rstrip(" \t")
        self._replace(
            heading.start(), heading.end(), f"{line} {join_words(kept)}" if kept else line
        )

    def change_projects(self, add: Iterable[str], remove: Iterable[str]) -> None:
        """Add and remove projects; the property keeps its order."""
        drawer, gone = self._drawer(), set(remove)
        old: tuple[str, ...] = ()
        for match in PROPERTY.finditer(self.text, drawer.start(1), drawer.end(1)):
            if match.group(1).upper() == "PROJECTS":
                old = split_words(match.group(2) or "")
                break
        kept = [word for word in old if word not in gone]
        kept += [word for word in add if word not in kept]
        if kept != list(old):
            self.set_property("PROJECTS", join_projects(kept))

    def log(self, entry: str) -> None:
        """Add a line to the node's history, newest first: the ``LOGBOOK`` drawer that Org folds."""
        start = self._head_end()
        item = f"- {entry}\n"
        if book := LOGBOOK.match(self.text, start):
            self._replace(book.start(1), book.start(1), item)
            return
        before, after = self.text[:start], self.text[start:]
        if not before.endswith("\n"):
            before += "\n"
        if not self._level and not before.endswith("\n\n"):
            before += "\n"
        gap = "\n" if after and not self._level and after[0] != "\n" else ""
        self.text = f"{before}:LOGBOOK:\n{item}:END:\n{gap}{after}"

    def body(self) -> tuple[int, int]:
        """Where the node's body begins and ends; its history stands above it."""
        start = self._head_end()
        if book := LOGBOOK.match(self.text, start):
            start = book.end()
            while not self._level and self.text.startswith("\n", start):
                start += 1
        if self._level:
            for match in HEADING.finditer(self.text, start):
                if len(match.group(1)) <= self._level:
                    return start, match.start()
        return start, len(self.text)

    def _head_end(self) -> int:
        """Where what Org needs ends: the drawer, and for a file its keywords and comments."""
        start = min(self._drawer().end() + 1, len(self.text))
        if self._level:
            return start
        while start < len(self.text) and (head := HEAD_LINE.match(self.text, start)):
            if head.end() == start:
                break
            start = head.end()
        return start

    def replace_body(self, body: str) -> None:
        """Put other words in the place of the node's body."""
        start, end = self.body()
        new = body.strip("\n") + "\n" if body.strip() else ""
        if new and not self._level and not self.text[:start].endswith("\n\n"):
            new = ("" if self.text[:start].endswith("\n") else "\n") + "\n" + new
        self._replace(start, end, new)

    def append(self, words: str) -> None:
        """Add a paragraph at the end of the node's body."""
        start, end = self.body()
        old = self.text[start:end]
        kept = old.rstrip("\n")
        if not kept:
            self.replace_body(words)
            return
        addition = "\n\n" + words.strip("\n") + "\n"
        tail = "\n" if self._level and old.endswith("\n\n") else ""
        self._replace(start + len(kept), end, addition + tail)
