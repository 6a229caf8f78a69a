"""The store on disk keeps the contract, with and without its cache."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import builders
from aikb.sources.org_store import OrgStore
from aikb.tools.sqlite import NoteCache
from contract.note_source import NOTES, NoteSourceContract

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from aikb.model import Note


class TestOrgStore(NoteSourceContract):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.root = tmp_path / "store"
        self.root.mkdir()

    def cache(self) -> NoteCache | None:
        return None

    def source(self, notes: Sequence[Note]) -> OrgStore:
        for note in notes:
            path = self.root / note.path
            path.parent.mkdir(exist_ok=True)
            path.write_text(builders.note_text(note), encoding="utf-8")
        return OrgStore(str(self.root), self.cache())

    def test_a_changed_file_is_read_again(self) -> None:
        source = self.source(NOTES)
        source.snapshot()
        changed = NOTES[0]._replace(title="Other")
        (self.root / changed.path).write_text(builders.note_text(changed), encoding="utf-8")

        assert source.snapshot().notes[0].title == "Other"

    def test_a_removed_file_is_gone(self) -> None:
        source = self.source(NOTES)
        source.snapshot()
        os.unlink(self.root / NOTES[0].path)

        assert NOTES[0] not in source.snapshot().notes

    def test_a_file_without_a_node_is_there_and_empty(self) -> None:
        source = self.source(())
        (self.root / "plain.org").write_text("Words.\n", encoding="utf-8")

        assert source.snapshot().files == {"plain.org": ()}

    def test_generated_pages_captures_hidden_and_other_files_are_no_notes(self) -> None:
        source = self.source(NOTES[:1])
        text = builders.note_text(NOTES[1])
        for name in ("raw/a.org", ".hidden.org", ".git/a.org", "a.txt", "a.org~", "#a.org#"):
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        for path, page in self.pages(NOTES[:1]).items():
            (self.root / path).write_text(page, encoding="utf-8")

        assert source.snapshot().notes == [NOTES[0]]

    def test_a_symbolic_link_is_told_and_not_read(self) -> None:
        source = self.source(NOTES[:1])
        (self.root / "link.org").symlink_to(self.root / NOTES[0].path)

        snapshot = source.snapshot()

        assert snapshot.notes == [NOTES[0]]
        assert [(f.path, f.code) for f in snapshot.findings] == [("link.org", "symbolic-link")]


class TestOrgStoreWithCache(TestOrgStore):
    def cache(self) -> NoteCache | None:
        return NoteCache(str(self.root.parent / "cache" / "notes.db"))

    def test_a_broken_cache_changes_nothing(self) -> None:
        expected = self.source(NOTES).snapshot()
        path = self.root.parent / "cache" / "notes.db"
        path.write_bytes(b"no database")

        assert self.source(()).snapshot() == expected
        assert OrgStore(str(self.root), self.cache()).snapshot() == expected
