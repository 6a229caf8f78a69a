"""The door to SQLite: a cache of what was read from each note file, and a full-text table over it.

It is a cache: whoever deletes or damages it loses time and nothing else.  Each row carries a
checksum, so that damage inside a page is noticed too; any trouble at all and the file is dropped.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import sqlite3
import sys
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.model import Note
from aikb.tools.full_text import columns, pieces, term

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# marshal's form belongs to one Python; another one finds a cache that it does not know.
_VERSION = 6 << 16 | sys.version_info.major << 8 | sys.version_info.minor
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB);
CREATE TABLE file (path TEXT PRIMARY KEY, first INTEGER, count INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE note USING fts5 (
    title, tags, projects, summary, whole UNINDEXED, crc UNINDEXED,
    tokenize='unicode61 remove_diacritics 2'
);
"""
_SEARCH = """
SELECT whole, crc FROM note WHERE note MATCH ?
ORDER BY bm25(note, 10.0, 6.0, 4.0, 2.0), rowid LIMIT ?
"""
# The seventh and eighth value of a note as it is kept whole: its projects and its status.
_OF_PROJECT = """
SELECT json_extract(whole, '$[6]') FROM note
WHERE note MATCH ? AND json_extract(whole, '$[7]') != 'superseded'
"""
_FEW = 200  # files that are written by themselves beside the value of all


class Cached(NamedTuple):
    """A file as it was when it was read: the signature of its state, and its notes."""

    stat: str
    notes: tuple[Note, ...]


class NoteCache:
    """The cache of one source; every method tolerates that it is missing, locked or damaged.

    The notes of all files are one value, because a command that wants them wants all of them, and
    one value is read ten times as fast as a row for each file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None
        self._recent: dict[str, Cached | None] | None = None  # since all was written; None: unknown

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            db = _connect(self.path)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != _VERSION:
                if version or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    db.close()
                    self._drop()
                    db = _connect(self.path)
                db.execute("PRAGMA journal_mode=WAL")
                db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={_VERSION};COMMIT;")
            db.execute("PRAGMA synchronous=OFF")
            self._db = db
        return self._db

    def _drop(self) -> None:
        """Forget everything."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        self._recent = None
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                os.unlink(self.path + suffix)

    def _meta(self, key: str) -> bytes | None:
        row = self._open().execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return row[0] if row else None

    def load(self) -> dict[str, Cached]:
        """Everything that is known, by path; empty when there is nothing to trust."""
        try:
            files = self._files("notes")
            if files is None:
                return {}
            recent = {path: (stat, notes) for path, stat, notes in self._files("recent") or ()}
            make = Note._make
            known = {
                path: Cached(stat, tuple(map(make, notes)))
                for path, stat, notes in files
                if path not in recent
            }
            self._recent = {
                path: None if notes is None else Cached(stat, tuple(map(make, notes)))
                for path, (stat, notes) in recent.items()
            }
        except (sqlite3.Error, OSError, ValueError, TypeError, EOFError):
            self._drop()
            return {}
        return known | {path: cached for path, cached in self._recent.items() if cached}

    def _files(self, key: str) -> Any:
        """Path, signature and notes of the files that a value holds; None without that value."""
        value = self._meta(key)
        if value is None:
            return None
        if zlib.crc32(value[4:]).to_bytes(4, "big") != value[:4]:
            raise ValueError(key)
        return marshal.loads(value[4:])  # our own bytes: the checksum says so

    def store(
        self,
        known: Mapping[str, Cached],
        changed: Iterable[str],
        gone: Iterable[str],
        fingerprint: bytes,
    ) -> bool:
        """Remember all files that are *known*, of which some *changed*; whether that could be done.

        What changed since all was written last is written by itself, until it is much.
        *fingerprint* names the state of the whole source; empty: it may change unseen.
        """
        changed, gone = list(changed), list(gone)
        recent: dict[str, Cached | None] = {path: known[path] for path in changed}
        recent = (self._recent or {}) | recent | dict.fromkeys(gone)
        whole = self._recent is None or len(recent) > max(_FEW, len(known) // 50)
        if whole:
            recent = {}
        try:
            db = self._open()
            db.execute("BEGIN IMMEDIATE")
            _remove(db, [*gone, *changed])
            _insert(db, {path: known[path] for path in changed})
            values = {"recent": _packed(recent), "fingerprint": fingerprint}
            if whole:
                values["notes"] = _packed(known)
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())
            db.execute("COMMIT")
        except sqlite3.OperationalError:  # another process is writing the same: let it
            with contextlib.suppress(sqlite3.Error):
                if self._db is not None and self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except (sqlite3.Error, OSError):
            self._drop()
        else:
            self._recent = recent
            return True
        return False

    def fingerprint(self) -> bytes | None:
        """The state of the source for which :meth:`search` answers."""
        try:
            return self._meta("fingerprint")
        except (sqlite3.Error, OSError):
            self._drop()
            return None

    def search(self, words: Sequence[str], limit: int | None) -> list[Note] | None:
        """Notes that have every word (as beginnings of words), best first; None: ask the files."""
        query = " ".join(filter(None, map(term, words)))
        if not query:
            return None
        try:
            rows = self._open().execute(_SEARCH, (query, -1 if limit is None else limit)).fetchall()
            if all(zlib.crc32(whole.encode()) == crc for whole, crc in rows):
                return [_to_note(json.loads(whole)) for whole, _ in rows]
        except (sqlite3.Error, OSError, ValueError, TypeError, IndexError):
            pass
        self._drop()
        return None

    def holders(self, terms: Iterable[str], most: int) -> dict[str, list[int]] | None:
        """For each term (see :mod:`aikb.rules.near`) the rows of notes that have it; None: cannot say.

        At most ``most + 1`` a term: one that has more is common and leads nowhere.
        """
        query = "SELECT rowid FROM note WHERE note MATCH ? LIMIT ?"
        try:
            ask = self._open().execute
            return {t: [row for (row,) in ask(query, (f'"{t}"', most + 1))] for t in terms}
        except (sqlite3.Error, OSError):
            self._drop()
            return None

    def count_project(self, project: str) -> int | None:
        """How many notes name *project* and are not superseded; None: it cannot say."""
        phrase = pieces(project)
        if not phrase:
            return 0
        try:
            rows = self._open().execute(_OF_PROJECT, (f'projects : "{phrase}"',)).fetchall()
            wanted = project.casefold()
            return sum(wanted in map(str.casefold, json.loads(names)) for (names,) in rows)
        except (sqlite3.Error, OSError, ValueError, TypeError):
            self._drop()
            return None

    def places(self, rows: Iterable[int]) -> list[tuple[str, str]] | None:
        """Id and path of the notes in these rows, in their order; None: it is damaged."""
        query = "SELECT whole, crc FROM note WHERE rowid=?"
        try:
            found = [self._open().execute(query, (row,)).fetchone() for row in rows]
            if all(zlib.crc32(whole.encode()) == crc for whole, crc in found):
                return [tuple(json.loads(whole)[:2]) for whole, _ in found]
        except (sqlite3.Error, OSError, ValueError, TypeError, AttributeError):
            pass
        self._drop()
        return None


def _packed(files: Mapping[str, Cached | None]) -> bytes:
    """Files as one value, with its checksum."""
    rows = [
        (path, c.stat, [tuple(note) for note in c.notes]) if c else (path, "", None)
        for path, c in files.items()
    ]
    data = marshal.dumps(rows)
    return zlib.crc32(data).to_bytes(4, "big") + data


def _connect(path: str) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=0.5, isolation_level=None)


def _to_note(fields: list[object]) -> Note:
    fields[5] = tuple(fields[5])  # type: ignore[arg-type]
    fields[6] = tuple(fields[6])  # type: ignore[arg-type]
    return Note._make(fields)


def _remove(db: sqlite3.Connection, paths: Sequence[str]) -> None:
    for path in paths:
        row = db.execute("SELECT first, count FROM file WHERE path=?", (path,)).fetchone()
        if row:
            db.execute("DELETE FROM note WHERE rowid >= ? AND rowid < ?", (row[0], row[0] + row[1]))
            db.execute("DELETE FROM file WHERE path=?", (path,))


def _insert(db: sqlite3.Connection, files: Mapping[str, Cached]) -> None:
    (top,) = db.execute("SELECT coalesce(max(first + count), 1) FROM file").fetchone()
    file_rows, note_rows = [], []
    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for path, cached in files.items():
        file_rows.append((path, top, len(cached.notes)))
        for note in cached.notes:
            whole = dumps(note)
            note_rows.append((top, *columns(note), whole, zlib.crc32(whole.encode())))
            top += 1
    db.executemany("INSERT INTO file VALUES (?, ?, ?)", file_rows)
    db.executemany(
        "INSERT INTO note (rowid, title, tags, projects, summary, whole, crc)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        note_rows,
    )
