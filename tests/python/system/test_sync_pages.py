"""Generated pages and settings around a sync: made anew without a merge too, and no dead end."""

from __future__ import annotations

import json

import pytest
from machines import assert_in_step, edit
from world import note


def kept(world):
    return sorted(p.read_bytes() for p in (world.store / ".ai-kb/replaced").glob("**/*.org.*"))


# -- pages


def test_a_page_that_is_missing_is_there_again_after_a_sync(pair):
    _, two = pair
    good = (two.store / "index.org").read_bytes()
    before = two.head()
    (two.store / "index.org").unlink()
    two.ok("sync")
    assert (two.store / "index.org").read_bytes() == good
    assert two.head() == before
    assert kept(two) == []


@pytest.mark.parametrize("words", ["x\n", "{good}my own line\n"])
def test_what_somebody_wrote_over_or_into_a_page_is_kept_beside(pair, words):
    one, two = pair
    good = (two.store / "index.org").read_text()
    text = words.format(good=good)
    two.write("index.org", text)
    ran = two.ok("sync", "--json")
    (finding,) = ran.json["findings"]
    assert (finding["code"], finding["path"]) == ("page-replaced", "index.org")
    assert kept(two) == [text.encode()]
    assert (two.store / finding["message"].rsplit(" ", 1)[1]).read_text() == text
    assert_in_step(one, two)


def test_a_stale_page_that_a_commit_by_hand_brought_is_mended_and_pushed(pair):
    one, two = pair
    two.write("hand.org", note("By hand"))
    two.git("add", "hand.org")
    two.git("commit", "-qm", "by hand", "--no-verify")
    ran = two.ok("sync")
    assert "made anew index.org" in ran.out
    assert "By hand" in two.at_head("index.org")
    assert kept(two) == []
    one.ok("sync")
    assert_in_step(one, two)


def test_lines_added_to_a_page_are_kept_by_a_merge_and_by_a_write(pair):
    one, two = pair
    one.new("Of one")
    for number, command in enumerate((("sync",), ("new", "--type", "reference", "--title", "T"))):
        text = (two.store / "index.org").read_text() + f"my line {number}\n"
        two.write("index.org", text)
        assert "page-replaced" in two.ok(*command).err
        assert text.encode() in kept(two)
    one.ok("sync")
    assert_in_step(one, two)


def test_with_nothing_new_nothing_is_written(pair):
    _, two = pair
    two.ok("sync")
    with two.unchanged():
        answer = two.ok("sync", "--json").json
    assert (answer["commit"], answer["paths"], answer["findings"]) == (None, [], [])


def test_a_page_that_cannot_be_made_hinders_no_backup(pair):
    _, two = pair
    two.git("rm", "-q", "index.org")
    two.write("index.org", note("Mine alone"))
    two.git("add", "index.org")
    two.git("commit", "-qm", "my own", "--no-verify")
    ran = two.ok("sync")
    assert "warning index-not-made" in ran.err
    assert two.git("rev-parse", "origin/main").strip() == two.head()


# -- settings


def test_broken_settings_let_the_mended_ones_in(pair):
    one, two = pair
    for text in ('types = ["recipe"\n', 'types = ["recipe"]\n'):
        one.write("ai-kb.toml", text)
        one.git("add", "-A")
        one.git("commit", "-qm", "settings", "--no-verify")
        one.git("push", "-q", "origin", "main")
        ran = two.run("sync", "--json")
        assert ran.code == 0, ran.err
    (finding,) = (f for f in ran.json["findings"] if f["code"] == "other-settings")
    assert finding["severity"] == "warning"
    assert "ai-kb.toml" in finding["message"]
    one.ok("sync")
    two.ok("sync")
    assert_in_step(one, two)


def test_writes_and_pages_wait_until_settings_are_mended(pair):
    _, two = pair
    two.write("ai-kb.toml", "types = 3\n")
    before = two.head()
    ran = two.ok("sync")
    assert "warning other-settings" in ran.err
    assert "the last commit's settings" not in ran.err
    assert two.head() == before
    assert two.refused("new", "--type", "reference", "--title", "T").code == 1


def test_settings_that_come_with_a_merge_count_for_the_pages_it_makes(pair):
    one, two = pair
    one.settings('types = ["recipe"]\n')
    one.new("Soup", kind="recipe")
    edit(two, "beta.org", "first.", "first of all.")
    two.ok("sync")
    assert_in_step(two)
    one.ok("sync")
    assert one.head() == two.head()
    assert "ecipe" in one.at_head("index.org")


def test_a_vault_with_broken_settings_syncs_too(pair, tmp_path):
    """The same engine; only the words of the commands differ."""
    _, two = pair
    vault = tmp_path / "vault"
    bare = tmp_path / "vault.git"
    env = {"AI_KB_VAULT": str(vault)}
    two.git("init", "-q", "--bare", "-b", "main", str(bare), cwd=tmp_path)
    vault.mkdir()
    (vault / "a.md").write_text("# A\n")
    two.ok("vault", "init", env=env)
    two.git("remote", "add", "origin", str(bare), cwd=vault)
    two.ok("vault", "sync", env=env)
    (vault / "ai-kb.toml").write_text("[[")
    ran = two.ok("vault", "sync", "--json", env=env)
    assert [f["code"] for f in ran.json["findings"]] == ["other-settings"]
    assert two.run("vault", "index", env=env).code == 1
    (vault / "ai-kb.toml").unlink()
    (vault / "vault-index.json").unlink()
    two.ok("vault", "sync", env=env)
    json.loads((vault / "vault-index.json").read_text())
