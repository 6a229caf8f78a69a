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
import shutil
from typing import TYPE_CHECKING, NamedTuple

from aikb.writing.files import (
    FOLDER_MODE,
    disk_errors,
    move_into_place,
    read_or_none,
    remove,
    sync_folder,
    write_synced,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Change

FOLDER = ".ai-kb"
_RECORD = "record.json"


class Entry(NamedTuple):
    """One file of a write: digests of its old and new bytes (None: not there), staged and kept."""

    path: str
    old: str | None
    new: str | None
    staged: str | None
    kept: str | None


class Journal:
    """The staging area of one store; used only by who holds the lock."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folder = os.path.join(root, FOLDER, "txn")

    # -- step 5

    def stage(self, changes: Sequence[Change]) -> list[Entry]:
        """Write the new bytes, and copies of the old ones, beside the notes.

        Raises:
            DiskError: there is no room, or no permission; nothing of it is left.
        """
        entries = []
        with disk_errors(self.folder):
            self.discard()
            os.makedirs(self.folder, FOLDER_MODE)
            ignore = os.path.join(self.root, FOLDER, ".gitignore")
            if not os.path.exists(ignore):
                write_synced(ignore, b"*\n")
            try:
                for number, change in enumerate(changes):
                    staged = kept = None
                    if change.after is not None and change.after != change.before:
                        staged = f"{number}.new"
                        write_synced(os.path.join(self.folder, staged), change.after)
                    if change.before is not None and change.after != change.before:
                        kept = f"{number}.old"
                        write_synced(os.path.join(self.folder, kept), change.before)
                    entries.append(
                        Entry(
                            change.path, digest(change.before), digest(change.after), staged, kept
                        )
                    )
            except BaseException:
                self.discard()
                raise
        return entries

    def staged_path(self, entry: Entry) -> str:
        """Where Emacs finds a file's new bytes."""
        if entry.staged is None:
            return os.path.join(self.root, entry.path)
        return os.path.join(self.folder, entry.staged)

    # -- step 8

    def promote(self, entries: Sequence[Entry]) -> None:
        """Record the write, then move everything into place, sources first and the index last.

        Raises:
            DiskError: a file could not be moved; the old bytes are back.
        """
        with disk_errors(self.root):
            record = json.dumps([list(entry) for entry in entries]).encode()
            write_synced(os.path.join(self.folder, _RECORD + ".part"), record)
            os.rename(
                os.path.join(self.folder, _RECORD + ".part"), os.path.join(self.folder, _RECORD)
            )
            sync_folder(self.folder)
        try:
            for entry in sorted(entries, key=_order):
                with disk_errors(entry.path):
                    if entry.staged:
                        staged = os.path.join(self.folder, entry.staged)
                        move_into_place(staged, self.root, entry.path)
                    elif entry.new is None:
                        remove(self.root, entry.path)
        except BaseException:
            self.put_back(entries)
            raise

    def put_back(self, entries: Sequence[Entry]) -> list[str]:
        """Undo a promotion.  A file that somebody changed meanwhile is left; such paths are given."""
        left = []
        for entry in entries:
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
                kept = os.path.join(self.folder, entry.kept)
                move_into_place(kept, self.root, entry.path)
        return left

    # -- afterwards

    def discard(self) -> None:
        """Forget the staged bytes; the record goes first, so that it never names what is gone."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.folder, _RECORD))
        shutil.rmtree(self.folder, ignore_errors=True)

    def unfinished(self) -> list[Entry] | None:
        """The record of a write whose process died; an empty list if it died while staging."""
        try:
            with open(os.path.join(self.folder, _RECORD), encoding="utf-8") as file:
                return [Entry(*fields) for fields in json.load(file)]
        except FileNotFoundError:
            return [] if os.path.isdir(self.folder) else None
        except (ValueError, TypeError):
            return []


def digest(data: bytes | None) -> str | None:
    """A name for bytes that never is the same for others."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def _order(entry: Entry) -> tuple[int, str]:
    if entry.new is None:
        return 3, entry.path
    if entry.path.startswith("raw/"):
        return 0, entry.path
    name = entry.path.rpartition("/")[2]
    return (2 if name.startswith("index") else 1), entry.path
