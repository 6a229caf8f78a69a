"""What a person's own merge finds where words clash: markers around these, and nothing else undone."""

from __future__ import annotations

import os

import pytest

import builders
from aikb.sync.driver import drive
from aikb.tools.git import Git

LOG = ":LOGBOOK:\n- Made [2026-01-02].\n:END:\n\n"
BASE = builders.node(f"{LOG}First.\n\nSecond.\n\nThird.\n").replace("\n\n:LOG", "\n:LOG")


@pytest.fixture
def merge(tmp_path):
    def merged(base, ours, theirs, name="a.org"):
        places = []
        for side, text in (("base", base), ("ours", ours), ("theirs", theirs)):
            places.append(tmp_path / side)
            places[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
        git = Git(str(tmp_path), {"PATH": os.environ["PATH"]})
        done = drive(git, *map(str, places), name)
        return done, (tmp_path / "ours").read_bytes().decode()

    return merged


def test_markers_stand_around_words_and_history_is_whole(merge):
    ours, theirs = (
        BASE.replace("- Made", f"- Seen [2026-02-0{n}].\n- Made").replace("Second.", words)
        for n, words in ((1, "Mine."), (2, "Hers."))
    )
    done, text = merge(BASE, ours, theirs)
    assert not done
    assert "- Seen [2026-02-02].\n- Seen [2026-02-01].\n- Made [2026-01-02].\n:END:\n" in text
    assert "<<<<<<< ours\nMine.\n=======\nHers.\n>>>>>>> theirs\n" in text
    assert text.count("<<<<<<<") == 1


def test_what_else_clashes_has_markers_named_by_side(merge):
    ours, theirs = (BASE.replace("chat 2026", f"chat {who} 2026") for who in ("a", "b"))
    done, text = merge(BASE, ours, theirs)
    assert not done
    assert "<<<<<<< ours\n" in text
    assert ">>>>>>> theirs\n" in text


def test_a_markdown_note_too(merge):
    base = "---\ntags:\n  - a\n---\n\nFirst.\n"
    ours, theirs = (
        base.replace("- a", f"- a\n  - {tag}").replace("First.", words)
        for tag, words in (("b", "Mine."), ("c", "Hers."))
    )
    done, text = merge(base, ours, theirs, "a.md")
    assert not done
    assert text.startswith("---\ntags:\n  - a\n  - b\n  - c\n---\n\n<<<<<<< ours\nMine.\n")


def test_what_is_no_text_is_left_as_it_was(merge):
    done, text = merge(b"Words.\n", b"Words\0.\n", b"Words\0!\n", "a.md")
    assert not done
    assert text == "Words\0.\n"
