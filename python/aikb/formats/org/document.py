"""One Org file with everything that rules want to know of it, each found out once."""

from __future__ import annotations

from functools import cached_property

from aikb.formats.org.decode import Decoded, decode
from aikb.formats.org.links import IdLink, find_id_links
from aikb.formats.org.nodes import (
    Keywords,
    OrgHeading,
    OrgNode,
    read_headings,
    read_keywords,
    read_nodes,
)
from aikb.formats.org.structure import Structure


class Document:
    """A file's path (relative to its source) and bytes, read lazily."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    @cached_property
    def decoded(self) -> Decoded:
        """The text as Emacs would show it, and what was odd about the bytes."""
        return decode(self.data)

    @property
    def text(self) -> str:
        """The decoded text."""
        return self.decoded.text

    @cached_property
    def structure(self) -> Structure:
        """The kind of every line."""
        return Structure(self.text)

    @cached_property
    def nodes(self) -> list[OrgNode]:
        """The nodes that org-roam sees."""
        return read_nodes(self.text)

    @cached_property
    def keywords(self) -> Keywords:
        """Titles, file tags and TODO words."""
        return read_keywords(self.text, self.structure)

    @cached_property
    def headings(self) -> list[OrgHeading]:
        """Every heading line."""
        return read_headings(self.text)

    @cached_property
    def links(self) -> list[IdLink]:
        """Id links that org-roam would store."""
        return find_id_links(self.text, self.structure)

    def line(self, pos: int) -> int:
        """The line, from 1, of an offset into the text."""
        return self.structure.line_of(pos) + 1

    def source_of(self, link: IdLink) -> str:
        """The id of the node that org-roam books a link on, or an empty string.

        A link in a property or keyword is booked on the file's node, whichever drawer has it:
        org-roam reads such a link in a buffer of its own and then asks at its first character.
        """
        at = 0 if link.meta else link.pos
        level = 1 << 30
        by_pos = {node.pos: node.id for node in self.nodes if node.level}
        for heading in reversed(self.headings):
            if heading.pos <= at and heading.level < level:
                level = heading.level
                if heading.pos in by_pos:
                    return by_pos[heading.pos]
        return self.nodes[0].id if self.nodes and not self.nodes[0].level else ""
