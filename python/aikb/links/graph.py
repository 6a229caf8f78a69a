"""Links of Org documents as values, and which node a person means."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from aikb.errors import AmbiguousNodeError, NodeNotFoundError
from aikb.formats.source import as_said
from aikb.links.short import SHORTEST_PREFIX, is_short, matching
from aikb.model import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from aikb.formats.org.document import Document
    from aikb.model import Note


def links_of(document: Document) -> Iterator[Link]:
    """All id links of a file."""
    for link in document.links:
        yield Link(
            document.path,
            document.line(link.pos),
            document.source_of(link),
            link.target,
            link.description,
        )


def links_from(document: Document, node_id: str) -> list[Link]:
    """The id links that a node has."""
    return [link for link in links_of(document) if link.source == node_id]


def links_to(documents: Iterable[Document], node_id: str) -> list[Link]:
    """The id links that lead to a node."""
    return [link for document in documents for link in links_of(document) if link.target == node_id]


def resolve(name: str, notes: Iterable[Note]) -> Note:
    """The note that *name* means: an id, a unique prefix of one, a path, or an exact title.

    Raises:
        NodeNotFoundError: none; near titles are named.
        AmbiguousNodeError: several.
    """
    notes = list(notes)
    name = name.strip().removeprefix("id:")
    folded = _folded(name)
    ways: tuple[Callable[[], list[Note]], ...] = (
        lambda: [note for note in notes if note.id == name],
        lambda: [note for note in notes if note.path == name and not note.level],
        lambda: _with_prefix(name, notes),
        lambda: [note for note in notes if note.title == name],
        lambda: [note for note in notes if note.path == name],
        lambda: [note for note in notes if _folded(note.title) == folded],
    )
    for way in ways:
        candidates = way()
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise AmbiguousNodeError(
                name,
                [
                    f"{note.id} ({as_said(note.title, note.source)}, {note.path})"
                    for note in candidates
                ],
            )
    if len(name) < SHORTEST_PREFIX and is_short(name):
        raise NodeNotFoundError(name, [f"an id needs at least {SHORTEST_PREFIX} characters"])
    raise NodeNotFoundError(name, _near(name, notes))


def _folded(text: str) -> str:
    """Text whose case, and whose accents' form, do not count any more."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold())


def _with_prefix(name: str, notes: list[Note]) -> list[Note]:
    found = set(matching(name, [note.id for note in notes])) if is_short(name) else set()
    return [note for note in notes if note.id in found]


def _near(name: str, notes: list[Note]) -> list[str]:
    import difflib

    titles = {note.title.casefold(): note for note in notes}
    folded = name.casefold()
    words = [title for title in titles if folded and folded in title][:3]
    words = words or difflib.get_close_matches(folded, titles, n=3, cutoff=0.6)
    near = [titles[word] for word in words]
    return [f"{as_said(note.title, note.source)} ({note.id[:8]})" for note in near]
