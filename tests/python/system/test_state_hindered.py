"""What `status`, `doctor` and `vault status` say where something stands in the way of the backup."""

from __future__ import annotations

import pytest
from machines import edit
from vault_world import VaultWorld
from world import ALPHA, World

OLD = "The first of two."


def detached(world):
    world.git("checkout", "-q", "--detach")
    return "HEAD is detached", "git switch main"


def merging(world):
    clash(world)
    assert world.git("merge", "-q", "other", check=False).returncode
    return "a merge is under way", "git merge --abort"


def rebasing(world):
    clash(world)
    assert world.git("rebase", "-q", "other", check=False).returncode
    return "a rebase is under way", "git rebase --abort"


def clash(world):
    """Two branches that changed the same line."""
    for branch, words in (("other", "Of other."), ("main", "Of main.")):
        world.git("checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        world.write("alpha.org", world.at_head("alpha.org").replace(OLD, words))
        world.git("commit", "-q", "--no-verify", "-am", words)


@pytest.mark.parametrize("hinder", [detached, merging, rebasing])
def test_it_is_said_first_with_the_way_out_and_nothing_is_guessed(pair, hinder):
    _, two = pair
    what, cure = hinder(two)
    out = two.ok("status").out
    assert out.splitlines()[0].startswith(what)
    assert f"`{cure}`" in out.splitlines()[0]
    assert "all is committed and pushed" not in out
    answer = two.ok("status", "--json").json
    assert answer["hindered"] == {"what": what, "cure": cure}
    if hinder is not merging:  # HEAD is on no branch
        assert "not pushed" not in out
        assert answer["unpushed"] is None
    doctor = two.run("doctor")
    assert doctor.code == 1
    assert f"bad repository: {what}  ->  {cure}" in doctor.out
    ran = two.run("sync")
    assert ran.code == 1
    assert f"`{cure}`" in ran.err
    two.git(*cure.split()[1:])
    assert two.ok("status", "--json").json["hindered"] is None


def test_a_clone_whose_branch_has_no_commit_names_init(pair):
    one, _ = pair
    bare = one.root / "backup.git"
    one.git("symbolic-ref", "HEAD", "refs/heads/master", cwd=bare)
    third = World(one.root.parent / "third")
    third.git("clone", "-q", str(bare), str(third.store), cwd=one.root)
    out = third.ok("status").out
    assert out.splitlines()[0].startswith("the branch 'master' has no commit yet")
    assert "ai-kb init" in out.splitlines()[0]
    assert "all is committed and pushed" not in out
    for command in ("sync", "sync --dry-run"):
        err = third.run(*command.split()).err
        assert "has no commit yet" in err
        assert "`ai-kb init` mends that" in err
        assert "secrets" not in err
    third.ok("init")
    third.ok("sync")
    assert third.head() == one.head()


# -- the last try


@pytest.fixture
def clashing(pair):
    one, two = pair
    edit(one, "alpha.org", OLD, "One says this.")
    one.ok("push")
    edit(two, "alpha.org", OLD, "Two says that.")
    return pair


def last_try(world):
    shown = world.ok("status").out
    reason = world.ok("status", "--json").json["last_try"]
    if reason:
        assert f"the last try: {reason}" in shown
        assert reason in world.run("doctor").out
    return reason


def test_a_conflict_that_stopped_a_sync_is_the_last_try(clashing):
    _, two = clashing
    url = two.git("remote", "get-url", "origin").strip()
    two.git("remote", "set-url", "origin", "/nowhere.git")
    two.run("sync")
    assert "/nowhere.git" in last_try(two)
    two.git("remote", "set-url", "origin", url)
    two.run("sync")
    reason = last_try(two)
    assert "cannot be merged" in reason
    assert f"{ALPHA[:8]} Alpha" in reason
    assert "nowhere" not in reason
    two.ok("sync", "--resolve", ALPHA[:8], "ours")
    assert last_try(two) is None


def test_a_persons_own_push_ends_it(pair):
    _, two = pair
    bare = two.root.parent / "m0/backup.git"
    bare.rename(bare.parent / "away")
    two.new("Of two")
    assert last_try(two)
    (bare.parent / "away").rename(bare)
    two.git("push", "-q", "origin", "main")
    assert last_try(two) is None


def test_a_merge_before_the_conflict_is_owned_up_to(pair):
    """The second machine merges, loses the race of pushes, and then meets a conflict."""
    one, two = pair
    one.new("Of one")
    edit(two, "beta.org", "first.", "first, two says.")
    edit(one, "beta.org", "first.", "first, one says.")
    done = two.root / "done"
    two.fake(
        "git",
        f'case " $* " in *" push "*) if [ ! -e {done} ]; then touch {done}; '
        f'$REAL -C {one.store} push -q origin main; fi;; esac; exec $REAL "$@"',
    )
    before = two.head()
    ran = two.run("sync")
    assert ran.code == 1
    assert two.head() != before
    assert "nothing was changed" not in ran.err
    assert f"committed here ({two.head()[:10]})" in ran.err


def test_a_vaults_status_says_since_when_and_why(tmp_path, vault_template):
    vault = VaultWorld(tmp_path, like=vault_template)
    bare = tmp_path / "vault.git"
    vault.git("init", "-q", "--bare", "-b", "main", str(bare), cwd=tmp_path)
    vault.git("remote", "add", "origin", str(bare))
    vault.ok("vault", "sync")
    bare.rename(tmp_path / "away")
    vault.write("b.md", "# B\n")
    vault.ok("vault", "commit")
    out = vault.ok("vault", "status").out
    assert "1 commit is not pushed to " in out
    assert ", since 2" in out
    assert "the last try: " in out
    answer = vault.ok("vault", "status", "--json").json
    assert answer["unpushed"] == 1
    assert answer["behind_since"] in out
    assert "does not appear to be a git repository" in answer["last_try"]
    vault.git("checkout", "-q", "--detach")
    assert vault.ok("vault", "status").out.startswith("HEAD is detached; ")
