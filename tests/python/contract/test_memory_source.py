"""The source in memory keeps the contract: the index knows no format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.sources.memory import MemorySource
from contract.note_source import NoteSourceContract

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Note


class TestMemorySource(NoteSourceContract):
    def source(self, notes: Sequence[Note]) -> MemorySource:
        return MemorySource(notes)
