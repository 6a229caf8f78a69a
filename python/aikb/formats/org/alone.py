"""A node inside of a file taken out of it, and made a file of its own; pure."""

from __future__ import annotations

import re

from aikb.formats.org.nodes import HEADING, OrgNode, read_nodes
from aikb.formats.org.parts import Part, split
from aikb.formats.org.write import Edit, join_words

_TAGS = re.compile(r"[ \t]+:[\w@#%:]+:[ \t]*$")
_INHERITED = ("PROJECTS", "CREATED", "UPDATED", "SOURCE")


def alone(text: str, node: str, *, further: bool = True) -> str:
    """A node as a file of its own: its heading is the title, and what it had from its file is written out.

    With *further* goes what stands below it down to the next node, under headings that are none.

    Raises:
        LookupError: no node of the text has this id.
    """
    nodes = read_nodes(text)
    found = _named(nodes, node)
    part = next((part for part in split(text) if part.id == node), None)
    if found is None or part is None:
        raise LookupError(node)
    if not found.level:
        return part.text
    if not further:
        part = part._replace(body=part.body[: _end(part, found.level)])
    made = _as_file(part, found)
    new = _named(read_nodes(made), node)
    whole = nodes[0] if not nodes[0].level else None
    if new is None or whole is None:
        return made
    edit = Edit(made, new)
    for key in _INHERITED:
        if key in whole.properties and key not in found.properties:
            edit.set_property(key, whole.properties[key])
    return edit.text


def without(text: str, node: str) -> str:
    """A text without one node and the headings below it that are none."""
    found = _named(read_nodes(text), node)
    return "".join(
        part.body[_end(part, found.level) :] if found and part.id == node else part.text
        for part in split(text)
    )


def _end(part: Part, level: int) -> int:
    """Where in a part's body the first heading begins that does not stand below its node."""
    above = (m.start() for m in HEADING.finditer(part.body) if len(m.group(1)) <= level)
    return next(above, len(part.body)) if level else len(part.body)


def _named(nodes: list[OrgNode], node: str) -> OrgNode | None:
    return next((found for found in nodes if found.id == node), None)


def _as_file(part: Part, node: OrgNode) -> str:
    heading, _, planning = part.top.partition("\n")
    words = _TAGS.sub("", heading.lstrip("*")).strip()
    tags = f"#+filetags: {join_words(node.tags)}\n" if node.tags else ""
    indent = re.compile(r"^[ \t]+", re.MULTILINE)
    drawer = indent.sub("", part.drawer)
    body = HEADING.sub(lambda match: _raised(match, node.level), planning + part.body)
    rest = part.log + body
    gap = "\n" if rest.strip("\n") and not part.log else ""
    return f"{drawer}#+title: {words}\n{tags}{gap}{rest.lstrip(chr(10))}"


def _raised(match: re.Match[str], level: int) -> str:
    return match.group().removeprefix("*" * min(level, len(match.group(1)) - 1))
