"""Step 4 for a vault of Markdown notes: what its rules say of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.markdown.document import MarkdownDocument
from aikb.links.names import Names
from aikb.rules.vault import check_links, check_note, for_vault
from aikb.writing.gate import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
        """Every changed note by itself, and where its links lead: anywhere in the vault as it will be."""
        del refused
        notes = [
            MarkdownDocument(change.path, change.after)
            for change in changes
            if change.after is not None and self.vault.is_note_path(change.path)
        ]
        if not notes:
            return []
        gone = {change.path for change in changes if change.after is None}
        names = Names({*ground.disk.files, *(d.path for d in notes)} - gone)
        findings: list[Finding] = []
        for document in notes:
            findings += check_note(document)
            findings += check_links(document, names)
        return findings

    def told(self, findings: Iterable[Finding]) -> list[Finding]:
        """As for every collection; the cures name the vault's commands."""
        return for_vault(super().told(findings))
