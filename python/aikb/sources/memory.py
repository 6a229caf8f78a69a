"""Notes held in memory: the source that proves the index knows no format, and that tests build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.index.group import build_index
from aikb.model import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.config import Settings
    from aikb.index.group import Index
    from aikb.model import Draft, Note


class MemorySource:
    """A :class:`~aikb.sources.base.NoteSource` without files: texts are plain ``title`` lines."""

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self.notes = list(notes)

    def snapshot(self) -> Snapshot:
        """The notes by path."""
        files: dict[str, tuple[Note, ...]] = {}
        for note in self.notes:
            files[note.path] = (*files.get(note.path, ()), note)
        return Snapshot(files, ())

    def render_note(self, draft: Draft, note_id: str, today: str) -> str:
        """One line: id, date, title."""
        return f"{note_id} {today} {draft.title}\n"

    def build_index(self, snapshot: Snapshot, settings: Settings) -> Index:
        """By type."""
        return build_index(snapshot.notes, settings.types)

    def render_index(self, index: Index, settings: Settings, own_id: str) -> dict[str, str]:
        """One page: a line for each section and each of its rows."""
        lines = []
        for section in index.sections:
            lines.append(f"{section.key}\n")
            lines += [f"  {row.name} {row.note.title}\n" for row in section.rows]
        return {f"index {own_id} {settings.index_budget}": "".join(lines)}
