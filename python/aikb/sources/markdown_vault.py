"""A vault of Markdown notes on disk as a :class:`~aikb.sources.base.NoteFiles`."""

from __future__ import annotations

import json
import os
import posixpath
from functools import cached_property
from typing import TYPE_CHECKING

from aikb.errors import DiskError, NoteNotFoundError, VaultMissingError
from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.notes import read_note
from aikb.formats.markdown.write import render_note
from aikb.index.group import build_tag_index
from aikb.index.summary import summarise
from aikb.rules.credential_brief import blot_brief, blot_opening
from aikb.rules.vault import check_reading
from aikb.sources import vault_index
from aikb.sources.reading import read_all, read_file
from aikb.sources.scan import LeftOut, Scan, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.config import Settings
    from aikb.index.group import Index
    from aikb.model import Draft, Finding, Note, Snapshot
    from aikb.tools.sqlite import NoteCache

SUFFIXES = (".md", ".MD", ".Md", ".mD")
_FOLDERS = frozenset({"templates", "Templates", "_templates", "node_modules", "lost+found"})
# What of a vault's own settings names templates: the file, its key, and whether that is a folder.
_SETTINGS = (
    (".obsidian/templates.json", "folder", True),
    (".obsidian/daily-notes.json", "template", False),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder", True),
)
_LARGEST_SETTINGS = 1 << 20


class MarkdownVault:
    """A directory of Markdown files as Obsidian reads them; each file is one note.

    Hidden folders and templates are left out.  ``cache`` may be None; with it only files that changed
    are read again.
    """

    def __init__(self, root: str, cache: NoteCache | None = None) -> None:
        self.root = root
        self.cache = cache

    # -- files

    @cached_property
    def left_out(self) -> LeftOut:
        """Folders and files that hold no notes; asked once."""
        return LeftOut(_FOLDERS, frozenset(self._templates()))

    def _templates(self) -> Iterator[str]:
        """Paths of templates by the vault's own settings; what cannot be read says nothing."""
        for name, key, is_folder in _SETTINGS:
            try:
                with open(os.path.join(self.root, name), "rb") as file:
                    value = json.loads(file.read(_LARGEST_SETTINGS))[key]
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue
            if not isinstance(value, str) or not (path := value.strip().strip("/")):
                continue
            path = posixpath.normpath(path)
            yield path if is_folder or path.endswith(SUFFIXES) else path + ".md"

    def scan(self) -> Scan:
        """All note files with the state of each.

        Raises:
            VaultMissingError: there is no such directory.
            DiskError: it cannot be listed; folders in it that cannot are among what was found.
        """
        try:
            return scan(self.root, SUFFIXES, self.left_out, lenient=True)
        except (FileNotFoundError, NotADirectoryError):
            raise VaultMissingError(self.root) from None
        except OSError as error:
            raise DiskError(f"'{error.filename}' cannot be listed: {error.strerror}") from error

    def read(self, path: str) -> bytes:
        """The bytes of a file of the vault.

        Raises:
            NoteNotFoundError: it is not there, or is a symbolic link.
            DiskError: it cannot be read.
        """
        return read_file(self.root, path, NoteNotFoundError)

    # -- notes

    def snapshot(self) -> Snapshot:
        """All notes now, and findings about what was not read or not read as it was meant."""
        found = self.scan()
        return read_all(
            found._replace(links=[*found.links, *found.linked]), self.cache, self._read
        )[0]

    def _read(self, path: str) -> tuple[tuple[Note, ...], tuple[Finding, ...]]:
        document = MarkdownDocument(path, self.read(path))
        return (_note_of(document),), tuple(check_reading(document))

    def notes_of(self, path: str, data: bytes) -> tuple[Note, ...]:
        """The note in a file's bytes."""
        return (_note_of(MarkdownDocument(path, data)),)

    def document(self, path: str) -> MarkdownDocument:
        """A file of the vault.

        Raises:
            NoteNotFoundError, DiskError: as :meth:`read`.
        """
        return MarkdownDocument(path, self.read(path))

    # -- what a path is

    is_index_page = staticmethod(vault_index.is_index_page)

    def is_note_path(self, path: str) -> bool:
        """Whether a file of this path is a note."""
        return path.endswith(SUFFIXES) and not self.left_out.holds(path)

    def is_generated(self, path: str, data: bytes) -> bool:
        """Whether a file is an index of the form that we give it."""
        return vault_index.is_index_page(path) and vault_index.is_generated(data)

    # -- rendering

    def render_note(self, draft: Draft, note_id: str, today: str) -> str:
        """A new note's text.  Its id is its path, which stands nowhere in the text."""
        del note_id
        return render_note(draft, today)

    def build_index(self, snapshot: Snapshot, settings: Settings) -> Index:
        """All notes, under each of their tags."""
        del settings
        return build_tag_index(snapshot.notes)

    def render_index(self, index: Index, settings: Settings, own_id: str) -> dict[str, str]:
        """The index by its path."""
        del settings, own_id
        return {vault_index.INDEX: vault_index.render(index)}

    def index_files(self) -> tuple[dict[str, bytes], list[str]]:
        """The index as it is on disk; second, its name where somebody else's file has it."""
        name = vault_index.INDEX
        path = os.path.join(self.root, name)
        if not os.path.lexists(path):
            return {}, []
        if os.path.islink(path) or not os.path.isfile(path):
            return {}, [name]
        data = self.read(name)
        if vault_index.is_generated(data) or not data.strip():
            return {name: data}, []
        return {}, [name]

    @staticmethod
    def index_id_of(pages: dict[str, bytes | None]) -> str:
        """An empty string: this index has no id."""
        del pages
        return ""


def _note_of(document: MarkdownDocument) -> Note:
    """A file's note; cache, index and finder never hold a credential that its opening has."""
    note = read_note(document, lambda opening: summarise(blot_opening(opening)))
    return note._replace(title=blot_brief(note.title))
