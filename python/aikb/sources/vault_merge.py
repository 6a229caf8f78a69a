"""What a merge of two vaults must know: see :class:`aikb.sources.base.Mergeable`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.markdown import merge
from aikb.formats.markdown.notes import name_of
from aikb.formats.threeway import Piece
from aikb.sources import vault_index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aikb.formats.threeway import Merge, TextMerger
    from aikb.model import Note
    from aikb.sources.markdown_vault import MarkdownVault

_WHY = "changed on two machines at the same time; both versions are kept"


class VaultMerge:
    """Merges Markdown notes, of which each is a file and goes by its path."""

    by_path = True

    def __init__(self, vault: MarkdownVault, today: str) -> None:
        self._vault = vault
        self._today = today

    def notes_of(self, path: str, data: bytes) -> tuple[Note, ...]:
        """The note in a file's bytes; none in another file."""
        return self._vault.notes_of(path, data) if self.is_note_path(path) else ()

    def is_note_path(self, path: str) -> bool:
        """Whether a file is a note."""
        return self._vault.is_note_path(path)

    def is_index_page(self, path: str) -> bool:
        """Whether a path is the index's."""
        return vault_index.is_index_page(path)

    def is_generated(self, path: str, data: bytes) -> bool:
        """Whether an index is ours."""
        return self._vault.is_generated(path, data)

    def merge(
        self, base: bytes | None, ours: bytes, theirs: bytes, merger: TextMerger,
        favour: Mapping[str, str],
    ) -> Merge:  # fmt: skip
        """Two versions of a note made one."""
        side = next(iter(favour.values()), "")
        return merge.merge_file(base, ours, theirs, merger, "ours" if side == "both" else side)

    def both(self, ours: bytes, theirs: bytes, node: str, path: str) -> tuple[bytes, bytes]:
        """Our note, and theirs as a note of its own, each contested with the other."""
        why = f"{self._today}: {_WHY}"
        here, there = (f"[[{name_of(name)}]], {why}" for name in (node + ".md", path))
        return merge.contested(ours, there), merge.contested(theirs, here)

    def part_of(self, data: bytes, node: str) -> Piece:
        """The whole note."""
        del node
        return Piece(1, data.decode("utf-8", "replace"))

    def apart(self, data: bytes, node: str) -> tuple[bytes, bytes]:
        """Nothing: a file has one note."""
        del node
        return b"", data

    def targets(self, path: str, data: bytes) -> frozenset[str]:
        """Nothing: a link to a note that is not there is no error in a vault."""
        del path, data
        return frozenset()
