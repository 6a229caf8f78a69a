"""Sync with a remote that is away, slow, rewritten or empty; killed at every step; and clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import time

import pytest
from machines import assert_in_step, edit, offline
from world import ALPHA, World

STEPS = [
    ("fetch", "after"), ("update-index", "after"), ("fast-import", "before"), ("fast-import", "after"),
    ("cat-file --batch-check", "after"), ("push", "after"),
]  # fmt: skip


@pytest.fixture
def apart(pair):
    """Both edited one node in different places, and each made a node; the first has pushed."""
    one, two = pair
    one.ok("edit", ALPHA, "--add-tag", "mine")
    one.new("From one")
    two.ok("edit", ALPHA, "--append-file", "-", stdin="Hers.", env=offline(two))
    two.new("From two", env=offline(two))
    return pair


def heal(world):
    time.sleep(0.7)  # what was killed left a git that lives on for a moment, with the lock
    shutil.rmtree(world.bin)
    world.bin.mkdir()


@pytest.mark.parametrize(("step", "when"), STEPS)
def test_killed_at_any_step_the_next_command_repairs_and_sync_ends(apart, step, when):
    one, two = apart
    kill = "kill -9 $PPID; sleep 0.2"
    act = f'{kill}; exec $REAL "$@"' if when == "before" else f'$REAL "$@"; {kill}; exit 0'
    two.fake("git", f'case " $* " in *" {step}"*) {act};; esac\nexec $REAL "$@"')
    assert two.run("sync").code == -9
    heal(two)
    ran = two.ok("status")
    assert two.git("status", "--porcelain") == "", ran.err
    assert "<<<<" not in (two.store / "alpha.org").read_text()
    two.ok("sync")
    one.ok("sync")
    text = one.at_head("alpha.org")
    assert ":mine:" in text
    assert "Hers." in text
    assert "| From two |" in one.at_head("index.org")
    assert_in_step(one, two)


@pytest.mark.parametrize("seed", range(1))
def test_killed_at_random_instants(apart, seed):
    one, two = apart
    for number in range(5):
        process = two.start("sync")
        record = two.store / ".ai-kb/txn/record.json"
        deadline = time.monotonic() + 5
        while number % 2 and not record.exists() and process.poll() is None:
            assert time.monotonic() < deadline
        time.sleep((seed + number * 7) % 11 * (0.004 if number % 2 else 0.05))
        process.kill()
        process.wait()
        process.communicate()
        time.sleep(0.3)
        two.run("status")
    two.ok("sync")
    one.ok("sync")
    assert_in_step(one, two, sound=True)


def test_killed_as_it_goes_forward(pair):
    one, two = pair
    one.new("From one")
    two.fake(
        "git",
        'case " $* " in *" update-ref -m"*) $REAL "$@"; kill -9 $PPID; exit 0;; esac; exec $REAL "$@"',
    )
    assert two.run("sync").code == -9
    heal(two)
    assert "finished an interrupted write" in two.ok("status").err
    assert two.head() == one.head()
    two.ok("sync")
    assert_in_step(one, two)


def test_a_remote_that_is_away_is_told_and_nothing_changes(pair):
    one, two = pair
    bare = one.root / "backup.git"
    bare.rename(one.root / "away")
    before = two.state()
    ran = two.run("sync", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "git")
    assert two.state() == before
    (one.root / "away").rename(bare)
    two.ok("sync")


def test_a_fetch_that_never_ends_is_given_up(pair):
    _, two = pair
    two.settings("[seconds]\npush = 1.0\n")
    two.fake("git", 'case " $* " in *" fetch "*) exec sleep 878;; esac; exec $REAL "$@"')
    ran = two.run("sync", timeout=20)
    assert ran.code == 1
    assert "no answer in time" in ran.err


def test_without_a_remote_it_says_how_to_have_one(world):
    ran = world.refused("sync")
    assert "`ai-kb remote URL` adds one" in ran.err


def test_an_empty_remote_is_filled(pair):
    one, two = pair
    shutil.rmtree(one.root / "backup.git")
    one.git(
        "init", "-q", "--bare", "--initial-branch=main", str(one.root / "backup.git"), cwd=one.root
    )
    two.new("From two")
    one.ok("sync")
    assert_in_step(one, two)


@pytest.mark.parametrize("where", ["back", "aside"])
def test_a_remote_rewritten_by_force_is_refused_and_explained(pair, where):
    one, two = pair
    one.new("Will be gone")
    two.ok("sync")
    if where == "back":
        one.git("push", "-q", "--force", "origin", "HEAD~1:main")
    else:
        one.git("commit", "-q", "--amend", "-m", "rewritten", "--no-verify")
        one.git("push", "-q", "--force", "origin", "main")
    tip = one.git("rev-parse", "main", cwd=one.root / "backup.git").strip()
    before = two.state()
    ran = two.run("sync")
    assert ran.code == 1
    assert "history was rewritten" in ran.err
    assert two.state().tree == before.tree
    written = two.ok("new", "--type", "reference", "--title", "T")
    assert "history was rewritten" in written.err
    assert one.git("rev-parse", "main", cwd=one.root / "backup.git").strip() == tip
    command = ran.err.split("what is here: ")[1].split(". To take")[0]
    assert command.startswith(f"git -C '{two.store}' push --force-with-lease=main:{tip} ")
    two.git(*command.split()[3:])
    two.ok("sync")
    assert one.git("rev-parse", "main", cwd=one.root / "backup.git").strip() == two.head()


def test_a_person_can_take_the_rewritten_history(pair):
    one, two = pair
    one.new("Will be gone")
    two.ok("sync")
    one.git("reset", "-q", "--hard", "HEAD~1")
    one.git("push", "-q", "--force", "origin", "main")
    assert two.run("sync").code == 1
    two.git("reset", "-q", "--hard", one.head())
    two.ok("sync")
    assert_in_step(one, two)


def feed(world, *words, text):
    """What git makes of its standard input."""
    return subprocess.run(
        ["git", *words],
        cwd=world.store,
        env=world.env,
        input=text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("what", ["link", "outside"])
def test_what_is_no_file_for_a_store_is_not_brought_in(pair, what):
    one, two = pair
    blob = feed(one, "hash-object", "-w", "--stdin", text="x").strip()
    if what == "link":
        one.git("update-index", "--add", "--cacheinfo", f"120000,{blob},link.org")
        tree = one.git("write-tree").strip()
    else:
        tree = one.git("rev-parse", "HEAD^{tree}").strip()
        made = feed(one, "mktree", text=f"100644 blob {blob}\tx\n")
        tree = feed(
            one, "mktree", text=one.git("ls-tree", tree) + f"040000 tree {made.strip()}\t..\n"
        ).strip()
    commit = one.git("commit-tree", "-p", "HEAD", "-m", "odd", tree).strip()
    one.git("push", "-q", "origin", f"{commit}:main")
    before = two.state().tree
    ran = two.run("sync")
    assert ran.code == 1
    assert "is no file for a store" in ran.err
    assert two.state().tree == before


def test_clone_restores_a_machine_in_one_command(pair, tmp_path):
    one, _ = pair
    third = World(tmp_path / "third")
    (third.root / "template/hooks").mkdir(parents=True)
    (third.root / "template/hooks/post-checkout").write_text(f"#!/bin/sh\ntouch {third.root}/ran\n")
    (third.root / "template/hooks/post-checkout").chmod(0o755)
    third.git(
        "config", "--global", "init.templateDir", str(third.root / "template"), cwd=third.root
    )
    answer = third.ok("clone", one.root / "backup.git", "--json").json
    assert (answer["ok"], answer["nodes"]) == (True, 3)
    assert not (third.root / "ran").exists()
    assert (third.store / ".git/hooks/pre-commit").exists()
    assert third.git("config", "merge.ai-kb-node.driver")
    assert_in_step(one, third)
    third.new("From the third")
    assert "there already" in third.refused("clone", one.root / "backup.git").err


def test_clone_into_another_directory_and_what_it_refuses(pair):
    one, two = pair
    place = two.root / "elsewhere"
    assert "3 nodes" in two.ok("clone", one.root / "backup.git", place).out
    (two.root / "full").mkdir()
    (two.root / "full/x").write_text("x")
    assert two.run("clone", one.root / "backup.git", two.root / "full").code == 1
    assert (two.root / "full/x").read_text() == "x"
    assert two.run("clone", one.root / "nowhere.git", two.root / "none").code == 1
    assert not (two.root / "none").exists()
    assert two.run("clone", "ext::sh -c touch% /tmp/x").code == 2


def test_an_older_store_gets_the_drivers_by_init(pair):
    one, _ = pair
    attributes = (one.store / ".gitattributes").read_text()
    one.write(".gitattributes", attributes.replace("*.org merge=ai-kb-node\nraw/** -merge\n", ""))
    one.ok("commit")
    one.git("config", "--unset", "merge.ai-kb-node.driver")
    assert "bad git settings" in one.run("doctor").out
    one.ok("init")
    assert one.at_head(".gitattributes") == attributes
    assert "ok  git settings" in one.run("doctor").out


def test_the_index_that_a_stale_commit_brought_is_made_anew_on_top(pair):
    one, two = pair
    edit(one, "alpha.org", "The first of two.", "Changed.")
    one.git("rm", "-q", "index.org")
    one.git("commit", "-qm", "by hand", "--no-verify")
    one.git("push", "-q", "origin", "main")
    two.ok("sync")
    assert two.git("status", "--porcelain") == ""
    assert two.at_head("index.org")
    one.git("pull", "-q", "--ff-only", "origin", "main")
    assert_in_step(one, two)


def test_locks_that_a_killed_git_left_stop_no_sync_and_no_push(pair):
    """Memory or power went: git died with us, in the middle of a fetch or a push."""
    one, two = pair
    one.new("Of one")
    names = ["refs/ai-kb/fetched/main", "refs/ai-kb/seen/main", "refs/remotes/origin/main"]
    for command in (("sync",), ("new", "--type", "reference", "--title", "Of two")):
        for name in (*names, "packed-refs"):
            lock = two.store / f".git/{name}.lock"
            lock.parent.mkdir(parents=True, exist_ok=True)
            lock.touch()
            os.utime(lock, (1, 1))
        two.ok(*command)
        assert two.ok("status", "--json").json["unpushed"] == 0
        assert not list((two.store / ".git/refs").rglob("*.lock*"))
    assert "dead" not in two.git("for-each-ref")
    one.ok("sync")
    assert_in_step(one, two)
