"""A project's note in a vault (plan, Phase 2): name, one sentence, tags, what it ``produces:``.

The note is a person's Markdown: what is not one of these four things stays as it is, here and in every
edit.  Read without a YAML library, because the start of an agent's session waits for it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "project"
LONGEST_SENTENCE = 240  # characters of a description that a session is told
LONGEST_ITEM = 120
_LONGEST_NAME = 80
_ODD = re.compile(r"[^\w.-]+")
TAG = re.compile(r"[^\W_][\w/-]{0,39}")
PRODUCES = "## produces:"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)", re.DOTALL)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# What ends a line is stripped later: a pattern for it would look again and again at a long run of spaces.
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_LABEL = re.compile(r" {0,3}(?:\*\*|__)?([A-Za-z]+):?(?:\*\*|__)?:?[ \t]*$")
_BULLET = re.compile(r" {0,3}[-*+][ \t]+(.*)")
_FIELD = re.compile(r"(title|description)[ \t]*:(.*)")
_SECTIONS = ("tags", "produces")
# What one reads in a paragraph's place and is none: lists, quotations, tables, rules, indented code.
_NO_PARAGRAPH = re.compile(
    r"[ \t]*(?:[-*+>|]|\d+[.)])(?:[ \t]|$)|    |\t|[ \t]*(?:[-*_][ \t]*){3,}$"
)


class ProjectNote(NamedTuple):
    """What a project's note says; every text as it stands there, on one line each."""

    name: str
    description: str = ""
    tags: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()


class _Layout:
    """Which line of a note says what; ``-1`` and empty where nothing does."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.name = ""
        self.heading = -1
        self.opening: list[int] = []  # the lines of the first paragraph
        self.fields: dict[str, str] = {}
        self.items: dict[str, list[tuple[int, str]]] = {name: [] for name in _SECTIONS}
        self.labels = dict.fromkeys(_SECTIONS, -1)
        self.body = self._front_matter()
        self._read(_blank_comments(self.lines, self.body))

    def _front_matter(self) -> int:
        """The number of the first line after the front matter."""
        if self.lines[0].rstrip() != "---":
            return 0
        for number, line in enumerate(self.lines[1:], 1):
            if line.rstrip() in {"---", "..."}:
                return number + 1
            if field := _FIELD.match(line):
                self.fields.setdefault(field[1], _unquoted(field[2].strip()))
        self.fields.clear()  # never closed: then it is a rule and text
        return 0

    def _read(self, lines: list[str]) -> None:
        section, fence, open_paragraph = "", "", False
        for number in range(self.body, len(lines)):
            line = lines[number]
            mark = _FENCE.match(line)
            if fence:
                if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                    fence = ""
                continue
            if mark:
                fence, open_paragraph = mark[1], False
                continue
            title = _HEADING.match(line)
            label = None if title else _LABEL.match(line)
            word = (
                (_bare(title[2]) if title else label[1] if label else "").strip(" :*_").casefold()
            )
            if word in _SECTIONS and (title or line.rstrip("*_ ").endswith(":")):
                section, open_paragraph = word, False
                if self.labels[word] < 0:
                    self.labels[word] = number
            elif title:
                open_paragraph = False
                if len(title[1]) == 1 and self.heading < 0:
                    self.heading, self.name = number, _bare(title[2])
                else:
                    section = "other"
            elif (item := _BULLET.match(line)) and section != "other":
                open_paragraph = False
                if words := item[1].strip():
                    self.items[section or "tags"].append((number, words))
            elif not section and line.strip() and not _NO_PARAGRAPH.match(line):
                open_paragraph = self._paragraph(number, begun=open_paragraph)
            else:
                open_paragraph = False

    def _paragraph(self, number: int, *, begun: bool) -> bool:
        """A line of text; whether it belongs to the opening paragraph."""
        if begun or not self.opening:
            self.opening.append(number)
            return True
        return False


def _blank_comments(lines: list[str], body: int) -> list[str]:
    """The same number of lines, without what a reader of the rendered note would not see."""
    text = "\n".join(["" if n < body else line for n, line in enumerate(lines)])
    return _COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text).split("\n")


def _bare(title: str) -> str:
    """A heading's words, without the signs that may close it."""
    return title.rstrip().rstrip("#").rstrip()


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return "" if value in {"|", ">", "|-", ">-"} else value


def clean_name(name: str) -> str:
    """A project's name as a file can have it: letters, digits, ``_ . -``; empty where nothing is left."""
    name = unicodedata.normalize("NFC", name)
    return _ODD.sub("-", name).strip("-.")[:_LONGEST_NAME].strip("-.")


def read_project(text: str, name: str) -> ProjectNote:
    """What a note says; *name* is its file's, for a note that gives itself none."""
    layout = _Layout(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    opening = " ".join(layout.lines[n].strip() for n in layout.opening)
    return ProjectNote(
        layout.name or layout.fields.get("title", "") or name,
        " ".join(opening.split()) or layout.fields.get("description", ""),
        tuple(dict.fromkeys(tag for _, item in layout.items["tags"] if (tag := tag_of(item)))),
        tuple(dict.fromkeys(item for _, item in layout.items["produces"])),
    )


def common_type(item: str) -> str:
    """The type that a line under ``produces:`` names though every vault has it; else an empty text.

    No project can have it as one of its own: the audit would make hubs, or a type mean two things.
    """
    from aikb.formats.markdown.write import TYPES  # late: a session's start does not ask

    name = item.partition(":")[0].strip().strip("`*_\"'").casefold()
    return name if name in TYPES else ""


def tag_of(item: str) -> str:
    """The tag that a bullet names: its first word, without ``#`` and code marks."""
    first = (item.split(maxsplit=1) or [""])[0]
    return first.rstrip(":,;").strip("`\"'").lstrip("#").rstrip(":,;")


def render_project(note: ProjectNote, today: str) -> str:
    """A new note's text, with the front matter by which the vault's index finds it."""
    lines = [
        "---", f'title: "{note.name}"', "type: project", "tags: [project]", f"created: {today}", "---",
        "", f"# {note.name}", "", note.description,
    ]  # fmt: skip
    if note.tags:
        lines += ["", *(f"- {tag}" for tag in note.tags)]
    if note.produces:
        lines += ["", PRODUCES, "", *(f"- {item}" for item in note.produces)]
    return "\n".join(lines) + "\n"


def with_description(text: str, sentence: str) -> str:
    """The note with another sentence in place of its first paragraph."""
    layout = _Layout(text)
    lines = layout.lines
    if layout.opening:
        lines[layout.opening[0] : layout.opening[-1] + 1] = [sentence]
        return "\n".join(lines)
    at = layout.heading + 1 if layout.heading >= 0 else layout.body
    return "\n".join(_spliced(lines, at, [sentence]))


def with_items(text: str, section: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> str:
    """The note with bullets added to or taken from ``tags`` or ``produces``.

    *remove* names a tag, or a produced thing by its whole line or by what stands before its colon.
    """
    layout = _Layout(text)
    key = tag_of if section == "tags" else str
    gone = {word.casefold() for word in remove}
    dropped = {
        number for number, item in layout.items[section]
        if gone & {item.casefold(), tag_of(item).casefold(), item.split(":")[0].strip().casefold()}
    }  # fmt: skip
    kept = [(number, item) for number, item in layout.items[section] if number not in dropped]
    known = {key(item).casefold() for _, item in kept}
    fresh = [f"- {item}" for item in dict.fromkeys(add) if key(item).casefold() not in known]
    lines = layout.lines
    if fresh and layout.items[section]:
        last = layout.items[section][-1][0]
        lines[last + 1 : last + 1] = fresh
    elif fresh:
        lines = _section(layout, section, fresh)
    # A number below `last` still names the same line; what was added stands after all of them.
    return "\n".join(line for number, line in enumerate(lines) if number not in dropped)


def _section(layout: _Layout, section: str, fresh: list[str]) -> list[str]:
    """The lines with the first bullets of a section."""
    if layout.labels[section] >= 0:
        return _spliced(layout.lines, layout.labels[section] + 1, fresh)
    if section == "tags":
        above = layout.opening[-1] if layout.opening else layout.heading
        return _spliced(layout.lines, above + 1 if above >= 0 else layout.body, fresh)
    end = len(layout.lines)
    while end and not layout.lines[end - 1].strip():
        end -= 1
    return [*layout.lines[:end], "", PRODUCES, "", *fresh, ""]


def _spliced(lines: list[str], at: int, new: list[str]) -> list[str]:
    """*new* as a block of its own before line *at*: an empty line on each side."""
    above = [""] if at and lines[at - 1].strip() else []
    rest = lines[at:]
    below = [""] if rest and rest[0].strip() else []
    return [*lines[:at], *above, *new, *below, *rest]
