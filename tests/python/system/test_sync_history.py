"""A remote whose history is another one: rewritten, emptied, begun apart, or of another branch."""

from __future__ import annotations

import shutil

import pytest
from machines import assert_in_step, bare, edit, offline
from world import ALPHA, BETA, World


def empty_remote(world, branch="main"):
    shutil.rmtree(bare(world))
    world.git(
        "init", "-q", "--bare", f"--initial-branch={branch}", str(bare(world)), cwd=world.root
    )


# -- rewritten


@pytest.mark.parametrize("where", ["back", "aside"])
def test_a_rewritten_remote_is_merged_with_when_asked_and_nothing_of_either_is_lost(pair, where):
    one, two = pair
    mine = one.new("Was taken away")
    two.ok("sync")
    one.git("reset", "-q", "--hard", "HEAD~1")
    if where == "aside":
        one.new("Came instead", env=offline(one))
    one.git("push", "-q", "--force", "origin", "main")
    edit(two, "beta.org", "first.", "first of all.")
    ran = two.run("sync")
    assert ran.code == 1
    first, _, rest = ran.err.partition("A person decides. ")[2].partition(". To bring")
    assert "`ai-kb sync --merge-rewritten`" in first
    assert "--force-with-lease" in rest
    with two.unchanged():
        two.ok("sync", "--dry-run", "--merge-rewritten")
    assert two.run("sync").code == 1
    ran = two.ok("sync", "--merge-rewritten", "--json")
    told = next(f for f in ran.json["findings"] if f["code"] == "remote-rewritten")
    assert "1 commit that it took away comes back" in told["message"]
    assert one.git("merge-base", "--is-ancestor", one.head(), "main", cwd=bare(one)) == ""
    one.ok("sync")
    titles = {node["title"] for node in one.ok("find", "--json").json["nodes"]}
    assert titles >= {"Was taken away", *(["Came instead"] if where == "aside" else [])}
    assert one.ok("show", mine, "--json").code == 0
    assert "first of all." in one.at_head("beta.org")
    assert_in_step(one, two)


def test_a_conflict_with_a_rewritten_remote_is_decided_as_any_other(pair):
    one, two = pair
    edit(one, "alpha.org", "The first of two.", "As it was.")
    one.ok("push")
    two.ok("sync")
    one.git("reset", "-q", "--hard", "HEAD~1")
    edit(one, "alpha.org", "The first of two.", "As it is.")
    one.git("push", "-q", "--force", "origin", "main")
    ran = two.run("sync", "--merge-rewritten", "--json")
    assert ran.json["error"]["code"] == "merge-conflict"
    two.ok("sync", "--resolve", ALPHA, "ours")
    assert "As it was." in two.at_head("alpha.org")
    one.ok("sync")
    assert_in_step(one, two)


# -- emptied


def test_a_remote_that_was_emptied_is_refilled_and_this_is_told(pair):
    one, two = pair
    one.new("Of one")
    empty_remote(two)
    two.ok("sync", "--dry-run")
    ran = two.ok("sync", "--json")
    (told,) = ran.json["findings"]
    assert (told["code"], told["severity"]) == ("remote-emptied", "warning")
    ran = one.run("sync")
    assert "--merge-rewritten" in ran.err
    one.ok("sync", "--merge-rewritten")
    two.ok("sync")
    assert "| Of one |" in two.at_head("index.org")
    assert_in_step(one, two)
    assert two.ok("sync", "--json").json["findings"] == []


def test_a_write_that_refills_an_emptied_remote_tells_it_too(pair):
    _, two = pair
    empty_remote(two)
    assert "warning remote-emptied" in two.ok("edit", BETA, "--add-tag", "x").err
    assert two.git("rev-parse", "main", cwd=bare(two)).strip() == two.head()


# -- begun apart


@pytest.fixture
def strange(pair, tmp_path):
    """A store of its own whose remote is set, by mistake, to another store's."""
    third = World(tmp_path / "m2")
    third.ok("init")
    third.new("Of the third")
    third.git("remote", "add", "origin", str(bare(pair[0])))
    return pair[0], third


def test_stores_begun_apart_are_not_made_one_by_a_write_or_a_sync(strange):
    one, third = strange
    tip = third.git("rev-parse", "main", cwd=bare(one))
    written = third.ok("new", "--type", "reference", "--title", "T")
    assert "holds something else" in written.err
    assert not (third.store / "alpha.org").exists()
    for words in (("sync",), ("sync", "--dry-run")):
        ran = third.run(*words)
        assert ran.code == 1
        assert "no history in common" in ran.err
        assert "`ai-kb remote URL`" in ran.err
        assert "`ai-kb sync --join`" in ran.err
    assert third.git("rev-parse", "main", cwd=bare(one)) == tip


def test_they_become_one_when_a_person_asks_for_it(strange):
    one, third = strange
    third.ok("sync", "--join")
    one.ok("sync")
    titles = {node["title"] for node in one.ok("find", "--json").json["nodes"]}
    assert titles >= {"Alpha", "Of the third"}
    assert_in_step(one, third)


# -- another branch


def test_a_store_on_another_branch_than_the_remotes_own_is_warned(pair):
    _, two = pair
    two.git("checkout", "-q", "-b", "side")
    ran = two.ok("sync", "--json")
    assert ran.json["ok"] is True
    (told,) = ran.json["findings"]
    assert told["code"] == "other-branch"
    for said in (told["message"], two.ok("status").out, two.run("doctor").out):
        assert "on the branch 'side', and the remote's own is 'main'" in said
        assert "`git switch main`" in said
    assert "'side'" in two.ok("status", "--json").json["other_branch"]
    two.git("checkout", "-q", "main")
    assert two.ok("sync", "--json").json["findings"] == []
    assert two.ok("status", "--json").json["other_branch"] is None


def test_it_is_known_without_a_clone_too_and_asked_once(world, tmp_path):
    """A remote that was added by its address left nothing here that names its own branch."""
    other = tmp_path / "trunk.git"
    world.git("init", "-q", "--bare", "-b", "main", str(other), cwd=tmp_path)
    world.ok("remote", other)
    world.ok("sync")
    world.fake("git", f'echo "$*" >> {world.root}/calls; exec $REAL "$@"')
    world.ok("sync")
    assert "ls-remote" not in (world.root / "calls").read_text()
    world.git("branch", "-q", "trunk", "main", cwd=other)
    world.git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=other)
    world.git("checkout", "-q", "-b", "side")
    assert "the remote's own is 'trunk'" in world.ok("sync").err


def test_remote_tells_what_an_occupied_remote_holds(pair, tmp_path):
    one, two = pair
    trunk = tmp_path / "trunk.git"
    one.git("clone", "-q", "--bare", str(bare(one)), str(trunk), cwd=tmp_path)
    one.git("branch", "-q", "-m", "main", "trunk", cwd=trunk)
    ran = two.ok("remote", trunk, "--json")
    (told,) = ran.json["findings"]
    assert "holds something already, on trunk" in told["message"]
    assert "'main' is put beside it" in told["message"]
    assert "the remote's own is 'trunk'" in two.ok("status").out


def test_remote_of_a_store_that_is_ahead_says_that_sync_merges(pair, tmp_path):
    one, two = pair
    ahead = tmp_path / "ahead.git"
    one.new("Of one")
    one.git("clone", "-q", "--bare", str(bare(one)), str(ahead), cwd=tmp_path)
    ran = two.run("remote", ahead)
    assert ran.code == 1
    assert f"{ahead} has 1 commit that is not here; `ai-kb sync` merges" in ran.err
    two.ok("sync")
    assert "| Of one |" in two.at_head("index.org")


def test_remote_of_another_store_says_so(strange):
    one, third = strange
    third.git("remote", "remove", "origin")
    ran = third.run("remote", bare(one))
    assert ran.code == 1
    assert "holds something else" in ran.err
    assert "another machine has pushed" not in ran.err
