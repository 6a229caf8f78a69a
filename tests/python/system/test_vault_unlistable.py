"""A folder of a vault that cannot be listed, and files that no commit takes: named, and harmful to nothing."""

from __future__ import annotations

import ctypes
import os

import pytest
from vault_world import markdown

_DROP, _OVERRIDE, _SEARCH = 24, 1, 2  # prctl(PR_CAPBSET_DROP), and what lets root read everything


def _as_anybody():
    """In a child: what it executes may not do more than a file's mode allows, root or not."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for right in (_OVERRIDE, _SEARCH):
        if prctl(_DROP, right, 0, 0, 0) and os.geteuid() == 0:
            raise OSError(ctypes.get_errno(), "the right cannot be dropped")


@pytest.fixture(params=["git", "plain"])
def shut(request):
    """A vault of either kind with a folder that nobody may list, and another note."""
    world = request.getfixturevalue("repository" if request.param == "git" else "plain")
    world.write("open.md", markdown("Open", "x", "See [[Nowhere]]."))
    world.write("private/in.md", markdown("In", "x"))
    world.run("vault", "commit")
    world.ok("vault", "index")
    (world.store / "private").chmod(0)
    yield world
    (world.store / "private").chmod(0o700)


def anybody(world, *words, stdin=""):
    return world.run(*words, stdin=stdin, preexec_fn=_as_anybody)


def test_what_reads_goes_on_and_names_the_folder(shut):
    ran = anybody(shut, "vault", "find", "x")
    assert (ran.code, ran.out) == (0, "- open.md: Open - See Nowhere.\n")
    assert "private:1: error unlistable-folder" in ran.err
    ran = anybody(shut, "vault", "recall", "open")
    assert (ran.code, "# Open" in ran.out) == (0, True)
    assert "private:1: error unlistable-folder" in ran.err
    ran = anybody(shut, "vault", "check")
    assert ran.code == 1
    assert "private:1: error unlistable-folder the folder cannot be listed (Permission" in ran.out
    assert "open.md:8: warning broken-link" in ran.out
    ran = anybody(shut, "vault", "hubs")
    assert (ran.code, "private:1: error unlistable-folder" in ran.err) == (0, True)
    ran = anybody(shut, "vault", "status")
    assert (ran.code, "unlistable private/" in ran.out) == (0, True)
    now = anybody(shut, "vault", "status", "--json").json
    assert (now["unlistable"], now["index_current"]) == (["private"], None)


def test_nothing_is_written_since_its_notes_would_leave_the_index(shut):
    before = shut.paths("x")
    assert before == ["private/in.md", "open.md"]
    new = ("new", "--type", "howto", "--title", "T", "--tags", "t", "--body-file", "-")
    for words in (("index",), ("index", "--check"), ("commit",), ("commit", "open.md"), new):
        ran = anybody(shut, "vault", *words, stdin="Words.")
        assert ran.code == 1, words
        assert "'private': the folder cannot be listed" in ran.err
        assert "Traceback" not in ran.err
    assert shut.paths("x") == before
    (shut.store / "private").chmod(0o700)
    assert len(shut.ok("vault", "find", "x").out.splitlines()) == 2
    shut.ok("vault", "index", "--check")


def test_what_a_disk_check_left_is_no_folder_of_notes(repository):
    (repository.store / "lost+found").mkdir(mode=0)
    repository.write("a.md", markdown("A", "x"))
    assert anybody(repository, "vault", "commit").code == 0
    ran = anybody(repository, "vault", "check")
    assert "lost+found" not in ran.out + ran.err


def test_a_name_with_a_line_end_and_a_pipe_are_named(plain):
    plain.write("a\nb.md", markdown("A", "x"))
    os.mkfifo(plain.store / "fifo.md")
    plain.write("good.md", markdown("Good", "x"))
    ran = plain.run("vault", "check")
    assert ran.code == 1
    assert "a\\nb.md:1: error file-name the name has a character that cannot be seen" in ran.out
    assert "fifo.md:1: warning special-file" in ran.out
    assert "good.md" not in ran.out
    assert plain.run("vault", "check", "fifo.md").out.startswith("fifo.md:1: warning special-file")
