"""Every conflict is ended by a decision, which is told, kept and recorded."""

from __future__ import annotations

import pytest
from machines import assert_in_step, edit, offline
from world import ALPHA, BETA, note

OTHER = "cccccccc-3333-4333-8333-333333333333"
DECISIONS = ".git/ai-kb-decisions.json"


def commit(world, path, text):
    """Commit a file here alone."""
    world.write(path, text)
    world.ok("commit", path, env=offline(world))


def raw(world, path, data):
    """Commit a file by plain git, past every rule."""
    world.write(path, data)
    world.git("add", "-f", path)
    world.git("commit", "-q", "--no-verify", "-m", path)


def refused(world, *words, code=1):
    """A sync that leaves tree and HEAD as they are; returns how it ended."""
    before, head = world.state(), world.head()
    ran = world.run("sync", *words)
    assert ran.code == code, ran
    assert (world.state().tree, world.head()) == (before.tree, head)
    return ran


@pytest.fixture
def torn(pair):
    """A conflict of Alpha's first line; whatever side is chosen, the rest does not merge."""
    one, two = pair
    items = "- first\n- second\n- third\n- fourth\n- fifth\n- sixth\n"
    one.write("alpha.org", note("Alpha", ALPHA, body=f"Top line.\n\n{items}"))
    one.ok("commit")
    two.ok("sync")
    block = items.replace("- first\n", "#+begin_example\n- first\n") + "#+end_example\n"
    commit(one, "alpha.org", note("Alpha", ALPHA, body=f"Top of one.\n\n{block}"))
    heading = items.replace("- third\n", "- third\n* Heading\n")
    commit(two, "alpha.org", note("Alpha", ALPHA, body=f"Top of two.\n\n{heading}"))
    one.ok("push")
    return pair


@pytest.mark.parametrize("side", ["ours", "theirs", "both"])
def test_what_still_does_not_fit_together_is_taken_whole(torn, side):
    one, two = torn
    assert "body changed on both sides" in refused(two).err
    ours, theirs = (w.at_head("alpha.org") for w in (two, one))
    two.ok("sync", "--resolve", ALPHA, side)
    assert not (two.store / DECISIONS).exists()
    if side == "both":
        assert "* Heading\n" in two.at_head("alpha.org")
        second = two.at_head("alpha-2.org")
        assert "#+begin_example\n- first\n" in second
        assert ":STATUS:   contested" in second
    else:
        assert two.at_head("alpha.org") == (ours if side == "ours" else theirs)
    one.ok("sync")
    assert_in_step(one, two, sound=True)


def test_settings_that_do_not_fit_together(pair):
    one, two = pair
    for world, text in (
        (one, "[index]\nbudget = 4000\n"),
        (two, "# Ours.\n\n[index]\nbudget = 5000\n"),
    ):
        commit(world, "ai-kb.toml", text)
    one.ok("push")
    ours = two.at_head("ai-kb.toml")
    said = refused(two).err
    assert "--resolve ai-kb.toml ours|theirs`" in said
    wrong = refused(two, "--resolve", "ai-kb.toml", "both", code=2)
    assert "cannot be kept twice" in wrong.err
    two.ok("sync", "--resolve", "ai-kb.toml", "ours")
    assert two.at_head("ai-kb.toml") == ours
    assert two.at_head("ai-kb-2.toml") is None
    one.ok("sync")
    assert_in_step(one, two)


def test_what_the_rules_say_of_a_merged_text_quotes_it(torn):
    """Nobody has seen that text, so that a line of it says nothing."""
    one, two = torn
    edit(one, "alpha.org", "Top of one.", "Top line.")
    one.ok("push")
    ran = refused(two)
    assert "what both sides changed does not fit together" in ran.err
    assert "alpha.org:" in ran.err
    assert "(where both are merged: '" in ran.err
    (conflict,) = two.run("sync", "--json").json["conflicts"]
    assert "#+begin_example" in conflict["merged"]
    assert "* Heading" in conflict["merged"]


def test_a_dry_run_refuses_what_sync_would_refuse(torn):
    one, two = torn
    edit(one, "alpha.org", "Top of one.", "Top line.")
    one.ok("push")
    ran = refused(two, "--dry-run")
    assert "what both sides changed does not fit together" in ran.err
    answer = two.run("sync", "--dry-run", "--json").json
    assert (answer["ok"], answer["error"]["code"]) == (False, "merge-conflict")


def test_what_git_merges_as_no_text_is_one_file_or_the_other(pair):
    one, two = pair
    raw(one, "pic.png", b"a\0b")
    one.ok("sync")
    raw(two, "pic.png", b"a\0c")
    assert "conflict pic.png (pic.png:1): file changed on both sides" in refused(two).err
    two.ok("sync", "--resolve", "pic.png", "theirs")
    assert two.at_head("pic.png") == "a\0b"
    one.ok("sync")
    assert_in_step(one, two)


def test_a_conflict_shows_the_lines_that_differ(pair):
    one, two = pair
    for world, word in ((one, "One"), (two, "Two")):
        world.ok("edit", ALPHA, "--add-tag", word.lower(), env=offline(world))
        text = world.at_head("alpha.org").replace("The first of two.", f"{word} says\a this.")
        raw(world, "alpha.org", text)
    one.git("push", "-q", "origin", "main")
    said = refused(two).err
    number = two.at_head("alpha.org").split("\n").index("Two says\a this.") + 1
    assert f"  ours   {number:>4} | Two says\\x07 this.\n" in said
    assert f"  theirs {number:>4} | One says\\x07 this.\n" in said
    assert "filetags" not in said


@pytest.mark.parametrize("remover", [0, 1])
def test_it_is_said_who_deleted_and_what_each_side_means(pair, remover):
    one, two = pair
    one.write("lone.org", note("Lone", OTHER))
    one.ok("commit")
    two.ok("sync")
    removing, editing = pair[remover], pair[1 - remover]
    (removing.store / "lone.org").unlink()
    removing.ok("commit", "lone.org", env=offline(removing))
    edit(editing, "lone.org", "Some words.", "Some better words.")
    one.ok("push")
    said = refused(two).err
    if removing is two:
        assert "deleted here, changed on the remote; ours deletes it, theirs keeps it" in said
    else:
        assert "deleted on the remote, changed here; theirs deletes it, ours keeps it" in said
    assert "| Some better words.\n" in said
    (conflict,) = two.run("sync", "--json").json["conflicts"]
    assert conflict["deleted_by"] == ("ours" if removing is two else "theirs")


def test_decisions_are_told_kept_and_recorded(pair):
    one, two = pair
    for world, word in ((one, "one"), (two, "two")):
        edit(world, "alpha.org", "The first of two.", f"Words of {word}.")
        edit(world, "beta.org", "first.", f"first, {word} says.")
    one.ok("push")
    assert "2 nodes cannot be merged; nothing was changed\n" in refused(two).err
    ran = refused(two, "--resolve", ALPHA, "theirs")
    assert f"decided {ALPHA} (alpha.org): theirs; kept for the merge\n" in ran.err
    assert "1 node cannot be merged; nothing was changed; 1 decision kept for the merge" in ran.err
    left = two.run("sync", "--json").json
    assert [(d["name"], d["side"]) for d in left["decided"]] == [(ALPHA, "theirs")]
    assert [c["node"] for c in left["conflicts"]] == [BETA]
    done = two.ok("sync", "--resolve", BETA, "both", "--json").json
    assert done["decided"][0] == {
        "name": ALPHA, "node": ALPHA, "path": "alpha.org", "side": "theirs", "made": [],
    }  # fmt: skip
    (made,) = done["decided"][1]["made"]
    assert made["path"] == "beta-2.org"
    assert f":ID:       {made['id']}\n" in two.at_head("beta-2.org")
    said = two.git("log", "-1", "--format=%B")
    assert f"Decided: {ALPHA} theirs\n" in said
    assert f"Decided: {BETA} both\n" in said


def test_a_file_whose_nodes_were_decided_apart_is_decided_as_one(torn):
    """One node is ours and the other theirs, and together they tear a block."""
    one, two = torn
    part = f"* Part\n:PROPERTIES:\n:ID:       {OTHER}\n:END:\nPart of WHO.\n"
    for world, word in ((one, "one"), (two, "two")):
        commit(world, "alpha.org", world.at_head("alpha.org") + part.replace("WHO", word))
    one.ok("push")
    assert "2 nodes cannot be merged" in refused(two).err
    ran = refused(two, "--resolve", ALPHA, "ours", "--resolve", OTHER, "theirs")
    assert "--resolve alpha.org ours|theirs|both" in ran.err
    theirs = one.at_head("alpha.org")
    two.ok("sync", "--resolve", "alpha.org", "theirs")
    assert two.at_head("alpha.org") == theirs
    one.ok("sync")
    assert_in_step(one, two, sound=True)


def test_a_removal_that_was_decided_for_and_is_linked_keeps_the_words_of_the_other_side(pair):
    one, two = pair
    one.ok("new", "--type", "reference", "--title", "Q", "--slug", "q")
    one.ok("sync")
    two.ok("sync")
    node = one.at_head("q.org").split(":ID:")[1].split()[0]
    one.ok("edit", "q.org", "--append-file", "-", stdin="Words of one.", env=offline(one))
    one.ok("edit", BETA, "--append-file", "-", stdin=f"See [[id:{node}]].", env=offline(one))
    one.ok("sync")
    (two.store / "q.org").unlink()
    two.ok("commit", "q.org", env=offline(two))
    assert "deleted here, changed on the remote" in refused(two).err
    assert "warning kept-linked" in two.ok("sync", "--resolve", "q.org", "ours").err
    assert "Words of one." in two.at_head("q.org")
    one.ok("sync")
    assert_in_step(one, two, sound=True)


def test_settings_that_would_say_together_what_nobody_said_are_decided(pair):
    one, two = pair
    commit(one, "ai-kb.toml", "[index]\nbudget = 30000\n")
    commit(two, "ai-kb.toml", 'types = ["recipe"]\n')
    one.ok("sync")
    assert "file changed on both sides" in refused(two).err
    two.ok("sync", "--resolve", "ai-kb.toml", "ours")
    assert two.at_head("ai-kb.toml") == 'types = ["recipe"]\n'


def test_opposite_decisions_about_two_contested_nodes_leave_both_contested(pair):
    one, two = pair
    one.ok("contest", ALPHA, BETA, "--why", "They cannot both hold")
    one.ok("sync")
    two.ok("sync")
    said = ("--decided-by", "A person", "--because", "So.")
    one.ok("resolve", ALPHA, "--keep", *said, env=offline(one))
    two.ok("resolve", BETA, "--keep", *said, env=offline(two))
    one.ok("sync")
    two.ok("sync")
    one.ok("sync")
    contested = one.ok("status", "--json").json["contested"]
    assert {node["path"] for node in contested} == {"alpha.org", "beta.org"}
    assert ":SUPERSEDED_BY:" not in one.at_head("alpha.org") + one.at_head("beta.org")
    assert_in_step(one, two, sound=True)
    one.ok("resolve", ALPHA, "--keep", *said)
    assert ":STATUS:   superseded" in one.at_head("beta.org")
    assert one.ok("status", "--json").json["contested"] == []
