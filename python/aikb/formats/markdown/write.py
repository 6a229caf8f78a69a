"""The text of a new Markdown note, by the template of its type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.model import Draft

_PLAIN = re.compile(r"[^\W\d_][\w/-]*")
_WORDS_OF_YAML = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_HAS_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Template(NamedTuple):
    """A type's sections: each heading with the question that its text answers."""

    sections: tuple[tuple[str, str], ...]


TEMPLATES = {
    "convention": Template(
        (
            ("Rule", "What is always, or never, done?"),
            ("Why", "What went wrong, or would, without it?"),
            ("Example", "One case where it is kept, and one where it is broken."),
        )
    ),
    "reference": Template(
        (
            ("What it is", "In one or two sentences."),
            ("Facts", "What somebody looks up here."),
            ("Source", "Where it can be checked."),
        )
    ),
    "howto": Template(
        (
            ("When", "In which situation is this done?"),
            ("Steps", "1. One action a step, with its command."),
            ("Check", "How does one see that it worked?"),
        )
    ),
    "hub": Template((("Notes", "- [[note]]: what it says, in one line."),)),
    "project": Template(
        (
            ("Tags", "- the tags that this project's notes bear"),
            ("Produces", "- the types of its own, with what they are for"),
        )
    ),
}
TYPES = tuple(TEMPLATES)


def render_note(draft: Draft, today: str) -> str:
    """A new note: front matter, title, and the body under the first heading of its type's template.

    A body with headings of its own stands as it is.  Without a body the template's headings stand
    there, each with its question in a comment.  A hub's and a project's body opens the note.
    """
    lines = ["---", f"title: {quoted(draft.title)}", f"type: {scalar(draft.type)}"]
    if draft.tags:
        lines += ["tags:", *(f"  - {scalar(tag)}" for tag in draft.tags)]
    projects = [p for p in draft.projects if p != "general"]
    if projects:
        lines += ["projects:", *(f"  - {scalar(project)}" for project in projects)]
    lines += [f"created: {today}", f"updated: {today}", "status: current"]
    if draft.source:
        lines.append(f"source: {quoted(draft.source)}")
    if draft.unreviewed:
        lines.append("reviewed: false")
    return "\n".join([*lines, "---", "", f"# {draft.title}", "", *_body(draft)])


def _body(draft: Draft) -> Iterable[str]:
    body = draft.body.replace("\r\n", "\n").strip("\n")
    template = TEMPLATES.get(draft.type, Template(()))
    if not body.strip():
        for heading, question in template.sections:
            yield from (f"## {heading}", "", f"<!-- {question} -->", "")
        return
    opens = draft.type in {"hub", "project"} or not template.sections
    if not opens and not _HAS_HEADING.search(body):
        yield from (f"## {template.sections[0][0]}", "")
    yield from (body, "")


def quoted(text: str) -> str:
    """A text as YAML in double quotes, so that no date, number or word of YAML is read in it."""
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


def scalar(text: str) -> str:
    """A text as YAML: plain where nothing else can be read in it."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_OF_YAML:
        return text
    return quoted(text)
