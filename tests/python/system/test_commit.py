"""``ai-kb commit``: files that an agent or a person wrote by other means."""

from __future__ import annotations

import os

import pytest
from world import ALPHA, BETA, note

GOOD = "gggggggg".replace("g", "9") + "-1111-4111-8111-111111111111"
BAD = note("Bad") + "#+begin_src\n"


def test_commit_takes_everything_good_and_leaves_and_names_the_bad(world):
    world.write("good.org", note("Good", GOOD))
    world.write("bad.org", BAD)
    ran = world.run("commit")
    assert ran.code == 1
    assert "committed good.org\n" in ran.out
    assert "refused bad.org (it stays as it is, uncommitted)\n" in ran.out
    assert "bad.org:13: error unclosed-block" in ran.err
    assert (world.store / "bad.org").read_text() == BAD
    assert world.git("status", "--porcelain").split() == ["??", "bad.org"]
    assert "Good" in world.at_head("index.org")
    assert "Bad" not in world.at_head("index.org")
    answer = world.run("commit", "--json")
    assert answer.code == 1
    assert answer.json["refused"] == ["bad.org"]
    assert answer.json["committed"] == []


def test_commit_where_all_is_refused_changes_nothing(world):
    world.write("bad.org", BAD)
    world.refused("commit")


def test_a_node_that_links_to_a_refused_one_is_refused_with_it(world):
    bad_id = "99999999-2222-4111-8111-111111111111"
    world.write("bad.org", note("Bad", bad_id, body="#+begin_src\n"))
    world.write("good.org", note("Good", GOOD, body=f"See [[id:{bad_id}]]."))
    ran = world.refused("commit")
    assert "good.org:12: error dangling-link" in ran.err


def test_commit_of_one_path_leaves_the_others(world):
    world.write("one.org", note("One", GOOD))
    world.write("two.org", note("Two"))
    world.ok("commit", world.store / "one.org", "-m", "only one")
    assert world.git("log", "-1", "--format=%s").strip() == "only one"
    assert world.git("status", "--porcelain").split() == ["??", "two.org"]
    assert "Two" not in world.at_head("index.org")
    world.ok("index", "--check")


def test_commit_takes_a_folder_and_a_path_relative_to_the_store(world):
    world.write("sub/one.org", note("One", GOOD))
    world.write("sub/deep/two.org", note("Two"))
    world.write("three.org", note("Three"))
    assert set(world.ok("commit", "sub", "--json").json["committed"]) == {
        "sub/one.org", "sub/deep/two.org",
    }  # fmt: skip
    world.ok("commit", "three.org")
    world.assert_sound()


def test_commit_writes_out_short_ids(world):
    world.write("s.org", note("S", GOOD, body="See [[id:aaaaaaaa][this]]."))
    world.ok("commit")
    assert f"[[id:{ALPHA}][this]]" in world.at_head("s.org")
    assert (world.store / "s.org").read_text() == world.at_head("s.org")


def test_commit_of_nothing_says_so(world):
    with world.unchanged():
        assert world.ok("commit").out == "nothing to commit\n"
        assert world.ok("commit", "--json").json["commit"] is None
        world.ok("commit", "alpha.org")


def test_commit_of_a_file_that_is_not_there_or_not_kept_is_a_usage_error(world):
    world.write("picture.png", b"\x89PNG")
    assert "no file 'nosuch.org'" in world.refused("commit", "nosuch.org", code=2).err
    assert "'picture.png' is not committed" in world.refused("commit", "picture.png", code=2).err
    outside = world.project / "x.org"
    outside.write_text(note("X"))
    assert "not in the store" in world.refused("commit", outside, code=2).err


def test_a_deleted_node_is_taken_out_when_it_is_named_and_nothing_links_to_it(world):
    (world.store / "beta.org").unlink()
    ran = world.ok("commit")
    assert "gone" in ran.err
    assert world.at_head("beta.org")
    world.ok("commit", "beta.org")
    assert world.at_head("beta.org") is None
    assert "Beta" not in world.at_head("index.org")
    world.assert_sound()


def test_a_deleted_node_that_is_linked_is_refused_and_the_link_named(world):
    (world.store / "alpha.org").unlink()
    ran = world.refused("commit", "alpha.org")
    assert "still-linked beta.org:" in ran.err
    assert world.at_head("alpha.org")


def test_a_linked_node_may_go_together_with_the_link(world):
    (world.store / "alpha.org").unlink()
    (world.store / "beta.org").write_text(note("Beta", BETA))
    world.ok("commit", "alpha.org", "beta.org")
    world.assert_sound()


def test_a_renamed_file_keeps_its_node_and_its_links(world):
    (world.store / "alpha.org").rename(world.store / "first.org")
    world.ok("commit")
    assert world.at_head("alpha.org") is None
    assert world.ok("backlinks", ALPHA).out.startswith("beta.org:")
    world.assert_sound()


def test_a_node_moved_into_a_file_that_is_refused_stays_where_it_was(world):
    text = (world.store / "beta.org").read_text()
    (world.store / "beta.org").unlink()
    world.write("moved.org", text + "#+begin_src\n")
    ran = world.refused("commit")
    assert "moved-to-refused" in ran.err


def test_captures_settings_and_attributes_are_taken(world):
    world.write("raw/page.html", "<p>kept as it is</p>")
    world.write("raw/deep/note.org", "no node at all\n")
    world.write("ai-kb.toml", 'types = ["recipe"]\n')
    world.write(".gitignore", ".ai-kb/\n*~\n.#*\n\\#*#\n")
    committed = world.ok("commit", "--json").json["committed"]
    assert set(committed) == {"raw/page.html", "raw/deep/note.org", "ai-kb.toml", ".gitignore"}
    world.ok("index", "--check")


def test_wrong_settings_are_refused(world):
    world.write("ai-kb.toml", "typs = 3\n")
    ran = world.run("commit")
    assert ran.code == 1
    assert "typs" in ran.err
    assert world.at_head("ai-kb.toml") is None


@pytest.mark.parametrize(
    "name", [".#alpha.org", "#alpha.org#", "alpha.org~", "x.org.orig", ".hidden.org",
             ".obsidian/x.org", "x.org.swp", "raw/.#page", "raw/page~", "raw/.DS_Store",
             "raw/x.tmp", "picture.png", "index-mine.org"],
)  # fmt: skip
def test_what_editors_leave_is_never_swept_up(world, name):
    world.git("config", "core.excludesFile", os.devnull)
    (world.store / ".gitignore").write_text(".ai-kb/\n")
    world.ok("commit")
    world.write(name, note("Left"))
    with world.unchanged():
        assert world.ok("commit").out == "nothing to commit\n"


def test_a_symbolic_link_or_a_big_capture_is_refused_alone(world):
    (world.store / "link.org").symlink_to(world.project / "secret")
    with (world.write("raw/big.bin", b"")).open("wb") as file:
        file.truncate((50 << 20) + 1)
    world.write("good.org", note("Good", GOOD))
    ran = world.run("commit", "--json")
    assert ran.code == 1
    assert ran.json["committed"] == ["good.org"]
    assert set(ran.json["refused"]) == {"link.org", "raw/big.bin"}


def test_an_embedded_repository_is_left_alone(world):
    (world.store / "raw/tool").mkdir(parents=True)
    world.git("init", "-q", cwd=world.store / "raw/tool")
    world.write("raw/tool/x.txt", "x")
    world.git("add", ".", cwd=world.store / "raw/tool")
    world.git("commit", "-qm", "x", cwd=world.store / "raw/tool")
    with world.unchanged():
        world.ok("commit")


@pytest.mark.parametrize("name", ["two words.org", "[a] *?.org", ":(top).org", "ünïcödé-日本.org"])
def test_file_names_of_any_kind(world, name):
    world.write(name, note("Odd", GOOD))
    world.ok("commit")
    assert world.at_head(name)
    world.ok("edit", GOOD, "--add-tag", "x")
    world.assert_sound()


def test_a_file_name_with_a_line_end_is_refused_alone(world):
    world.write("a\nb.org", note("Odd", GOOD))
    world.write("good.org", note("Good"))
    ran = world.run("commit", "--json")
    assert ran.json["committed"] == ["good.org"]
    assert ran.json["refused"] == ["a\nb.org"]


def test_what_is_staged_by_hand_comes_along_as_it_is_on_disk(world):
    world.write("s.org", note("Staged", GOOD, body="old"))
    world.git("add", "s.org")
    world.write("s.org", note("Staged", GOOD, body="new"))
    world.ok("commit")
    assert "new" in world.at_head("s.org")
    world.assert_sound()


@pytest.mark.parametrize("with_another", [False, True])
def test_what_is_staged_and_on_disk_as_head_has_it_is_not_said_to_be_committed(world, with_another):
    world.write("brief.org", note("Brief", GOOD))
    beta = (world.store / "beta.org").read_text()
    world.write("beta.org", beta + "\nNot kept.\n")
    world.git("add", ".")
    (world.store / "brief.org").unlink()
    world.write("beta.org", beta)
    wanted = ["good.org"] if with_another else []
    for name in wanted:
        world.write(name, note("Good", GOOD))
    said = world.ok("commit", "--json").json
    assert said["committed"] == wanted
    assert bool(said["commit"]) is with_another
    assert world.git("status", "--porcelain") == ""
    assert "nothing to commit" in world.ok("commit").out


def test_uncommitted_files_of_others_are_in_no_commit_and_no_index_and_no_links_target(world):
    half = "99999999-3333-4111-8111-111111111111"
    world.write("half.org", note("Half done", half))
    (world.store / "beta.org").write_text(note("Changed title", BETA))
    world.new("Mine")
    assert "Half done" not in world.at_head("index.org")
    assert "| Beta |" in world.at_head("index.org")
    assert set(world.git("status", "--porcelain").split("\n")[:-1]) == {
        " M beta.org",
        "?? half.org",
    }
    world.ok("index", "--check")
    ran = world.refused(
        "new", "--type", "reference", "--title", "L", "--body-file", "-", stdin=f"[[id:{half}]]"
    )
    assert "dangling-link" in ran.err
