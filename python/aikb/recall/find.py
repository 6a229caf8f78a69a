"""``ai-kb find``: nodes by title, tag, project and summary, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Note
    from aikb.sources.org_store import OrgStore


DEFAULT_LIMIT = 20


class Filter(NamedTuple):
    """What a node must have besides the words; empty: anything."""

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()

    def admits(self, note: Note) -> bool:
        """Whether a note may be shown.  Superseded ones only when asked for."""
        if self.statuses:
            if note.status not in self.statuses:
                return False
        elif note.status == "superseded":
            return False
        if self.types and not set(self.types) & set(note.tags):
            return False
        return set(self.tags) <= set(note.tags) and (
            not self.projects or bool(set(self.projects) & set(note.projects))
        )


def find(store: OrgStore, words: Sequence[str], wanted: Filter, limit: int) -> list[Note]:
    """At most *limit* notes that have all *words* (as beginnings of words), best first.

    Without words everything that the filter admits, by title.  The cache's full-text table answers;
    where it cannot, the notes themselves do, with the same words and a plainer order.
    """
    words = [word for word in " ".join(words).split() if word]
    if words:
        unlimited = wanted != Filter()
        found = store.search(list(words), None if unlimited else limit * 4)
        if found is None:
            found = scan_notes(store.snapshot().notes, words)
    else:
        found = sorted(store.snapshot().notes, key=lambda n: (n.title.casefold(), n.id))
    return [note for note in found if wanted.admits(note)][:limit]


def scan_notes(notes: Sequence[Note], words: Sequence[str]) -> list[Note]:
    """Notes that have every word somewhere, titles first."""
    folded = [word.casefold() for word in words]
    scored = []
    for note in notes:
        title = note.title.casefold()
        rest = " ".join((*note.tags, *note.projects, note.summary)).casefold()
        if all(word in title or word in rest for word in folded):
            misses = sum(word not in title for word in folded)
            scored.append((misses, len(title), note.path, note.line, note))
    return [entry[-1] for entry in sorted(scored, key=lambda entry: entry[:-1])]
