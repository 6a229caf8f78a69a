"""The CONTESTED property and the history in LOGBOOK drawers."""

from __future__ import annotations

import pytest

from aikb.formats.org.conflicts import Conflict, issue_of, link, read_conflicts
from aikb.formats.org.document import Document
from aikb.formats.org.history import history_lines
from aikb.formats.org.write import Edit

ONE = Conflict("2026-05-24", "craig", "1a2b3c4d-0000", "Git: a tale", "both: cannot hold")
TWO = Conflict("2026-05-25", "an agent", "5e6f7a8b-0000", "Other", "see [2026-01-01] by whom: me")
LONE = Conflict("2026-05-26", "x", "", "", "the user said: the opposite")


@pytest.mark.parametrize("conflicts", [[ONE], [LONE], [ONE, TWO], [LONE, ONE], [ONE, LONE, TWO]])
def test_what_is_written_is_read_again(conflicts):
    assert read_conflicts(" ".join(c.render() for c in conflicts)) == conflicts


def test_what_a_person_wrote_freely_is_kept_as_words():
    assert read_conflicts("with the one on rebase") == [
        Conflict("", "", "", "", "with the one on rebase")
    ]
    assert read_conflicts("") == []


def test_the_issue_names_opponents_by_short_id():
    value = f"{ONE.render()} {LONE.render()}"
    assert issue_of(value) == "against 1a2b3c4d: both: cannot hold; the user said: the opposite"


def test_a_links_words_cannot_break_it():
    assert link("x", "a [[b]] c") == "[[id:x][a ((b)) c]]"


FILE = ":PROPERTIES:\n:ID: a\n:END:\n#+title: A\n\nBody one.\n* H\n:PROPERTIES:\n:ID: b\n:END:\nBody two.\n"


def edit(text, node_id):
    return Edit(text, next(n for n in Document("x.org", text.encode()).nodes if n.id == node_id))


@pytest.mark.parametrize("node_id", ["a", "b"])
def test_history_stands_above_the_body_newest_first_and_a_new_body_keeps_it(node_id):
    text = FILE
    for entry in ("first", "second"):
        change = edit(text, node_id)
        change.log(entry)
        text = change.text
    assert (
        text.replace(":LOGBOOK:\n- second\n- first\n:END:\n", "", 1).replace("\n\n\n", "\n\n")
        == FILE
    )
    change = edit(text, node_id)
    start, end = change.body()
    assert change.text[start:end].startswith("Body one" if node_id == "a" else "Body two")
    change.replace_body("Other.")
    assert ":LOGBOOK:\n- second\n- first\n:END:\n" in change.text
    assert "Other.\n" in change.text
    document = Document("x.org", change.text.encode())
    assert [document.structure.lines[n - 1] for n in sorted(history_lines(document))] == [
        "- second", "- first"
    ]  # fmt: skip


def test_history_of_a_node_without_a_body():
    text = ":PROPERTIES:\n:ID: a\n:END:\n#+title: A"
    change = edit(text, "a")
    change.log("one")
    assert change.text == text + "\n\n:LOGBOOK:\n- one\n:END:\n"


def test_lines_of_a_property_are_set_and_taken_away():
    change = edit(FILE, "b")
    change.set_lines("K", ["one", "two"])
    assert ":ID: b\n:K:        one\n:K+:       two\n:END:\n" in change.text
    change.set_lines("K", [])
    assert change.text == FILE


def test_a_heading_is_not_taken_for_another_whose_drawer_has_its_id():
    text = FILE + "* I\n:PROPERTIES:\n:ID: c\n:END:\n"
    text = text.replace(":ID: b\n", ":ID: b\n:CONTESTED: 2026-01-01 by x against [[id:c][I]]: y\n")
    change = edit(text, "c")
    change.set_property("STATUS", "contested")
    assert ":ID: c\n:STATUS:   contested\n" in change.text
