"""What a remote says and does: told in its own words, and taken for what it is."""

from __future__ import annotations

import pytest
from machines import bare, offline
from world import World

NEW = ("new", "--type", "reference", "--title", "T")


def tip(world, branch="main"):
    return world.git("rev-parse", branch, cwd=bare(world)).strip()


def hook(world, words):
    place = bare(world) / "hooks/pre-receive"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{words}\nexit 1\n")
    place.chmod(0o755)


# -- another push at the same moment


@pytest.mark.parametrize("command", [("sync",), NEW])
def test_a_branch_that_is_held_at_that_moment_is_tried_again(pair, command):
    """Another machine's push holds the reference while ours comes in."""
    _, two = pair
    two.new("Of two", env=offline(two))
    lock, tried = bare(two) / "refs/heads/main.lock", two.root / "tried"
    two.fake(
        "git",
        f'case " $* " in *" push "*) if [ ! -e {tried} ]; then touch {tried} {lock}; '
        f'$REAL "$@"; code=$?; rm {lock}; exit $code; fi;; esac; exec $REAL "$@"',
    )
    assert "not pushed" not in two.ok(*command).err
    assert tried.exists()
    assert tip(two) == two.head()


def test_a_branch_that_stays_held_is_told_with_the_remotes_words(pair):
    _, two = pair
    (bare(two) / "refs/heads/main.lock").touch()
    two.new("Of two", env=offline(two))
    ran = two.run("sync")
    assert ran.code == 1
    assert "cannot lock ref" in ran.err
    assert "Traceback" not in ran.err


# -- the words of a remote


def test_a_remote_that_is_gone_is_named(pair):
    _, two = pair
    bare(two).rename(bare(two).parent / "away")
    for command in ("sync", "push"):
        err = two.run(command).err
        assert f"'{bare(two)}' does not appear to be a git repository" in err
    assert str(bare(two)) in two.ok(*NEW).err


def test_the_words_of_a_remotes_own_hook_are_told(pair):
    _, two = pair
    hook(two, "echo >&2; echo 'Only signed pushes, please.' >&2; echo 'Ask Ann.' >&2")
    for command in ("sync", "push"):
        two.new(f"For {command}", env=offline(two))
        err = two.run(command).err
        assert "Only signed pushes, please.; Ask Ann." in err
        assert "pre-receive hook declined" in err
        assert str(bare(two)) in err


def test_what_ssh_says_is_told_with_the_address_and_no_secret(pair):
    _, two = pair
    two.fake("ssh", "echo 'agent@nowhere.invalid: Permission denied (publickey).' >&2; exit 255")
    two.git("remote", "set-url", "origin", "ssh://agent:s3cret@nowhere.invalid/kb.git")
    for command in (("sync",), ("push",), NEW, ("status",), ("doctor",)):
        ran = two.run(*command)
        assert "Permission denied (publickey)" in ran.out + ran.err
        assert "ssh://agent@nowhere.invalid/kb.git" in ran.out + ran.err
        assert "s3cret" not in ran.out + ran.err
    assert "s3cret" not in (two.store / ".git/ai-kb-backup.json").read_text()


def test_the_words_of_a_remote_obey_no_terminal(pair):
    _, two = pair
    hook(two, r"printf '\033[2Jgone\n' >&2")
    two.new("Of two", env=offline(two))
    assert "\x1b" not in two.run("sync").err


# -- clone


@pytest.mark.parametrize("what", ["missing", "something else"])
def test_a_clone_that_fails_names_the_cause_and_leaves_no_folder(tmp_path, what):
    world = World(tmp_path)
    origin = tmp_path / "origin"
    if what != "missing":
        world.git("init", "-q", str(origin), cwd=tmp_path)
        (origin / "code.py").write_text("print()\n")
        world.git("add", ".", cwd=origin)
        world.git("commit", "-qm", "code", cwd=origin)
    ran = world.run("clone", origin, tmp_path / "new/deep/store")
    assert ran.code == 1
    said = "something else" if what != "missing" else "does not exist"
    assert said in ran.out + ran.err
    assert str(origin) in ran.out + ran.err
    assert not (tmp_path / "new").exists()
    (tmp_path / "there").mkdir()
    world.run("clone", origin, tmp_path / "there/store")
    assert list((tmp_path / "there").iterdir()) == []


def test_a_clone_of_nothing_says_that_it_was_empty(tmp_path):
    world = World(tmp_path)
    world.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "none.git"), cwd=tmp_path)
    assert "none.git, which is empty" in world.ok("clone", tmp_path / "none.git").out
