"""What every source of notes promises; one contract test class runs on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from aikb.config import Settings
    from aikb.index.group import Index
    from aikb.model import Draft, Snapshot


class NoteSource(Protocol):
    """A collection of notes in one format."""

    def snapshot(self) -> Snapshot:
        """All notes as they are now, and findings about what could not be read."""

    def render_note(self, draft: Draft, note_id: str, today: str) -> str:
        """The text of a new note."""

    def render_index(self, index: Index, settings: Settings, own_id: str) -> dict[str, str]:
        """The texts of the generated pages by path: byte-stable for the same notes."""
