"""Two machines and a bare remote: what is merged by itself."""

from __future__ import annotations

import os
import re
import socket

import pytest
from machines import assert_in_step, edit, machines, offline
from world import ALPHA, BETA, World, note

MINE = "cccccccc-3333-4333-8333-333333333333"
HERS = "dddddddd-4444-4444-8444-444444444444"


def test_what_one_machine_wrote_comes_to_the_other_as_the_same_commit(pair):
    one, two = pair
    one.new("From one")
    ran = two.ok("sync")
    assert "brought 1 commit, 2 files changed" in ran.out
    assert one.head() == two.head()
    assert "nothing to merge" in two.ok("sync", "--dry-run").out
    assert two.ok("sync", "--json").json["brought"] == 0
    assert_in_step(one, two)


def test_new_nodes_on_both_sides_and_the_index_made_anew(pair):
    one, two = pair
    one.new("From one")
    two.new("From two", env=offline(two))
    assert "would change" in two.ok("sync", "--dry-run").out
    with two.unchanged():
        two.ok("sync", "--dry-run")
    answer = two.ok("sync", "--json").json
    assert (answer["ok"], answer["merged"], answer["brought"]) == (True, True, 1)
    one.ok("sync")
    assert len(two.git("rev-list", "--merges", "HEAD").split()) == 1
    index = one.at_head("index.org")
    assert "| From one |" in index
    assert "| From two |" in index
    assert_in_step(one, two)


def test_one_node_edited_on_both_sides_is_merged_piece_by_piece(pair):
    one, two = pair
    one.ok(
        "edit",
        ALPHA,
        "--add-tag",
        "mine",
        "--add-project",
        "emacs",
        "--append-file",
        "-",
        stdin="Mine.",
    )
    env = offline(two)
    two.ok("edit", ALPHA, "--add-tag", "hers", "--title", "Alpha anew", env=env)
    two.ok("edit", ALPHA, "--append-file", "-", stdin="Hers.", env=env)
    two.ok("sync")
    one.ok("sync")
    text = one.at_head("alpha.org")
    assert "#+title: Alpha anew\n#+filetags: :principle:hers:mine:\n" in text
    assert ":PROJECTS: :general: :emacs:\n" in text
    assert text.endswith("The first of two.\n\nHers.\n\nMine.\n")
    assert_in_step(one, two, sound=True)


def test_it_works_where_no_merge_driver_is_registered(pair):
    one, two = pair
    for name in ("ai-kb-node", "ai-kb-generated"):
        two.git("config", "--remove-section", f"merge.{name}")
    one.new("From one")
    two.new("From two", env=offline(two))
    two.ok("sync")
    one.ok("sync")
    assert_in_step(one, two)


def test_two_nodes_with_one_file_name_both_stay(pair):
    one, two = pair
    one.ok("new", "--type", "reference", "--title", "Of one", "--slug", "topic")
    two.ok("new", "--type", "reference", "--title", "Of two", "--slug", "topic", env=offline(two))
    assert "warning renamed" in two.ok("sync").err
    one.ok("sync")
    assert "title: Of one\n" in one.at_head("topic.org")
    assert "title: Of two\n" in one.at_head("topic-2.org")
    assert_in_step(one, two)


def test_two_captures_of_one_name_both_stay_and_each_node_names_its_own(pair):
    one, two = pair
    for number, world in enumerate(pair):
        page = world.project / "page.org"
        page.write_text(f"What the page says, as machine {number} saw it.\n")
        words = ("--title", f"Of machine {number}", "--slug", f"n{number}", "--capture", page)
        world.ok("new", "--type", "reference", *words, env=offline(world))
    one.ok("push")
    ran = two.ok("sync")
    assert "warning renamed" in ran.err
    assert "error" not in ran.err
    one.ok("sync")
    for number in range(2):
        source = re.search(r":SOURCE: +(raw/\S+)", one.at_head(f"n{number}.org")).group(1)
        assert f"as machine {number} saw it" in one.at_head(source)
        one.ok("reground", f"n{number}.org")
    assert_in_step(one, two, sound=True)


@pytest.mark.parametrize(
    ("mine", "hers"), [("Topic.org", "topic.org"), ("caf\u00e9.org", "cafe\u0301.org")]
)
def test_names_that_some_file_systems_take_for_one_become_two(pair, mine, hers):
    one, two = pair
    one.write(hers, note("Hers", HERS))
    two.write(mine, note("Mine", MINE))
    for world in pair:
        world.ok("commit", env=offline(world))
    one.ok("push")
    assert "warning renamed" in two.ok("sync").err
    one.ok("sync")
    assert "title: Hers" in one.at_head(hers)
    assert one.at_head(mine) is None
    assert "title: Mine" in one.at_head(mine.replace(".org", "-2.org"))
    assert_in_step(one, two)


def test_an_edit_follows_a_file_that_the_other_renamed(pair):
    one, two = pair
    (one.store / "alpha.org").rename(one.store / "renamed.org")
    one.ok("commit", "alpha.org", "renamed.org")
    edit(two, "alpha.org", "The first of two.", "The first, edited.")
    two.ok("sync")
    one.ok("sync")
    assert one.at_head("alpha.org") is None
    assert "The first, edited." in one.at_head("renamed.org")
    assert_in_step(one, two)


def test_both_gave_a_file_another_name(pair):
    one, two = pair
    for world, name in ((one, "one.org"), (two, "another.org")):
        (world.store / "alpha.org").rename(world.store / name)
        world.ok("commit", "alpha.org", name, env=offline(world))
    one.ok("push")
    two.ok("sync")
    one.ok("sync")
    assert one.at_head("one.org") is None
    assert one.at_head("another.org")
    assert_in_step(one, two)


@pytest.mark.parametrize("remover", [0, 1])
def test_a_node_that_one_removed_and_the_other_linked_to_is_kept(pair, remover):
    one, two = pair
    one.write("lone.org", note("Lone", MINE))
    one.ok("commit")
    two.ok("sync")
    removing, linking = pair[remover], pair[1 - remover]
    (removing.store / "lone.org").unlink()
    removing.ok("commit", "lone.org", env=offline(removing))
    linking.new("Links", body=f"See [[id:{MINE}][Lone]].", env=offline(linking))
    one.ok("push")
    assert "warning kept-linked" in two.ok("sync").err
    one.ok("sync")
    assert "title: Lone" in one.at_head("lone.org")
    assert_in_step(one, two)


def test_hand_edits_that_the_merge_does_not_touch_are_left_alone(pair):
    one, two = pair
    one.ok("edit", ALPHA, "--add-tag", "x")
    mine = note("Beta", BETA, "procedure", body="By hand, not committed.")
    two.write("beta.org", mine)
    two.write("draft.org", note("Draft", MINE))
    two.ok("sync")
    assert (two.store / "beta.org").read_text() == mine
    assert "Draft" not in two.at_head("index.org")
    assert set(two.ok("status", "--json").json["uncommitted"]) == {"beta.org", "draft.org"}
    assert two.head() == one.head()


def test_hand_edits_in_a_file_that_the_merge_changes_refuse_it_by_name(pair):
    one, two = pair
    one.ok("edit", ALPHA, "--add-tag", "x")
    two.write("alpha.org", note("Alpha", ALPHA, "principle", body="By hand."))
    before = two.state().tree
    ran = two.run("sync")
    assert ran.code == 1
    assert "not committed here: alpha.org" in ran.err
    assert two.state().tree == before
    two.ok("commit")
    two.ok("sync")


def test_a_file_that_somebody_has_open_with_changes_is_left(pair):
    one, two = pair
    one.ok("edit", ALPHA, "--add-tag", "x")
    (two.store / ".#alpha.org").symlink_to(f"me@{socket.gethostname()}.{os.getpid()}:1")
    before = two.state().tree
    ran = two.run("sync")
    assert ran.code == 1
    assert "unsaved changes in Emacs" in ran.err
    assert two.state().tree == before
    (two.store / ".#alpha.org").unlink()
    two.ok("sync")
    assert_in_step(one, two)


def test_a_note_that_was_marked_as_a_program_comes_as_a_note(pair):
    one, two = pair
    (one.store / "alpha.org").chmod(0o755)
    one.write("beta.org", (one.store / "beta.org").read_text() + "\nMore.\n").chmod(0o755)
    one.git("config", "core.fileMode", "true")
    one.git("commit", "-qam", "by hand", "--no-verify")
    one.git("push", "-q", "origin", "main")
    two.ok("sync")
    assert two.git("status", "--porcelain") == ""
    modes = {line.split()[0] for line in two.git("ls-tree", "HEAD").splitlines()}
    assert modes == {"100644"}


def test_a_write_merges_by_itself_with_what_was_pushed_meanwhile(pair):
    one, two = pair
    one.new("From one")
    assert (
        two.ok("new", "--type", "reference", "--title", "From two", "--json").json["pushed"] is True
    )
    one.ok("sync")
    assert_in_step(one, two)


def test_a_write_that_cannot_merge_stands_and_says_what_to_do(pair):
    one, two = pair
    edit(one, "alpha.org", "The first of two.", "One says this.")
    one.ok("push")
    edit(two, "alpha.org", "The first of two.", "Two says that.")
    ran = two.ok("new", "--type", "reference", "--title", "T")
    assert "run `ai-kb sync`" in ran.err
    assert two.git("status", "--porcelain") == ""
    assert "| T |" in two.at_head("index.org")


@pytest.mark.parametrize("by", [("sync",), ("new", "--type", "reference", "--title", "T")])
def test_secrets_and_hostile_text_from_the_remote_are_told_and_come_all_the_same(pair, by):
    one, two = pair
    hostile = note(
        "Pulled", MINE, body='#+INCLUDE: "/etc/passwd"\n\nghp_' + "aB3dE5gH" * 4 + "x9Y2"
    )
    one.write("pulled.org", hostile)
    one.git("add", "pulled.org")
    one.git("commit", "-qm", "by hand", "--no-verify")
    one.git("push", "-q", "origin", "main")
    ran = two.ok(*by)
    assert "error keyword-include" in ran.err
    assert "old-secret" in ran.err
    assert "ghp_aB3" not in ran.err
    assert (two.store / "pulled.org").read_text() == hostile
    assert two.git("status", "--porcelain") == ""
    two.new("Afterwards")


def test_history_blames_the_commit_that_brought_a_secret_and_not_the_merge(pair):
    one, two = pair
    for world, name in ((one, "one.org"), (two, "two.org")):
        world.write(
            name, note(f"Of {name}", body="ghp_" + "aB3dE5gH" * 4 + "x9Y2" if world is one else "")
        )
        world.git("add", name)
        world.git("commit", "-qm", f"by hand {name}", "--no-verify")
    blamed = one.head()[:10]
    one.git("push", "-q", "origin", "main")
    two.ok("sync")
    assert two.git("rev-list", "--merges", "HEAD") != ""
    out = two.run("doctor", "--history").out
    assert blamed in out
    assert "one.org" in out
    merge = two.git("rev-list", "--merges", "HEAD").split()[0][:10]
    assert f"{merge} " not in "".join(line for line in out.splitlines(True) if "one.org" in line)


def test_two_stores_begun_apart_become_one(template, tmp_path):
    one, _ = machines(template, tmp_path)
    apart = World(tmp_path / "apart")
    apart.ok("init")
    apart.new("Begun apart")
    assert "`ai-kb sync --join`" in apart.run("remote", one.root / "backup.git").err
    apart.ok("sync", "--join")
    one.ok("sync")
    assert "| Begun apart |" in one.at_head("index.org")
    assert_in_step(one, apart, sound=True)


def test_a_remote_that_holds_something_else_is_refused(world):
    other = world.root / "other.git"
    world.git("init", "-q", "--bare", "--initial-branch=main", str(other), cwd=world.root)
    work = world.root / "work"
    world.git("clone", "-q", str(other), str(work), cwd=world.root)
    (work / "code.py").write_text("print()\n")
    world.git("add", "code.py", cwd=work)
    world.git("commit", "-qm", "code", cwd=work)
    world.git("push", "-q", "origin", "HEAD:main", cwd=work)
    world.run("remote", other)
    for words in (("sync",), ("sync", "--join")):
        assert "no history in common" in world.run(*words).err
    assert not (world.store / "code.py").exists()
