"""What every source of notes promises; one contract test class runs on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aikb.config import Settings
    from aikb.formats.threeway import Merge, Piece, TextMerger
    from aikb.index.group import Index
    from aikb.model import Draft, Note, Snapshot


class NoteSource(Protocol):
    """A collection of notes in one format."""

    def snapshot(self) -> Snapshot:
        """All notes as they are now, and findings about what could not be read."""

    def render_note(self, draft: Draft, note_id: str, today: str) -> str:
        """The text of a new note."""

    def build_index(self, snapshot: Snapshot, settings: Settings) -> Index:
        """Which notes stand where, grouped as this collection is."""

    def render_index(self, index: Index, settings: Settings, own_id: str) -> dict[str, str]:
        """The texts of the generated pages by path: byte-stable for the same notes."""


class NoteFiles(NoteSource, Protocol):
    """A source whose notes are files below a root: what the write path can write to."""

    root: str

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            NodeNotFoundError, DiskError: it is not there, or cannot be read.
        """

    def notes_of(self, path: str, data: bytes) -> tuple[Note, ...]:
        """The notes in a file's bytes; none in a generated page."""

    def is_note_path(self, path: str) -> bool:
        """Whether a file of this path is a note."""

    def is_index_page(self, path: str) -> bool:
        """Whether a path is one that generated pages may have."""

    def is_generated(self, path: str, data: bytes) -> bool:
        """Whether a file with such a path is ours and may be written anew."""

    def index_files(self) -> tuple[dict[str, bytes], list[str]]:
        """Files with the names of generated pages: the generated ones, and what others wrote."""

    def index_id_of(self, pages: dict[str, bytes | None]) -> str:
        """The id that generated pages bear, or an empty string."""


class Mergeable(Protocol):
    """What a merge of two versions of a collection must know of its format.

    ``by_path`` says that a note is known by its path alone, and goes astray where somebody moves it.
    """

    by_path: bool

    def notes_of(self, path: str, data: bytes) -> tuple[Note, ...]:
        """The notes in a file's bytes; none in a generated page."""

    def is_note_path(self, path: str) -> bool:
        """Whether a file of this path is a note."""

    def is_index_page(self, path: str) -> bool:
        """Whether a path is one that generated pages may have."""

    def is_generated(self, path: str, data: bytes) -> bool:
        """Whether a file with such a path is ours and may be written anew."""

    def merge(
        self, base: bytes | None, ours: bytes, theirs: bytes, merger: TextMerger,
        favour: Mapping[str, str],
    ) -> Merge:  # fmt: skip
        """Two versions of a file of notes made one; *favour* decides nodes that clash, by id."""

    def both(self, ours: bytes, theirs: bytes, node: str, path: str) -> tuple[bytes, bytes]:
        """Our file, and their version of a node as a file of its own, each contested with the other.

        *path* is where theirs will stand.  A node that our file has not is not contested.
        """

    def part_of(self, data: bytes, node: str) -> Piece:
        """The text of one of a file's nodes, without those below it."""

    def apart(self, data: bytes, node: str) -> tuple[bytes, bytes]:
        """A file without one of its nodes, and the node as a file of its own."""

    def targets(self, path: str, data: bytes) -> frozenset[str]:
        """The ids that a file links to, where a link without its target is an error."""
