"""Steps 5 and 8, and what makes them safe: staged bytes, kept bytes, and a record of both.

Everything lies in ``.ai-kb/txn`` inside the store: on the same file system as the notes, hidden
from org-roam (no ``.org`` name) and from git (a ``.gitignore`` of its own).  The record is written
before the first note is touched.  Whoever finds one later holds the lock, so its writer is dead: if
HEAD has the new bytes the write is finished, else the old bytes are put back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import JOURNAL
from aikb.errors import DiskError
from aikb.writing.files import (
    FILE_MODE,
    FOLDER_MODE,
    close,
    disk_errors,
    keep_file,
    leads_elsewhere,
    move_into_place,
    read_or_none,
    remove,
    sync_folder,
    write_synced,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Change

FOLDER = JOURNAL.partition("/")[0]
_RECORD = "record.json"
_STAGED = re.compile(r"\d+\.(?:new|old)")


class Entry(NamedTuple):
    """One file of a write: digests of its old and new bytes (None: not there), staged and kept."""

    path: str
    old: str | None
    new: str | None
    staged: str | None
    kept: str | None


class Journal:
    """The staging area of one store, for who holds the lock.

    *private*: its files are for their owner alone; else each keeps the permissions that it has.

    Leaving its ``with`` block forgets everything, unless a write was begun and not brought to an
    end: then the record stays, and the next command does that.
    """

    def __init__(self, root: str, *, private: bool = False) -> None:
        self.root = root
        self._private = private
        self.folder = os.path.join(root, JOURNAL)
        self.entries: list[Entry] = []
        self._begun = False  # from step 8 on, until it is settled

    def __enter__(self) -> Journal:
        self.entries = []
        return self

    def __exit__(self, *_: object) -> None:
        if not self._begun:
            self.discard()

    # -- step 5

    def stage(self, changes: Sequence[Change]) -> list[str]:
        """Write the new bytes beside the notes, and give the old ones a second name there.

        Returns:
            For each change the place of its new bytes.

        Raises:
            DiskError: there is no room, or no permission.
        """
        places = []
        with disk_errors(self.folder):
            if changes and not self.entries:
                self._make_folder()
            for change in changes:
                number = len(self.entries)
                staged = kept = None
                mode = FILE_MODE
                place = os.path.join(self.root, change.path)
                if change.before is not None and change.after != change.before:
                    kept = f"{number}.old"
                    mode = keep_file(self.root, change.path, self._path(kept))
                    mode &= FOLDER_MODE if self._private else ~0
                if change.after is not None and change.after != change.before:
                    staged = f"{number}.new"
                    place = self._path(staged)
                    write_synced(place, change.after, mode)
                entry = Entry(
                    change.path, digest(change.before), digest(change.after), staged, kept
                )
                self.entries.append(entry)
                places.append(place)
        return places

    def restart(self) -> None:
        """Forget what was staged, and begin anew."""
        self.discard()
        self.entries = []

    def _make_folder(self) -> None:
        if self._is_elsewhere():
            raise DiskError(f"'{FOLDER}' is a symbolic link", "Remove it; nothing was changed.")
        self.discard()
        os.makedirs(self.folder, FOLDER_MODE)
        ignore = os.path.join(self.root, FOLDER, ".gitignore")
        if not os.path.exists(ignore):
            write_synced(ignore, b"*\n")

    def _is_elsewhere(self) -> bool:
        """Whether somebody made a link of our folder: what it leads to is not ours to change."""
        return os.path.islink(os.path.join(self.root, FOLDER))

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    # -- step 8

    def promote(self, git_index: str) -> None:
        """Record the write, then move everything into place, sources first and the index last.

        Raises:
            DiskError: a file could not be moved; the old bytes are back.
        """
        with disk_errors(self.root):
            self._keep_git_index(git_index)
            record = json.dumps([list(entry) for entry in self.entries]).encode()
            write_synced(self._path(_RECORD + ".part"), record)
            self._begun = True
            os.rename(self._path(_RECORD + ".part"), self._path(_RECORD))
            sync_folder(self.folder)
            sync_folder(os.path.dirname(self.folder))
        for entry in sorted(self.entries, key=_order):
            if entry.staged:
                move_into_place(self._path(entry.staged), self.root, entry.path)
            elif entry.new is None:
                remove(self.root, entry.path)
            elif self._private:
                with disk_errors(entry.path):
                    close(self.root, entry.path)

    def _keep_git_index(self, path: str) -> None:
        """Git replaces its index and never writes into it, so that a second name keeps the old one."""
        if os.path.exists(path):
            try:
                os.link(path, self.kept_git_index)
            except OSError:  # another file system, or one without such links
                shutil.copyfile(path, self.kept_git_index)

    @property
    def kept_git_index(self) -> str:
        """Where git's index as it was before the write is kept."""
        return self._path("git-index")

    def put_forward(self) -> None:
        """End a promotion that stopped halfway; a file that somebody changed meanwhile is left."""
        for entry in self.entries:
            if digest(read_or_none(self.root, entry.path)) != entry.old:
                continue
            if entry.new is None:
                remove(self.root, entry.path)
            elif entry.staged and os.path.exists(self._path(entry.staged)):
                move_into_place(self._path(entry.staged), self.root, entry.path)

    def put_back(self) -> list[str]:
        """Undo a promotion.  A file that somebody changed meanwhile is left; such paths are given."""
        left = []
        for entry in self.entries:
            if entry.old == entry.new:
                continue
            now = digest(read_or_none(self.root, entry.path))
            if now == entry.old:
                continue
            if now != entry.new:
                left.append(entry.path)
            elif entry.kept is None:
                remove(self.root, entry.path)
            else:
                move_into_place(self._path(entry.kept), self.root, entry.path)
        return left

    # -- afterwards

    def discard(self) -> None:
        """Forget the staged bytes; the record goes first, so that it never names what is gone."""
        if self._is_elsewhere():
            return
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(_RECORD))
        shutil.rmtree(self.folder, ignore_errors=True)
        self._begun = False

    def interrupted(self) -> bool:
        """Whether a write is under way, or its process died."""
        return os.path.isdir(self.folder) and not self._is_elsewhere()

    def reopen(self) -> bool:
        """Take up the record of a write whose process died; False if it had changed nothing yet."""
        try:
            with open(self._path(_RECORD), encoding="utf-8") as file:
                entries = [Entry(*fields) for fields in json.load(file)]
        except (FileNotFoundError, ValueError, TypeError):
            return False
        if not all(map(_is_ours, entries)):
            return False
        self.entries = entries
        return True


def digest(data: bytes | None) -> str | None:
    """A name for bytes that never is the same for others."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def _is_ours(entry: Entry) -> bool:
    """Whether a record's entry can have been written here: one may come by a pull or a copy."""
    words = (entry.path, entry.old, entry.new, entry.staged, entry.kept)
    names = [name for name in (entry.staged, entry.kept) if name is not None]
    return (
        all(word is None or isinstance(word, str) for word in words)
        and isinstance(entry.path, str)
        and not leads_elsewhere(entry.path)
        and all(_STAGED.fullmatch(name) for name in names)
    )


def _order(entry: Entry) -> tuple[int, str]:
    if entry.new is None:
        return 3, entry.path
    if entry.path.startswith("raw/"):
        return 0, entry.path
    name = entry.path.rpartition("/")[2]
    return (2 if name.startswith("index") else 1), entry.path
