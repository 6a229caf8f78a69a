"""An Org text in the pieces that a merge looks at one by one."""

from __future__ import annotations

from typing import NamedTuple

from aikb.formats.org.nodes import file_drawer, heading_drawer, read_headings, read_nodes
from aikb.formats.org.write import HEAD_LINE, LOGBOOK


class Part(NamedTuple):
    """One node of a file, down to the next one, in its pieces; joined they are the text again."""

    id: str
    top: str  # a heading and its planning line; comments above a file's drawer
    drawer: str
    head: str  # a file's keywords
    log: str  # the history drawer and the empty lines behind it
    body: str

    @property
    def text(self) -> str:
        """The part's whole text."""
        return "".join(self[1:])


NO_PART = Part("", "", "", "", "", "")


def split(text: str) -> list[Part]:
    """A text's parts: what stands before the first heading that is a node, and one for each such."""
    nodes = read_nodes(text)
    whole = nodes[0] if nodes and not nodes[0].level else None
    starts = [node.pos for node in nodes if node.level]
    ends = [*starts[1:], len(text)] if starts else []
    parts = [_file_part(text[: starts[0] if starts else len(text)], whole.id if whole else "")]
    under = [node for node in nodes if node.level]
    for node, start, end in zip(under, starts, ends, strict=True):
        parts.append(_heading_part(text[start:end], node.id))
    return [part for part in parts if part.text or part.id]


def _file_part(text: str, node_id: str) -> Part:
    found = file_drawer(text) if node_id else None
    start = found.start() if found else 0
    end = min(found.end() + 1, len(text)) if found else 0
    at = end
    while at < len(text) and (line := HEAD_LINE.match(text, at)) and line.end() > at:
        at = line.end()
    log = _log_end(text, at)
    return Part(node_id, text[:start], text[start:end], text[end:at], text[at:log], text[log:])


def _log_end(text: str, at: int) -> int:
    book = LOGBOOK.match(text, at)
    if not book:
        return at
    end = book.end()
    while text.startswith("\n", end):
        end += 1
    return end


def _heading_part(text: str, node_id: str) -> Part:
    found = heading_drawer(text, read_headings(text)[0])
    start, end = (found.start(), min(found.end() + 1, len(text))) if found else (0, 0)
    log = _log_end(text, end)
    return Part(node_id, text[:start], text[start:end], "", text[end:log], text[log:])
