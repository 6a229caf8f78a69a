"""What one machine moved and the other changed is merged in its new place."""

from __future__ import annotations

import pytest
from machines import assert_in_step, edit, machines, offline
from world import note

LONE = "dddddddd-4444-4444-8444-dddddddddddd"
OTHER = "cccccccc-3333-4333-8333-333333333333"
PART = f"* Half a thing :small:\n:PROPERTIES:\n:ID:       {OTHER}\n:END:\nSome words.\n\n** Below\nMore.\n"


def commit(world, *paths):
    world.ok("commit", *paths, env=offline(world))


@pytest.fixture
def pair(template, tmp_path):
    one, two = machines(template, tmp_path)
    one.write("alpha.org", (one.store / "alpha.org").read_text() + PART)
    one.ok("commit")
    two.ok("sync")
    return one, two


def move_out(world):
    """Put the heading into a file of its own, as org-roam does."""
    text = world.at_head("alpha.org").replace(PART, "")
    world.write("alpha.org", text)
    world.write("half.org", note("Half a thing", OTHER, body="Some words.\n\n* Below\nMore."))
    commit(world, "alpha.org", "half.org")


@pytest.mark.parametrize("mover", [0, 1])
def test_a_heading_that_got_a_file_of_its_own_takes_the_edit_along(pair, mover):
    one, two = pair
    moving, editing = pair[mover], pair[1 - mover]
    move_out(moving)
    edit(editing, "alpha.org", "Some words.", "Some better words.")
    edit(editing, "alpha.org", "The first of two.", "The very first.")
    one.ok("push")
    ran = two.ok("sync")
    assert "warning followed" in ran.err
    one.ok("sync")
    assert "Some better words.\n\n* Below" in one.at_head("half.org")
    assert OTHER not in one.at_head("alpha.org")
    assert "The very first." in one.at_head("alpha.org")
    assert_in_step(one, two, sound=True)


def test_where_both_changed_its_words_it_is_decided_there(pair):
    one, two = pair
    move_out(two)
    edit(two, "half.org", "Some words.", "Words of two.")
    edit(one, "alpha.org", "Some words.", "Words of one.")
    one.ok("push")
    ran = two.run("sync")
    assert "conflict cccccccc Half a thing (half.org:" in ran.err
    assert "; on the remote alpha.org): body changed on both sides" in ran.err
    two.ok("sync", "--resolve", "half.org", "both")
    assert "Words of two." in two.at_head("half.org")
    assert "Words of one.\n\n* Below\n" in two.at_head("half-2.org")
    one.ok("sync")
    assert_in_step(one, two, sound=True)


def test_both_of_a_heading_is_a_whole_file(pair):
    one, two = pair
    for world, word in ((one, "one"), (two, "two")):
        edit(world, "alpha.org", "Some words.", f"Words of {word}.")
    one.ok("push")
    two.run("sync")
    two.ok("sync", "--resolve", OTHER, "both")
    second = two.at_head("alpha-2.org")
    assert "#+title: Half a thing\n#+filetags: :principle:small:\n" in second
    assert ":PROJECTS: :" in second
    assert "Words of one.\n\n* Below\n" in second
    assert "| Untyped" not in two.at_head("index.org")
    one.ok("sync")
    assert_in_step(one, two, sound=True)


@pytest.mark.parametrize("side", ["theirs", "both"])
def test_a_file_that_became_a_heading_here_and_was_edited_there(pair, side):
    """Kept as they have it, its node would stand in two files: it is taken out of ours."""
    one, two = pair
    one.write("lone.org", note("Lone", LONE))
    one.ok("commit")
    two.ok("sync")
    (two.store / "lone.org").unlink()
    heading = f"* Lone\n:PROPERTIES:\n:ID:       {LONE}\n:END:\nSome words.\n"
    two.write("beta.org", two.at_head("beta.org") + heading)
    commit(two, "lone.org", "beta.org")
    edit(one, "lone.org", "Some words.", "Some better words.")
    one.ok("push")
    assert "deleted here, changed on the remote" in two.run("sync").err
    two.ok("sync", "--resolve", LONE, side)
    assert (f":ID:       {LONE}\n" in two.at_head("beta.org")) is (side != "theirs")
    assert ("better words" in (two.at_head("lone.org") or "")) is (side == "theirs")
    assert ("better words" in (two.at_head("lone-2.org") or "")) is (side == "both")
    one.ok("sync")
    assert_in_step(one, two, sound=True)


def test_a_decision_that_leads_nowhere_is_forgotten(pair):
    """A heading that was removed here; there it was edited, and something links to it now."""
    one, two = pair
    edit(two, "alpha.org", PART, "")
    edit(one, "alpha.org", "Some words.", "Some better words.")
    one.new("Links", body=f"See [[id:{OTHER}][it]].")
    assert "deleted here, changed on the remote" in two.run("sync").err
    ran = two.run("sync", "--resolve", OTHER, "ours")
    assert ran.code == 1
    assert f"removed the node {OTHER} from 'alpha.org'" in ran.err
    assert f"What was decided ({OTHER}) is forgotten: decide otherwise" in ran.err
    assert "conflict cccccccc Half a thing" in two.run("sync").err
    two.ok("sync", "--resolve", OTHER, "theirs")
    one.ok("sync")
    assert_in_step(one, two, sound=True)
