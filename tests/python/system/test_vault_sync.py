"""Two machines with one vault and a bare remote."""

from __future__ import annotations

import json
import shutil

import pytest
from machines import offline
from world import World

MARKS = ("<<<", "===", ">>>")
NOTE = '---\ntitle: "{title}"\ntype: reference\ntags:\n  - rails\nstatus: current\n---\n\n# {title}\n\n{body}\n'


def vault(world, *words, **further):
    return world.run(
        "vault", *words, env=(further.pop("env", None) or {}) | where(world), **further
    )


def ok(world, *words, **further):
    ran = vault(world, *words, **further)
    assert ran.code == 0, f"{words}: {ran.out}\n{ran.err}"
    return ran


def where(world):
    return {"AI_KB_VAULT": str(world.store)}


def put(world, path, body, title=None):
    world.write(path, NOTE.format(title=title or path, body=body))
    ok(world, "commit", path, env=offline(world))


@pytest.fixture
def pair(tmp_path):
    """Two clones of a vault with one note, in step."""
    one = World(tmp_path / "one", tmp_path / "one/vault")
    one.store.mkdir()
    one.write("a.md", NOTE.format(title="A", body="First.\n\nSecond."))
    ok(one, "init")
    bare = tmp_path / "bare.git"
    one.git("init", "-q", "--bare", "--initial-branch=main", str(bare), cwd=tmp_path)
    one.git("remote", "add", "origin", str(bare))
    ok(one, "sync")
    two = World(tmp_path / "two", tmp_path / "two/vault")
    two.git("clone", "-q", str(bare), str(two.store), cwd=tmp_path)
    ok(two, "init")
    return one, two


def assert_in_step(*worlds):
    assert len({world.head() for world in worlds}) == 1
    for world in worlds:
        assert world.git("status", "--porcelain") == ""
        index = (world.store / "vault-index.json").read_bytes()
        shutil.rmtree(world.home / ".cache", ignore_errors=True)
        ok(world, "index")
        assert (world.store / "vault-index.json").read_bytes() == index
        json.loads(index)


def test_notes_of_both_and_one_note_edited_by_both(pair):
    one, two = pair
    put(one, "b.md", "Of one.")
    put(one, "a.md", "First, changed.\n\nSecond.", "A")
    put(two, "c.md", "Of two.")
    two.write(
        "a.md", (two.store / "a.md").read_text().replace("  - rails\n", "  - rails\n  - hers\n")
    )
    ok(two, "commit", "a.md", env=offline(two))
    ok(one, "sync")
    answer = ok(two, "sync", "--json").json
    assert (answer["merged"], answer["pushed"]) == (True, True)
    ok(one, "sync")
    text = (one.store / "a.md").read_text()
    assert "First, changed." in text
    assert "  - hers\n" in text
    paths = {
        entry["path"] for entry in json.loads((one.store / "vault-index.json").read_text())["rails"]
    }
    assert paths == {"a.md", "b.md", "c.md"}
    assert_in_step(one, two)


@pytest.mark.parametrize("side", ["ours", "theirs", "both"])
def test_a_conflict_is_named_and_decided(pair, side):
    one, two = pair
    put(one, "a.md", "One's.\n\nSecond.", "A")
    ok(one, "sync")
    put(two, "a.md", "Two's.\n\nSecond.", "A")
    before = two.state().tree
    ran = vault(two, "sync")
    assert ran.code == 1
    assert "conflict a A (a.md:" in ran.err
    assert "ai-kb vault sync --resolve a ours|theirs|both" in ran.err
    assert two.state().tree == before
    ok(two, "sync", "--resolve", "a.md", side)
    ok(one, "sync")
    text = (one.store / "a.md").read_text()
    assert ("One's." in text) is (side == "theirs")
    assert (one.store / "a-2.md").exists() is (side == "both")
    if side == "both":
        assert "One's." in (one.store / "a-2.md").read_text()
        assert "status: contested" in text
    assert_in_step(one, two)


def test_a_folder_without_git_says_so(tmp_path):
    world = World(tmp_path, tmp_path / "vault")
    world.store.mkdir()
    ran = vault(world, "sync")
    assert ran.code == 1
    assert "`ai-kb vault init` makes it one" in ran.err


def test_a_persons_own_pull_merges_notes_key_by_key(pair):
    one, two = pair
    for world, tag, line in ((one, "mine", "First, mine."), (two, "hers", "First.")):
        text = (world.store / "a.md").read_text()
        text = text.replace("  - rails\n", f"  - rails\n  - {tag}\n").replace("First.", line)
        world.write("a.md", text)
        ok(world, "commit", "a.md", env=offline(world))
    put(two, "c.md", "Of two.")
    ok(one, "sync")
    two.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    text = (two.store / "a.md").read_text()
    assert "  - rails\n  - hers\n  - mine\n" in text
    assert "First, mine.\n\nSecond." in text
    ok(two, "index")
    ok(two, "sync")
    ok(one, "sync")
    assert_in_step(one, two)


def test_a_pull_that_clashes_has_markers_that_no_commit_of_ours_takes(pair):
    one, two = pair
    put(one, "a.md", "Of one.", "A")
    put(two, "a.md", "Of two.", "A")
    ok(one, "sync")
    pulled = two.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main", check=False)
    assert pulled.returncode == 1
    assert "<<<<<<<" in (two.store / "a.md").read_text()
    ran = vault(two, "commit", "a.md")
    assert ran.code == 1
    assert "a merge is under way" in ran.err
    two.git("merge", "--abort")
    ok(two, "sync", "--resolve", "a.md", "theirs")
    assert "Of one." in two.at_head("a.md")


def test_markers_that_a_pull_by_hand_left_are_not_pushed(pair):
    """As the vault's own documents have it: plain `git pull`, which no hook of ours watches."""
    one, two = pair
    put(one, "a.md", "One's.\n\nSecond.", "A")
    ok(one, "sync")
    put(two, "a.md", "Two's.\n\nSecond.", "A")
    assert two.git("pull", "-q", "--no-rebase", check=False).returncode == 1
    two.git("commit", "-qam", "merged")
    ran = vault(two, "sync")
    assert ran.code == 1
    lines = two.at_head("a.md").split("\n")
    line = next(number for number, x in enumerate(lines, 1) if x.startswith("<<<<<<< "))
    assert f"a.md:{line} holds the markers of a conflict" in ran.err
    assert "`ai-kb vault commit`, then `ai-kb vault sync`" in ran.err
    two.write("a.md", "\n".join(x for x in lines if x[:3] not in MARKS))
    ok(two, "commit")
    ok(two, "sync")
    ok(one, "sync")
    assert_in_step(one, two)
