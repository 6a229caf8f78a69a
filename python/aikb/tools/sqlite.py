"""The door to SQLite: a cache of what was read from each note file, and a full-text table over it.

It is a cache: whoever deletes or damages it loses time and nothing else.  Each row carries a
checksum, so that damage inside a page is noticed too; any trouble at all and the file is dropped.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import zlib
from typing import TYPE_CHECKING, NamedTuple

from aikb.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_VERSION = 1
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE file (path TEXT PRIMARY KEY, stat TEXT, crc INTEGER, notes TEXT) WITHOUT ROWID;
CREATE TABLE note (rowid INTEGER PRIMARY KEY, path TEXT, crc INTEGER, note TEXT);
CREATE INDEX note_path ON note (path);
CREATE VIRTUAL TABLE words USING fts5 (
    title, tags, projects, summary, content='', tokenize='unicode61 remove_diacritics 2'
);
"""
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff\uf900-\ufaff]")
_WEIGHTS = "10.0, 6.0, 4.0, 2.0"


class Cached(NamedTuple):
    """A file as it was when it was read: the signature of its state, and its notes."""

    stat: str
    notes: tuple[Note, ...]


class NoteCache:
    """The cache of one source; every method tolerates that it is missing, locked or damaged."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            folder = os.path.dirname(self.path)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=0.5, isolation_level=None)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != _VERSION:
                if version or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    db.close()
                    self._drop()
                    db = sqlite3.connect(self.path, timeout=0.5, isolation_level=None)
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
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                os.unlink(self.path + suffix)

    def load(self) -> dict[str, Cached]:
        """Everything that is known, by path; empty when there is nothing to trust."""
        try:
            rows = self._open().execute("SELECT path, stat, crc, notes FROM file").fetchall()
            crc32 = zlib.crc32
            if all(
                crc32(f"{path}\0{stat}\0{notes}".encode()) == crc for path, stat, crc, notes in rows
            ):
                parsed = json.loads(f"[{','.join(row[3] for row in rows)}]")
                return {
                    row[0]: Cached(row[1], tuple([_to_note(fields) for fields in notes]))
                    for row, notes in zip(rows, parsed, strict=True)
                }
        except (sqlite3.Error, OSError, ValueError, TypeError):
            pass
        self._drop()
        return {}

    def store(self, changed: Mapping[str, Cached], gone: Iterable[str], fingerprint: bytes) -> None:
        """Remember files as read; *fingerprint* names the state of the whole source."""
        try:
            db = self._open()
            db.execute("BEGIN IMMEDIATE")
            _remove(db, [*gone, *changed])
            _insert(db, changed)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('fingerprint', ?)", (fingerprint,))
            db.execute("COMMIT")
        except sqlite3.OperationalError:  # another process is writing the same: let it
            with contextlib.suppress(sqlite3.Error):
                if self._db is not None and self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except (sqlite3.Error, OSError):
            self._drop()

    def fingerprint(self) -> bytes | None:
        """The state of the source for which :meth:`search` answers."""
        try:
            row = self._open().execute("SELECT value FROM meta WHERE key='fingerprint'").fetchone()
        except (sqlite3.Error, OSError):
            self._drop()
            return None
        return row[0] if row else None

    def search(self, words: Sequence[str], limit: int | None) -> list[Note] | None:
        """Notes that have every word (as beginnings of words), best first; None: ask the files."""
        query = " ".join(filter(None, map(_term, words)))
        if not query:
            return None
        try:
            rows = (
                self._open()
                .execute(
                    "SELECT note.path, note.crc, note.note FROM words JOIN note ON note.rowid = words.rowid"
                    f" WHERE words MATCH ? ORDER BY bm25(words, {_WEIGHTS}), note.path, note.rowid LIMIT ?",
                    (query, -1 if limit is None else limit),
                )
                .fetchall()
            )
            if all(zlib.crc32(text.encode()) == crc for _, crc, text in rows):
                return [_to_note(json.loads(text)) for _, _, text in rows]
        except (sqlite3.Error, OSError, ValueError, TypeError):
            pass
        self._drop()
        return None


def _to_note(fields: list[object]) -> Note:
    fields[5] = tuple(fields[5])  # type: ignore[arg-type]
    fields[6] = tuple(fields[6])  # type: ignore[arg-type]
    return Note._make(fields)


def _remove(db: sqlite3.Connection, paths: Sequence[str]) -> None:
    for path in paths:
        for rowid, text in db.execute(
            "SELECT rowid, note FROM note WHERE path=?", (path,)
        ).fetchall():
            note = _to_note(json.loads(text))
            db.execute(
                "INSERT INTO words (words, rowid, title, tags, projects, summary)"
                " VALUES ('delete', ?, ?, ?, ?, ?)",
                (rowid, *_columns(note)),
            )
        db.execute("DELETE FROM note WHERE path=?", (path,))
        db.execute("DELETE FROM file WHERE path=?", (path,))


def _insert(db: sqlite3.Connection, files: Mapping[str, Cached]) -> None:
    (top,) = db.execute("SELECT coalesce(max(rowid), 0) FROM note").fetchone()
    file_rows, note_rows, word_rows = [], [], []
    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for path, cached in files.items():
        texts = [dumps(note) for note in cached.notes]
        notes = f"[{','.join(texts)}]"
        crc = zlib.crc32(f"{path}\0{cached.stat}\0{notes}".encode())
        file_rows.append((path, cached.stat, crc, notes))
        for note, text in zip(cached.notes, texts, strict=True):
            top += 1
            note_rows.append((top, path, zlib.crc32(text.encode()), text))
            word_rows.append((top, *_columns(note)))
    db.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", file_rows)
    db.executemany("INSERT INTO note VALUES (?, ?, ?, ?)", note_rows)
    db.executemany(
        "INSERT INTO words (rowid, title, tags, projects, summary) VALUES (?, ?, ?, ?, ?)",
        word_rows,
    )


def _columns(note: Note) -> tuple[str, str, str, str]:
    return (
        _spread(note.title),
        _spread(" ".join(note.tags)),
        _spread(" ".join(note.projects)),
        _spread(note.summary),
    )


def _spread(text: str) -> str:
    """Chinese, Japanese and Korean one character a word: they are written without spaces."""
    if text.isascii():
        return text
    return _WIDE.sub(r" \g<0> ", text)


def _term(word: str) -> str:
    """A word of a query as FTS5 wants it: quoted, and the last piece open at its end."""
    clean = "".join(c if c.isalnum() else " " for c in _spread(word)).split()
    if not clean:
        return ""
    return f'"{" ".join(clean)}"*'
