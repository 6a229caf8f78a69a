"""The org store on disk as a :class:`~aikb.sources.base.NoteSource`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from aikb.errors import DiskError, NodeNotFoundError, StoreMissingError
from aikb.formats.org.decode import decode
from aikb.formats.org.nodes import read_nodes
from aikb.formats.org.notes import read_notes
from aikb.formats.org.write import render_node
from aikb.index.group import build_index
from aikb.index.summary import summarise
from aikb.sources import org_index
from aikb.sources.reading import read_all, read_file
from aikb.sources.scan import Scan, scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aikb.config import Settings
    from aikb.index.group import Index
    from aikb.model import Draft, Note, Snapshot
    from aikb.tools.sqlite import NoteCache


class Finder(Protocol):
    """Who knows which notes stand in the rows of :meth:`OrgStore.holders`."""

    def places(self, rows: Iterable[int]) -> list[tuple[str, str]] | None:
        """Id and path of each; None: it turned out that it does not know."""


class OrgStore:
    """A directory of Org files, read as org-roam would read it.

    ``cache`` may be None; with it only files that changed are read again.
    """

    def __init__(self, root: str, cache: NoteCache | None = None) -> None:
        self.root = root
        self.cache = cache
        self._remembered = True  # whether the cache has what the last snapshot found

    # -- files

    def scan(self) -> Scan:
        """All note files with the state of each.

        Raises:
            StoreMissingError: there is no such directory.
            DiskError: it cannot be listed.
        """
        try:
            return scan(self.root)
        except FileNotFoundError:
            raise StoreMissingError(self.root) from None
        except OSError as error:
            raise DiskError(
                f"'{error.filename or self.root}' cannot be listed: {error.strerror}"
            ) from error

    def read(self, path: str) -> bytes:
        """The bytes of a file of the store.

        Raises:
            NodeNotFoundError: it is not there, or is a symbolic link.
            DiskError: it cannot be read.
        """
        return read_file(self.root, path, NodeNotFoundError)

    # -- notes

    def snapshot(self) -> Snapshot:
        """All notes now.  Generated pages are left out, and so is what cannot be read."""
        snapshot, self._remembered = read_all(
            self.scan(), self.cache, lambda path: (self.notes_of(path, self.read(path)), ())
        )
        return snapshot

    def notes_of(self, path: str, data: bytes) -> tuple[Note, ...]:
        """The notes in a file's bytes; none in a generated page.

        Cache, index and finder never hold a credential that stands in a title or opening.
        """
        if org_index.is_index_page(path) and org_index.is_generated(data):
            return ()
        # late: what only asks the cache reads no note
        from aikb.rules.credential_brief import blot_brief, blot_opening

        notes = read_notes(path, data, lambda opening: summarise(blot_opening(opening)))
        return tuple(note._replace(title=blot_brief(note.title)) for note in notes)

    def search(self, words: list[str], limit: int | None) -> list[Note] | None:
        """What the cache finds, or None where it is not current or cannot say."""
        if not self.cache:
            return None
        found = self.scan()
        if self.cache.fingerprint() != found.fingerprint:
            self.snapshot()
            if not self._remembered:
                return None
        return self.cache.search(words, limit)

    def holders(
        self, terms: Sequence[str], most: int, snapshot: Snapshot
    ) -> tuple[Finder, dict[str, list[int]]]:
        """For each term the rows of notes that have it, and who knows those rows.

        The cache answers; where it is behind *snapshot*, the notes themselves do.
        """
        if self.cache and self._remembered:
            rows = self.cache.holders(terms, most)
            if rows is not None:
                return self.cache, rows
        from aikb.rules.near import Postings  # late: no command that only reads needs it

        postings = Postings(snapshot.notes)
        return postings, postings.holders(terms, most)

    def distrust_cache(self) -> None:
        """Ask the notes themselves from now on."""
        self._remembered = False

    def having(self, terms: Iterable[str], most: int) -> list[tuple[str, str]]:
        """Id and path of notes that have all of these terms, best first, as far as the cache knows."""
        if not self.cache or not self._remembered:
            return []
        found = self.cache.search(list(terms), most) or []
        return [(note.id, note.path) for note in found]

    # -- what a path is

    is_note_path = staticmethod(org_index.is_note_path)
    is_index_page = staticmethod(org_index.is_index_page)

    def is_generated(self, path: str, data: bytes) -> bool:
        """Whether a file with a generated page's name was written by us."""
        return org_index.is_index_page(path) and org_index.is_generated(data)

    # -- rendering

    def render_note(self, draft: Draft, note_id: str, today: str) -> str:
        """A new node's text."""
        return render_node(draft, note_id, today)

    def build_index(self, snapshot: Snapshot, settings: Settings) -> Index:
        """All nodes, by type."""
        return build_index(snapshot.notes, settings.types)

    def render_index(self, index: Index, settings: Settings, own_id: str) -> dict[str, str]:
        """The generated pages by path."""
        return org_index.render(index, own_id, settings.index_budget)

    def index_files(self) -> tuple[dict[str, bytes], list[str]]:
        """Files with the names of generated pages: the generated ones, and what others wrote."""
        pages, foreign = {}, []
        try:
            names = sorted(os.listdir(self.root))
        except OSError as error:
            raise StoreMissingError(self.root) from error
        for name in names:
            path = os.path.join(self.root, name)
            if (
                not org_index.is_index_page(name)
                or os.path.islink(path)
                or not os.path.isfile(path)
            ):
                continue
            data = self.read(name)
            if org_index.is_generated(data):
                pages[name] = data
            else:
                foreign.append(name)
        return pages, foreign

    def index_id(self) -> str:
        """The id of the generated index, or an empty string."""
        try:
            data = self.read(org_index.INDEX)
        except NodeNotFoundError:
            return ""
        return self.index_id_of({org_index.INDEX: data}) if org_index.is_generated(data) else ""

    def index_id_of(self, pages: dict[str, bytes | None]) -> str:
        """The id that the main page among *pages* bears, or an empty string."""
        nodes = read_nodes(decode((pages.get(org_index.INDEX) or b"")[:400]).text)
        return nodes[0].id if nodes else ""
