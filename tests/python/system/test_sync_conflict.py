"""What two machines changed each in its own way: nothing is touched until a person decides."""

from __future__ import annotations

import pytest
from machines import assert_in_step, edit, offline
from world import ALPHA, BETA, note

OTHER = "cccccccc-3333-4333-8333-333333333333"
OLD = "The first of two."


@pytest.fixture
def clashing(pair):
    """Both changed the same line of Alpha; the second machine has not synced."""
    one, two = pair
    edit(one, "alpha.org", OLD, "One says this.")
    one.ok("edit", ALPHA, "--add-tag", "mine")
    one.ok("push")
    edit(two, "alpha.org", OLD, "Two says that.")
    return pair


def refused(world, *words):
    """A sync that leaves tree, index and HEAD as they are; returns what it says as JSON."""
    before = world.state()
    ran = world.run("sync", *words, "--json")
    after = world.state()
    assert (after.tree, after.index) == (before.tree, before.index)
    assert world.head() in before.refs
    assert ran.code == 1
    assert not (world.store / ".git/MERGE_HEAD").exists()
    return ran.json


def test_the_same_lines_changed_stop_it_and_are_named(clashing):
    _, two = clashing
    answer = refused(two)
    assert answer["error"]["code"] == "merge-conflict"
    (conflict,) = answer["conflicts"]
    assert (conflict["node"], conflict["path"], conflict["what"]) == (ALPHA, "alpha.org", ["body"])
    first, last = conflict["lines"][0]
    assert conflict["ours"].split("\n")[first - 1 : last] == ["Two says that."]
    assert OLD in conflict["base"]
    assert "One says this." in conflict["theirs"]
    ran = two.run("sync")
    assert f"conflict {ALPHA[:8]} Alpha (alpha.org:{first}): body changed on both sides" in ran.err
    assert f"ai-kb sync --resolve {ALPHA[:8]} ours|theirs|both" in ran.err


@pytest.mark.parametrize(
    ("side", "words"), [("ours", "Two says that."), ("theirs", "One says this.")]
)
def test_a_side_decides_what_clashes_and_the_rest_is_merged(clashing, side, words):
    one, two = clashing
    two.run("sync")
    two.ok("sync", "--resolve", ALPHA[:8], side)
    one.ok("sync")
    text = one.at_head("alpha.org")
    assert words in text
    assert ":mine:" in text
    for version in ("One says this.", "Two says that."):
        assert one.git("log", "--full-history", "--format=%H", f"-S{version}", "--", "alpha.org")
    assert_in_step(one, two)


def test_both_keeps_their_version_as_a_contested_node_of_its_own(clashing):
    one, two = clashing
    two.run("sync")
    two.ok("sync", "--resolve", "Alpha", "both")
    one.ok("sync")
    nodes = one.ok("find", "--status", "contested", "--json").json["nodes"]
    assert len(nodes) == 2
    new = next(n for n in nodes if n["id"] != ALPHA)
    assert new["path"] == "alpha-2.org"
    assert "One says this." in one.at_head("alpha-2.org")
    assert f"[[id:{ALPHA}][Alpha]]" in one.at_head("alpha-2.org")
    text = one.at_head("alpha.org")
    assert "Two says that." in text
    assert f"against [[id:{new['id']}]" in text
    assert_in_step(one, two, sound=True)


def test_several_conflicts_are_decided_one_by_one(pair):
    one, two = pair
    for world, word in ((one, "one"), (two, "two")):
        edit(world, "alpha.org", OLD, f"Words of {word}.")
        edit(world, "beta.org", "first.", f"first, {word} says.")
    one.ok("push")
    assert len(refused(two)["conflicts"]) == 2
    left = refused(two, "--resolve", ALPHA, "theirs")
    assert [c["node"] for c in left["conflicts"]] == [BETA]
    two.ok("sync", "--resolve", "beta.org", "ours")
    assert "Words of one." in two.at_head("alpha.org")
    assert "two says." in two.at_head("beta.org")
    assert not (two.store / ".git/ai-kb-decisions.json").exists()
    one.ok("sync")
    assert_in_step(one, two)


def test_a_decision_holds_for_the_versions_that_were_seen(clashing):
    one, two = clashing
    refused(two)
    edit(one, "alpha.org", "One says this.", "One says more.")
    one.ok("push")
    answer = refused(two, "--resolve", ALPHA, "ours")
    assert "One says more." in answer["conflicts"][0]["theirs"]
    two.ok("sync", "--resolve", ALPHA, "ours")


@pytest.mark.parametrize(
    ("remover", "side"), [(0, "ours"), (0, "theirs"), (1, "ours"), (1, "both")]
)
def test_an_edit_against_a_delete(pair, side, remover):
    one, two = pair
    one.write("lone.org", note("Lone", OTHER))
    one.ok("commit")
    two.ok("sync")
    removing, editing = pair[remover], pair[1 - remover]
    (removing.store / "lone.org").unlink()
    removing.ok("commit", "lone.org", env=offline(removing))
    edit(editing, "lone.org", "Some words.", "Some better words.")
    one.ok("push")
    (conflict,) = refused(two)["conflicts"]
    assert (conflict["node"], conflict["what"]) == (OTHER, ["deleted"])
    two.ok("sync", "--resolve", OTHER[:6], side)
    one.ok("sync")
    stays = side == "both" or (side == "ours") is (editing is two)
    assert ("better words" in (one.at_head("lone.org") or "")) is stays
    assert_in_step(one, two)


def test_the_same_id_made_on_both_machines(pair):
    one, two = pair
    for world, name in ((one, "made.org"), (two, "elsewhere.org")):
        world.write(name, note("Made", OTHER, body=f"In {name}."))
        world.ok("commit", env=offline(world))
    one.ok("push")
    (conflict,) = refused(two)["conflicts"]
    assert (conflict["node"], conflict["what"]) == (OTHER, ["made twice"])
    assert (conflict["path_ours"], conflict["path_theirs"]) == ("elsewhere.org", "made.org")
    assert "Made (elsewhere.org:1; on the remote made.org): made on both" in two.run("sync").err
    two.ok("sync", "--resolve", "elsewhere.org", "both")
    one.ok("sync")
    bodies = one.git("grep", "-h", "^In ", "HEAD", "--", "*.org")
    assert sorted(bodies.split()) == ["In", "In", "elsewhere.org.", "made.org."]
    assert_in_step(one, two)


def test_a_merge_that_makes_no_good_node_is_a_conflict_too(pair):
    """Each side is sound; together they would open a block twice and close it once."""
    one, two = pair
    body = "A.\n\nB.\n\nC.\n\nD.\n\nE.\n"
    one.write("alpha.org", note("Alpha", ALPHA, "principle", body=body))
    one.ok("commit")
    two.ok("sync")
    for world, pairs in (
        (one, (("A.\n", "#+begin_example\nA.\n"), ("C.\n", "C.\n#+end_example\n"))),
        (two, (("B.\n", "* Half\nB.\n"), ("E.\n", "E.\n"))),
    ):
        text = (world.store / "alpha.org").read_text()
        for old, new in pairs:
            text = text.replace(old, new)
        world.write("alpha.org", text)
        world.ok("commit", "alpha.org", env=offline(world))
    one.ok("push")
    answer = refused(two)
    assert [c["what"] for c in answer["conflicts"]] == [["broken"]]
    assert answer["findings"]
    two.ok("sync", "--resolve", ALPHA, "theirs")
    one.ok("sync")
    assert_in_step(one, two)


def test_no_marker_ever_reaches_a_commit_of_a_persons_own_merge(clashing):
    _, two = clashing
    pulled = two.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main", check=False)
    assert pulled.returncode != 0
    text = (two.store / "alpha.org").read_text()
    assert "\n<<<<<<< ours\nTwo says that.\n=======\nOne says this.\n>>>>>>> theirs\n" in text
    assert "#+filetags: :principle:mine:\n" in text
    assert "a merge is under way" in two.run("sync").err
    two.git("add", "alpha.org")
    committed = two.git("commit", "-q", "--no-edit", check=False)
    assert committed.returncode != 0
    assert "conflict-marker" in committed.stdout + committed.stderr
    two.git("merge", "--abort")
    two.ok("sync", "--resolve", ALPHA, "theirs")


def test_a_persons_own_pull_merges_nodes_by_property(pair):
    one, two = pair
    one.ok("edit", ALPHA, "--add-tag", "mine", "--add-project", "emacs")
    two.ok("edit", ALPHA, "--add-tag", "hers", env=offline(two))
    two.new("From two", env=offline(two))
    two.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert "#+filetags: :principle:hers:mine:\n" in (two.store / "alpha.org").read_text()
    two.ok("index")
    two.ok("sync")
    one.ok("sync")
    assert_in_step(one, two)


def test_what_is_in_no_conflict_is_refused_by_name(clashing):
    _, two = clashing
    two.run("sync")
    ran = two.run("sync", "--resolve", "nobody", "ours")
    assert ran.code == 1
    assert f"In conflict are: {ALPHA[:8]}." in ran.err
    assert two.run("sync", "--resolve", ALPHA, "mine").code == 2


@pytest.mark.parametrize("remover", [0, 1])
def test_a_heading_that_one_removed_and_the_other_linked_to_stops_it(pair, remover):
    one, two = pair
    part = f"* Part\n:PROPERTIES:\n:ID: {OTHER}\n:END:\nWords.\n"
    one.write("alpha.org", (one.store / "alpha.org").read_text() + part)
    one.ok("commit")
    two.ok("sync")
    removing, linking = pair[remover], pair[1 - remover]
    edit(removing, "alpha.org", part, "")
    linking.new("Links", body=f"See [[id:{OTHER}][it]].", env=offline(linking))
    one.ok("push")
    answer = refused(two)
    assert f"removed the node {OTHER} from 'alpha.org'" in answer["error"]["message"]
