"""What every source of notes promises, whatever its format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import builders
from aikb.config import TYPES, Settings
from aikb.model import Draft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Note
    from aikb.sources.base import NoteSource

NOTES = (
    builders.make_note(1, title="One", tags=("principle", "kb")),
    builders.make_note(2, title="\u77e5\u8bc6", projects=("emacs", "general"), status="contested"),
    builders.make_note(3, title="Three | pipes", status="superseded"),
    builders.make_note(4, title="Four", path="sub/00004.org", tags=("procedure",)),
)


class NoteSourceContract:
    """Subclasses say how a source with given notes is made.

    A format that has no place for a note's id says what it calls the note instead: ``adapted``.
    """

    has_ids = True
    sections_are_types = True

    def source(self, notes: Sequence[Note]) -> NoteSource:
        raise NotImplementedError

    def adapted(self, note: Note) -> Note:
        return note

    def pages(self, notes: Sequence[Note], settings: Settings | None = None) -> dict[str, str]:
        source = self.source(notes)
        settings = settings or Settings()
        index = source.build_index(source.snapshot(), settings)
        return source.render_index(index, settings, builders.ME)

    def test_snapshot_has_the_notes_in_order_of_path(self) -> None:
        snapshot = self.source(NOTES[::-1]).snapshot()

        expected = map(self.adapted, NOTES)
        assert snapshot.notes == sorted(expected, key=lambda note: (note.path, note.line))
        assert snapshot.findings == ()

    def test_an_empty_source_has_no_notes(self) -> None:
        assert self.source(()).snapshot().notes == []

    def test_snapshot_can_be_taken_again(self) -> None:
        source = self.source(NOTES)

        assert source.snapshot() == source.snapshot()

    def test_files_without_notes_are_files_all_the_same(self) -> None:
        assert set(self.source(NOTES).snapshot().files) == {
            self.adapted(note).path for note in NOTES
        }

    def test_a_new_note_has_its_id_title_and_day(self) -> None:
        draft = Draft(title="A new one", type="principle", body="Words.")

        text = self.source(()).render_note(draft, builders.ME, "2026-01-02")

        for words in (*[builders.ME] * self.has_ids, "A new one", "2026-01-02"):
            assert words in text

    def test_the_index_shows_what_is_not_superseded(self) -> None:
        text = "".join(self.pages(NOTES).values())

        assert "One" in text
        assert "\u77e5\u8bc6" in text
        assert "Three" not in text

    def test_the_same_notes_give_the_same_bytes(self) -> None:
        assert list(self.pages(NOTES).items()) == list(self.pages(NOTES[::-1]).items())

    def test_a_stores_own_types_have_sections(self) -> None:
        settings = Settings(types=(*TYPES, "recipe"))
        recipe = builders.make_note(5, title="Bread", tags=("recipe",))

        text = "".join(self.pages([*NOTES, recipe], settings).values()).lower()

        if not self.sections_are_types:  # then by tag, in the order of the alphabet
            assert text.index("observation") < text.index("recipe") < text.index("bread")
            return
        assert text.index("procedure") < text.index("recipe") < text.index("bread")
