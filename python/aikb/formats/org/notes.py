"""The notes of an Org file in the words of the design: projects, status, dates, source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.org.conflicts import KEY, issue_of
from aikb.formats.org.decode import decode
from aikb.formats.org.nodes import OrgNode, read_nodes
from aikb.formats.org.plain import opening
from aikb.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable

_SEPARATORS = re.compile(r"[:\s,]+")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def read_notes(path: str, data: bytes, summarise: Callable[[str], str]) -> tuple[Note, ...]:
    """Every node of a file as a :class:`~aikb.model.Note`, as lenient as org-roam is."""
    text = decode(data).text
    return tuple(to_note(path, text, node, summarise) for node in read_nodes(text))


def to_note(path: str, text: str, node: OrgNode, summarise: Callable[[str], str]) -> Note:
    """A node's note.  A file without a title goes by its path without the extension."""
    get = node.properties.get
    status = (get("STATUS", "").lower().split() or ["current"])[0]
    return Note(
        id=node.id,
        path=path,
        line=text.count("\n", 0, node.pos) + 1 if node.pos else 1,
        level=node.level,
        title=node.title if node.title is not None else path.rpartition(".")[0],
        tags=node.tags,
        projects=split_words(get("PROJECTS", "")),
        status=status,
        created=first_date(get("CREATED", "")),
        updated=first_date(get("UPDATED", "")),
        source=get("SOURCE", ""),
        summary=summarise(opening(text, node.body, node.level)),
        issue=issue_of(get(KEY, "")) if status == "contested" else "",
    )


def split_words(value: str) -> tuple[str, ...]:
    """``:general: :emacs:`` as ``("general", "emacs")``; spaces and commas separate as well."""
    return tuple(word for word in _SEPARATORS.split(value) if word)


def first_date(value: str) -> str:
    """The ISO date in a property's value, or an empty string."""
    match = _DATE.search(value)
    return match.group() if match else ""
