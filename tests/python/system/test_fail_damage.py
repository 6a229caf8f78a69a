"""git's index cut at any length, and index.org mangled in any way: both are made anew, nothing is lost."""

from __future__ import annotations

import os

import pytest
from world import ALPHA, BETA, note

ENTRIES = 12  # where the entries of git's index begin


def lengths(size):
    """A length of each class: nothing, in the header, at an entry's begin, inside, in the checksum."""
    return {0, 4, ENTRIES - 1, ENTRIES, ENTRIES + 62, size // 2, size - 21, size - 20, size - 1}


def test_gits_index_cut_at_any_length_or_flipped_is_read_anew(world):
    index = world.store / ".git/index"
    world.write("staged.org", note("Staged"))
    for number, length in enumerate(sorted(lengths(index.stat().st_size))):
        world.git("add", "staged.org")
        index.write_bytes(index.read_bytes()[:length])
        ran = world.ok("edit", ALPHA, "--add-tag", f"t{number}")
        assert "repaired: " in ran.err, length
        assert world.at_head("beta.org"), f"cut at {length}, and a file is lost"
        assert world.git("status", "--porcelain") == "?? staged.org\n"
    for place in (5, ENTRIES + 20, -5):
        data = bytearray(index.read_bytes())
        data[place] ^= 0x20
        index.write_bytes(data)
        assert "repaired: " in world.ok("edit", ALPHA, "--add-tag", f"f{place % 97}").err, place
    index.write_bytes(index.read_bytes() + b"more")
    assert "repaired: " in world.ok("edit", ALPHA, "--add-tag", "more").err
    world.ok("commit")
    world.assert_sound()


MANGLED = {
    "deleted": None,
    "emptied": lambda good: b"",
    "cut": lambda good: good[: len(good) // 2],
    "cut in its head": lambda good: good[:40],
    "in conflict": lambda good: (
        b"<<<<<<< ours\n" + good + b"=======\n" + good + b">>>>>>> theirs\n"
    ),
    "twice": lambda good: good * 2,
    "with NULs": lambda good: good + bytes(4096),
    "no UTF-8": lambda good: good.replace(b"Alpha", b"\xff\xfe"),
    "CRLF": lambda good: good.replace(b"\n", b"\r\n"),
    "with a mark before it": lambda good: b"\xef\xbb\xbf" + good,
    "without its id": lambda good: good.replace(b":ID:", b":XX:"),
    "with another id": lambda good: good.replace(b":ID:       ", b":ID:       0"),
    "with a note's id": lambda good: good.replace(good[24:60], ALPHA.encode()),
    "with a row less": lambda good: good.replace(b"| Alpha", b"# Alpha"),
    "somebody's words": lambda good: b"My own words.\n",
    "huge": lambda good: good + b"x" * 20_000_000,
}


def test_a_mangled_index_is_as_it_was_after_the_next_command(world):
    index = world.store / "index.org"
    good = index.read_bytes()
    for name, mangle in MANGLED.items():
        index.unlink()
        if mangle:
            index.write_bytes(mangle(good))
        world.ok("index")
        assert index.read_bytes() == good, name
        assert world.git("status", "--porcelain") == ""
    kept = [path.read_bytes() for path in (world.store / ".ai-kb/replaced").iterdir()]
    assert b"My own words.\n" in kept
    world.assert_sound()


@pytest.mark.parametrize("what", ["a folder", "a link", "a link to nothing", "a pipe"])
def test_something_else_in_the_indexs_place_is_named_and_nobody_waits(world, what):
    index = world.store / "index.org"
    good = index.read_bytes()
    index.unlink()
    make = {
        "a folder": index.mkdir,
        "a link": lambda: index.symlink_to("alpha.org"),
        "a link to nothing": lambda: index.symlink_to("nowhere"),
        "a pipe": lambda: os.mkfifo(index),
    }
    make[what]()
    commit = world.head()
    for words in (("index",), ("edit", BETA, "--add-tag", "x")):
        ran = world.run(*words, timeout=20)
        assert ran.code == 1
        assert "'index.org' is no regular file" in ran.err
        assert "move it away" in ran.err
    for words in (("find", "alpha"), ("status",), ("backlinks", BETA)):
        world.ok(*words, timeout=20)
    assert world.head() == commit
    (index.rmdir if what == "a folder" else index.unlink)()
    world.ok("index")
    assert index.read_bytes() == good
    world.assert_sound()


def test_a_pipe_with_a_notes_name_holds_nobody_up(world):
    os.mkfifo(world.store / "pipe.org")
    world.new("Beside it")
    for words in (("commit",), ("check", "--all"), ("find", "beside"), ("status",)):
        world.ok(*words, timeout=20)
    ran = world.run("check", "pipe.org", timeout=20)
    assert ran.code in (1, 2)
    assert "pipe.org" in ran.err
