"""Part C: what passed the gate becomes notes, unless a note of the vault covers it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.model import Change
from aikb.writing.files import read_or_none
from aikb.writing.proposals import slugify

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aikb.model import Draft, Note
    from aikb.sources.base import NoteFiles
    from aikb.writing.ground import Ground

MOST = 5


class Creation(NamedTuple):
    """The changes; titles with the path of the note that covers them; and what was made before."""

    changes: Sequence[Change]
    covered: Sequence[tuple[str, str]]
    before: Sequence[str]


def propose_notes(
    source: NoteFiles, ground: Ground, drafts: Iterable[Draft], today: str
) -> Creation:
    """New notes for drafts, decided under the lock on the notes as they are."""
    changes: list[Change] = []
    covered, before = [], []
    notes = list(ground.disk.notes)
    for draft in list(drafts)[:MOST]:
        own = next((n for n in notes if n.source == draft.source and n.title == draft.title), None)
        found = None if own else covering(draft, notes)
        if own:  # this very audit was killed after it had written
            before.append(own.path)
        elif found:
            covered.append((draft.title, found.path))
        else:
            path = _free(source.root, draft, {change.path for change in changes})
            data = source.render_note(draft, "", today).encode()
            changes.append(Change(path, None, data))
            notes += source.notes_of(path, data)
    return Creation(changes, covered, before)


def covering(draft: Draft, notes: Iterable[Note]) -> Note | None:
    """The note that says already what a draft would say, or None."""
    wanted = {tag.casefold() for tag in draft.tags}
    for note in notes:
        same = note.title.casefold() == draft.title.casefold()
        if same and wanted & {tag.casefold() for tag in note.tags}:
            return note
    return None


def _free(root: str, draft: Draft, taken: set[str]) -> str:
    base = f"{draft.type}/{slugify(draft.title)}"
    path, number = f"{base}.md", 1
    while path in taken or read_or_none(root, path) is not None:
        number += 1
        path = f"{base}-{number}.md"
    return path
