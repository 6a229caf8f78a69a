"""Part C: what passed the gate becomes notes, unless a note of the vault covers it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.markdown.notes import id_of
from aikb.model import Change
from aikb.writing.vault_guard import body_of, covering
from aikb.writing.vault_proposals import free_path, reader, slug_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aikb.model import Draft, Note
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.writing.ground import Ground

MOST = 5


class Creation(NamedTuple):
    """The changes; titles with the path of the note that covers them; what was made before; what waits.

    ``left`` are titles for which this run has no room.
    """

    changes: Sequence[Change] = ()
    covered: Sequence[tuple[str, str]] = ()
    before: Sequence[str] = ()
    left: Sequence[str] = ()


def propose_notes(
    vault: MarkdownVault, ground: Ground, drafts: Iterable[Draft], today: str, most: int = MOST
) -> Creation:
    """At most *most* new notes for drafts, decided under the lock on the notes as they are."""
    changes: dict[str, Change] = {}
    covered, before, left = [], [], []
    notes = list(ground.disk.notes)
    on_disk = reader(vault)

    def read(note: Note) -> str:
        made = changes.get(note.path)
        return body_of(made.path, made.after) if made and made.after else on_disk(note)

    for draft in drafts:
        own = next((n for n in notes if n.source == draft.source and n.title == draft.title), None)
        found = [] if own else covering(draft, notes, read)
        if own and own.path not in changes:  # this very audit was killed after it had written
            before.append(own.path)
        elif own or found:
            covered.append((draft.title, own.path if own else found[0].note.path))
        elif len(changes) >= most:
            left.append(draft.title)
        else:
            path = _free(vault.root, draft, changes)
            data = vault.render_note(draft, id_of(path), today).encode()
            changes[path] = Change(path, None, data)
            notes += vault.notes_of(path, data)
    return Creation(tuple(changes.values()), covered, before, left)


def _free(root: str, draft: Draft, taken: Iterable[str]) -> str:
    base, number = f"{draft.type}/{slug_of(draft.title)}", 1
    while (path := free_path(root, base if number == 1 else f"{base}-{number}")) in taken:
        number += 1
    return path
