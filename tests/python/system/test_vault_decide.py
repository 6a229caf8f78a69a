"""Decisions about a vault's notes, and notes that one machine moved."""

from __future__ import annotations

import json

import pytest
from machines import offline
from test_vault_sync import assert_in_step, ok, pair, put, vault  # noqa: F401

LONG = "".join(f"Line {n} of a note with words of its own.\n\n" for n in range(12)).strip()


@pytest.fixture
def moved(pair, request):  # noqa: F811
    """One machine moved a note, the other changed it; the second has not synced."""
    one, two = pair
    put(one, "a.md", LONG, "A")
    ok(one, "sync")
    ok(two, "sync")
    moving, editing = pair[request.param], pair[1 - request.param]
    (moving.store / "notes").mkdir()
    moving.git("mv", "a.md", "notes/b.md")
    text = (moving.store / "notes/b.md").read_text().replace("Line 9 of", "Line nine of")
    moving.write("notes/b.md", text)
    ok(moving, "commit", env=offline(moving))
    put(editing, "a.md", LONG.replace("Line 1 of", "Line one of"), "A")
    ok(one, "sync")
    return one, two


@pytest.mark.parametrize("moved", [0, 1], indirect=True)
def test_an_edit_follows_a_note_that_the_other_moved(moved):
    one, two = moved
    assert "notes/b.md:1: warning followed" in ok(two, "sync").err
    ok(one, "sync")
    text = one.at_head("notes/b.md")
    assert "Line one of" in text
    assert "Line nine of" in text
    assert one.at_head("a.md") is None
    assert_in_step(one, two)


def test_a_move_of_which_git_is_not_sure_is_a_conflict(pair):  # noqa: F811
    one, two = pair
    put(one, "a.md", LONG, "A")
    ok(one, "sync")
    ok(two, "sync")
    for name in ("b.md", "c.md"):
        one.write(name, (one.store / "a.md").read_text())
    one.git("rm", "-q", "a.md")
    ok(one, "commit")
    put(two, "a.md", LONG.replace("Line 1 of", "Line one of"), "A")
    ran = vault(two, "sync")
    assert ran.code == 1
    assert "conflict a A (a.md:1): deleted on the remote, changed here" in ran.err
    ok(two, "sync", "--resolve", "a", "ours")
    assert "Line one of" in two.at_head("a.md")


def test_both_names_each_note_in_the_other(pair):  # noqa: F811
    one, two = pair
    for world, word in ((one, "One"), (two, "Two")):
        put(world, "n 1.md", f"{word}'s.", "N")
    ok(one, "sync")
    said = vault(two, "sync").err
    assert "1 note cannot be merged" in said
    assert "`ai-kb vault sync --resolve 'n 1' ours|theirs|both`" in said
    done = ok(two, "sync", "--resolve", "n 1", "both", "--json").json
    assert done["decided"][0]["made"] == [{"path": "n 1-2.md", "id": "n 1-2"}]
    assert 'contested: "[[n 1-2]], ' in two.at_head("n 1.md")
    assert 'contested: "[[n 1]], ' in two.at_head("n 1-2.md")
    ran = ok(two, "review")
    assert "contested n 1.md: N ([[n 1-2]], " in ran.out
    assert "contested n 1-2.md: N ([[n 1]], " in ran.out
    contested = ok(two, "review", "--json").json["contested"]
    assert [note["path"] for note in contested] == ["n 1-2.md", "n 1.md"]


def test_a_file_that_is_no_text_is_named_and_decided(pair):  # noqa: F811
    one, two = pair
    for world, data in ((one, b"a\0b"), (two, b"a\0c")):
        world.write("x.bin", data)
        world.git("add", "x.bin")
        world.git("commit", "-qm", "x.bin")
    ok(one, "sync")
    ran = vault(two, "sync")
    assert ran.code == 1
    assert "conflict x.bin (x.bin:1): file changed on both sides" in ran.err
    assert "1 file cannot be merged" in ran.err
    ok(two, "sync", "--resolve", "x.bin", "both")
    assert (two.at_head("x.bin"), two.at_head("x-2.bin")) == ("a\0c", "a\0b")
    ok(one, "sync")
    assert_in_step(one, two)


def test_hidden_files_are_not_kept_twice(pair):  # noqa: F811
    one, two = pair
    for world, data in ((one, "zero\n"), (one, "one\n"), (two, "two\n")):
        world.write(".obsidian/app.json", data)
        world.git("add", ".obsidian")
        world.git("commit", "-qm", "settings")
        if data != "two\n":
            ok(one, "sync")
        if data == "zero\n":
            ok(two, "sync")
    assert "text changed" in vault(two, "sync").err
    assert vault(two, "sync", "--resolve", ".obsidian/app.json", "both").code == 2
    ok(two, "sync", "--resolve", ".obsidian/app.json", "theirs")
    assert two.at_head(".obsidian/app.json") == "one\n"


def test_settings_that_fit_line_by_line_and_are_no_json_then_are_decided(pair):  # noqa: F811
    one, two = pair
    for world, key in ((one, "wide"), (two, "dark")):
        world.write(".obsidian/app.json", json.dumps({key: True}, indent=2) + "\n")
        world.git("add", ".obsidian")
        world.git("commit", "-qm", "settings")
    ok(one, "sync")
    ran = vault(two, "sync")
    assert ran.code == 1
    assert "file changed on both sides" in ran.err
    ok(two, "sync", "--resolve", ".obsidian/app.json", "ours")
    assert json.loads(two.at_head(".obsidian/app.json")) == {"dark": True}
    ok(one, "sync")
    assert_in_step(one, two)


def test_a_note_that_is_only_like_one_that_went_gets_no_edit_of_it(pair):  # noqa: F811
    one, two = pair
    put(one, "2026-11-29.md", LONG, "29 November")
    ok(one, "sync")
    ok(two, "sync")
    (one.store / "2026-11-29.md").unlink()
    one.write("2026-11-30.md", one.at_head("2026-11-29.md").replace("29 November", "30 November"))
    ok(one, "commit", ".", env=offline(one))
    text = two.at_head("2026-11-29.md")
    two.write("2026-11-29.md", text.replace("Line 1 of", "Line one of"))
    ok(two, "commit", env=offline(two))
    ok(one, "sync")
    ran = vault(two, "sync")
    assert ran.code == 1
    assert "deleted on the remote, changed here" in ran.err
    ok(two, "sync", "--resolve", "2026-11-29", "ours")
    assert "Line one of" in two.at_head("2026-11-29.md")
    assert "Line one of" not in two.at_head("2026-11-30.md")


def test_a_clone_of_a_remote_whose_head_names_no_branch_is_on_its_branch(pair):  # noqa: F811
    one, _ = pair
    bare, place = one.root.parent / "bare.git", one.root / "third vault"
    one.git("symbolic-ref", "HEAD", "refs/heads/master", cwd=bare)
    one.git("clone", "-q", str(bare), str(place), cwd=bare)
    assert one.run("vault", "init", place).code == 0
    assert one.git("rev-parse", "HEAD", cwd=place).strip() == one.head()
    assert (place / "a.md").exists()
