"""What changed since the cache was written whole is kept by itself; nobody can tell the difference."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

from aikb.sources.org_store import OrgStore
from aikb.tools.sqlite import NoteCache
from builders import make_note, note_text

if TYPE_CHECKING:
    from pathlib import Path

COUNT = 230  # more than are written by themselves


def put(root: Path, number: int, title: str) -> None:
    note = make_note(number, title=title)
    path = root / note.path
    path.write_text(note_text(note))
    old = time.time() - 10
    os.utime(path, (old, old))


def assert_same(root: Path, cache: str) -> None:
    """A new process with the cache sees what one without it sees, and finds it."""
    without = OrgStore(str(root)).snapshot()
    store = OrgStore(str(root), NoteCache(cache))
    assert store.snapshot() == without
    time.sleep(0.06)  # until the files count as settled
    fresh = OrgStore(str(root), NoteCache(cache))
    found = fresh.search(["changed"], None)
    assert found is not None
    assert {n.id for n in found} == {n.id for n in without.notes if "Changed" in n.title}


def test_files_that_change_come_and_go_one_after_another(tmp_path):
    root, cache = tmp_path / "store", str(tmp_path / "cache/notes.db")
    root.mkdir()
    for number in range(COUNT):
        put(root, number, f"Note {number}")
    assert_same(root, cache)
    chance = random.Random(5)
    for number in range(12):
        put(root, chance.randrange(COUNT), f"Changed {number}")
        put(root, COUNT + number, f"Changed new {number}")
        gone = root / make_note(chance.randrange(COUNT + number)).path
        gone.unlink(missing_ok=True)
        assert_same(root, cache)
    for number in range(COUNT):  # so many that all is written again
        put(root, number, f"Changed again {number}")
    assert_same(root, cache)


def test_two_processes_that_know_different_things_harm_nobody(tmp_path, monkeypatch):
    root, cache = tmp_path / "store", str(tmp_path / "cache/notes.db")
    root.mkdir()
    for number in range(20):
        put(root, number, f"Note {number}")
    assert_same(root, cache)
    first, second = (OrgStore(str(root), NoteCache(cache)) for _ in range(2))
    stale = first.cache.load()
    put(root, 3, "Changed by one")
    (root / make_note(4).path).unlink()
    second.snapshot()
    put(root, 4, "Changed and back")
    put(root, 5, "Changed by the other")
    monkeypatch.setattr(first.cache, "load", lambda: stale)
    first.snapshot()
    assert_same(root, cache)


def test_a_damaged_part_is_noticed_and_all_is_read_again(tmp_path):
    root, cache = tmp_path / "store", str(tmp_path / "cache/notes.db")
    root.mkdir()
    for number in range(20):
        put(root, number, f"Note {number}")
    assert_same(root, cache)
    put(root, 3, "Changed")
    assert_same(root, cache)
    import sqlite3

    with sqlite3.connect(cache) as db:
        (value,) = db.execute("SELECT value FROM meta WHERE key='recent'").fetchone()
        assert len(value) > 100, "the change stands there"
        db.execute("UPDATE meta SET value=? WHERE key='recent'", (value[:-9] + b"\0" * 9,))
    assert_same(root, cache)
