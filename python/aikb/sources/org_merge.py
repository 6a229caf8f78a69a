"""What a merge of two org stores must know: see :class:`aikb.sources.base.Mergeable`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.org import merge
from aikb.formats.org.alone import alone, without
from aikb.formats.org.conflicts import KEY, Conflict, link
from aikb.formats.org.document import Document
from aikb.formats.org.parts import split
from aikb.formats.org.write import Edit
from aikb.formats.threeway import Piece
from aikb.sources import org_index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from aikb.formats.threeway import Merge, TextMerger
    from aikb.model import Note
    from aikb.sources.org_store import OrgStore

_WHY = "changed on two machines at the same time; both versions are kept"


class OrgMerge:
    """Merges nodes; ``who`` signs what it writes into them."""

    by_path = False

    def __init__(self, store: OrgStore, new_id: Callable[[], str], today: str, who: str) -> None:
        self._store = store
        self._new_id = new_id
        self._today = today
        self._who = who

    def notes_of(self, path: str, data: bytes) -> tuple[Note, ...]:
        """The nodes in a file's bytes."""
        return self._store.notes_of(path, data)

    def is_note_path(self, path: str) -> bool:
        """Whether a file is a node's."""
        return org_index.is_note_path(path)

    def is_index_page(self, path: str) -> bool:
        """Whether generated pages may have this path."""
        return org_index.is_index_page(path)

    def is_generated(self, path: str, data: bytes) -> bool:
        """Whether a page is generated."""
        return self._store.is_generated(path, data)

    def merge(
        self, base: bytes | None, ours: bytes, theirs: bytes, merger: TextMerger,
        favour: Mapping[str, str],
    ) -> Merge:  # fmt: skip
        """Two versions of a file made one."""
        return merge.merge_file(base, ours, theirs, merger, favour)

    def both(self, ours: bytes, theirs: bytes, node: str, path: str) -> tuple[bytes, bytes]:
        """Our file, and their version of a node under a new id, each contested with the other.

        A node that ours has not keeps its id.
        """
        del path
        text = alone(Document("", theirs).text, node)
        titles = {n.id: n.title or "" for n in Document("", ours).nodes}
        if node not in titles:
            return ours, text.encode()
        new_id = self._new_id()
        part = next(part for part in split(text) if part.id == node)
        text = part._replace(drawer=part.drawer.replace(node, new_id, 1)).text
        titles |= {n.id: n.title or "" for n in Document("", text.encode()).nodes}
        here = self._against(ours, node, new_id, titles)
        return here, self._against(text.encode(), new_id, node, titles)

    def part_of(self, data: bytes, node: str) -> Piece:
        """A node's text down to the next node."""
        line = 1
        for part in split(Document("", data).text):
            if part.id == node:
                return Piece(line, part.text)
            line += part.text.count("\n")
        return Piece(1, "")

    def apart(self, data: bytes, node: str) -> tuple[bytes, bytes]:
        """A file without one of its nodes, and the node as a file of its own."""
        document = Document("", data)
        text = without(document.text, node)
        return merge.encode(text, document.decoded), alone(
            document.text, node, further=False
        ).encode()

    def _against(self, data: bytes, node: str, other: str, titles: Mapping[str, str]) -> bytes:
        document = Document("", data)
        found = next(n for n in document.nodes if n.id == node)
        edit = Edit(document.text, found)
        title = titles.get(other, "")
        record = Conflict(self._today, self._who, other, title, _WHY).render()
        known = found.properties.get(KEY, "")
        edit.set_lines(KEY, [known, record] if known else [record])
        edit.set_property("STATUS", "contested")
        edit.set_property("UPDATED", self._today)
        edit.log(f"Contested [{self._today}] by {self._who} against {link(other, title)}: {_WHY}")
        return merge.encode(edit.text, document.decoded)

    def targets(self, path: str, data: bytes) -> frozenset[str]:
        """The ids that a node links to."""
        if not self.is_note_path(path):
            return frozenset()
        return frozenset(found.target for found in Document(path, data).links)
