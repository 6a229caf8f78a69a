"""Step 4 for a vault of Markdown notes: what its rules say of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.writing.gate import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aikb.config import Settings
    from aikb.model import Change, Finding
    from aikb.sources.base import NoteFiles
    from aikb.writing.ground import Ground


class VaultChecks(Gate):
    """A vault's own: people write there with other programs, so little is an error."""

    def __init__(
        self,
        vault: NoteFiles,
        settings: Settings,
        blobs: Callable[[Sequence[str]], list[bytes | None]],
    ) -> None:
        super().__init__(settings, blobs)
        self.vault = vault

    def check(
        self, ground: Ground, changes: Sequence[Change], refused: Sequence[Change]
    ) -> list[Finding]:
        """Every note by itself."""
        del ground, changes, refused
        return []
