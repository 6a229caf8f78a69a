"""A repository that is not fit for a write, and settings that would spoil one."""

from __future__ import annotations

import subprocess
import threading
import time

import pytest
from world import ALPHA, BETA, note

NEW = ("new", "--type", "reference", "--title", "T")


def conflict(world):
    """Two branches that disagree about Alpha's title, which no driver of ours can decide."""
    world.ok("edit", ALPHA, "--title", "Ours")
    world.git("checkout", "-q", "-b", "other", "HEAD~1")
    alpha = world.store / "alpha.org"
    alpha.write_text(alpha.read_text().replace("#+title: Alpha", "#+title: Theirs"))
    world.git("commit", "-qam", "theirs")
    world.git("checkout", "-q", "main")


def _begin(world, *words):
    conflict(world)
    assert world.git(*words, check=False).returncode != 0


UNDER_WAY = {
    "a merge": ("merge", "other"),
    "a rebase": ("rebase", "other"),
    "a cherry-pick": ("cherry-pick", "other"),
    "a revert": ("revert", "--no-edit", "HEAD~1"),
}


@pytest.mark.parametrize("what", UNDER_WAY)
def test_what_a_person_has_under_way_is_named_and_left_alone(world, what):
    _begin(world, *UNDER_WAY[what])
    for words in (NEW, ("commit",), ("index",), ("edit", BETA, "--add-tag", "x"), ("push",)):
        ran = world.refused(*words)
        assert f"{what} is under way" in ran.err
        assert "git status says how" in ran.err
    assert what in world.ok("status").out
    world.ok("find", "alpha")


def test_a_detached_head_is_refused_with_the_way_back(world):
    world.git("checkout", "-q", "--detach")
    ran = world.refused(*NEW)
    assert "HEAD is detached" in ran.err
    assert "git switch main" in ran.err


def test_no_identity_is_needed_and_one_that_is_set_is_used(world):
    world.ok(*NEW)
    assert world.git("log", "-1", "--format=%an <%ae>").strip() == "ai-kb <ai-kb@localhost>"
    world.git("config", "--global", "user.name", "Jane <J> Doe", cwd=world.home)
    world.git("config", "--global", "user.email", "jane@example.org", cwd=world.home)
    world.ok(*NEW[:-1], "Another")
    assert world.git("log", "-1", "--format=%an <%ae>").strip() == "Jane J Doe <jane@example.org>"


def test_an_index_lock_of_nobodys_is_waited_for_named_and_not_deleted(world):
    """Case 50 of the corpora: obsidian-git #186 and its like."""
    note_ = world.write("probe.org", note("Lock probe"))
    lock = world.store / ".git/index.lock"
    lock.touch()
    start = time.monotonic()
    ran = world.refused("commit")
    assert 1 < time.monotonic() - start < 20
    assert f"'{lock}'" in ran.err
    assert "no longer running" in ran.err
    assert lock.exists()
    assert note_.exists()
    lock.unlink()
    world.ok("commit")
    world.assert_sound()


def test_an_index_lock_of_a_live_git_is_named_with_its_process(world):
    world.write("hand.org", note("Hand"))
    world.git("add", "hand.org")
    env = world.env | {"GIT_EDITOR": "sleep 60; false"}
    words = [
        "git",
        "-c",
        "user.name=P",
        "-c",
        "user.email=p@x",
        "commit",
        "--no-verify",
        "-a",
        "-v",
    ]
    person = subprocess.Popen(words, cwd=world.store, env=env, start_new_session=True)
    try:
        while not (world.store / ".git/index.lock").exists():
            time.sleep(0.01)
        ran = world.run(*NEW)
        assert ran.code == 1
        assert f"locked by git (pid {person.pid})" in ran.err
        assert (world.store / ".git/index.lock").exists()
    finally:
        subprocess.run(["kill", "-9", "--", f"-{person.pid}"], check=True)
        person.wait()
    (world.store / ".git/index.lock").unlink()
    world.ok("commit")
    world.assert_sound()


def test_an_index_lock_that_goes_away_in_time_holds_nobody_up(world):
    lock = world.store / ".git/index.lock"
    lock.touch()
    threading.Timer(1.0, lock.unlink).start()
    world.ok(*NEW)
    world.assert_sound()


def test_a_lock_that_comes_while_we_write_is_waited_for(world):
    """Magit and others look at the store every other moment, and take the lock for it."""
    world.fake(
        "git", f'case " $* " in *" update-index "*) if [ ! -e {world.root}/once ]; then\n'
        f"touch {world.root}/once {world.store}/.git/index.lock\n"
        f"(sleep 0.7; rm {world.store}/.git/index.lock) >/dev/null 2>&1 & fi;; esac\nexec $REAL \"$@\"",
    )  # fmt: skip
    world.ok(*NEW)
    (world.bin / "git").unlink()
    world.assert_sound()


@pytest.mark.parametrize("damage", ["missing", "rubbish", "short"])
def test_a_broken_git_index_is_read_anew_and_nobody_loses_a_file(world, damage):
    index = world.store / ".git/index"
    if damage == "missing":
        index.unlink()
    else:
        index.write_bytes(b"rubbish" if damage == "rubbish" else index.read_bytes()[:100])
    ran = world.ok(*NEW)
    assert "repaired:" in ran.err
    world.assert_sound()
    assert world.at_head("alpha.org")


STEPS = ["status", "update-index", "fast-import", "cat-file"]


@pytest.mark.parametrize("how", ["exit 1", "kill -9 $$"])
@pytest.mark.parametrize("step", STEPS)
def test_a_git_that_fails_at_a_step_leaves_all_as_it_was(world, step, how):
    """Even what a person has staged, in whole or in part."""
    (world.store / "alpha.org").write_text((world.store / "alpha.org").read_text() + "\nstaged\n")
    world.git("add", "alpha.org")
    (world.store / "alpha.org").write_text((world.store / "alpha.org").read_text() + "not staged\n")
    world.write("added.org", note("Added", body="See [[id:aaaaaaaa]]."))
    world.git("add", "added.org")
    world.fake(
        "git",
        f'case " $* " in *" {step} "*) echo "fatal: made up" >&2; {how};; esac\nexec $REAL "$@"',
    )
    with world.unchanged():
        env = {"PATH": f"{world.bin}:{world.env['PATH']}"}
        ran = world.run("commit", env=env)
        (world.bin / "git").unlink()
        assert ran.code == 1
        assert "git" in ran.err
        if step == "cat-file":
            world.run("status")  # what could not be told then is settled now
    world.ok("commit")
    world.assert_sound()


def test_a_git_that_fails_after_the_commit_is_believed_only_when_head_has_it(world):
    """fast-import did its work, and then looked as if it had failed."""
    world.fake(
        "git", 'case " $* " in *" fast-import "*) $REAL "$@"; exit 1;; esac\nexec $REAL "$@"'
    )
    world.ok(*NEW)
    (world.bin / "git").unlink()
    world.assert_sound()


COMMIT = "$REAL -c user.name=P -c user.email=p@x commit -q --no-verify -m theirs"


def test_a_commit_that_a_person_makes_meanwhile_is_kept_and_ours_goes_on_top(world):
    world.write("hand.org", note("Hand"))
    world.git("add", "hand.org")
    once = f"[ -e {world.root}/once ] || {{ touch {world.root}/once; {COMMIT} -- hand.org; }}"
    world.fake("git", f'case " $* " in *" fast-import "*) {once};; esac\nexec $REAL "$@"')
    world.ok(*NEW)
    (world.bin / "git").unlink()
    assert world.git("log", "-2", "--format=%s").splitlines() == ["new: T", "theirs"]
    assert "Hand" in world.at_head("index.org")
    world.assert_sound()


def test_somebody_who_commits_without_pause_is_named_and_nothing_of_ours_is_left(world):
    always = f"{COMMIT} --allow-empty --only"
    world.fake("git", f'case " $* " in *" fast-import "*) {always};; esac\nexec $REAL "$@"')
    before = world.state()
    ran = world.run(*NEW)
    (world.bin / "git").unlink()
    assert ran.code == 1
    assert "somebody else commits" in ran.err
    assert world.state()[:2] == before[:2]


def test_settings_of_the_person_do_not_matter(world):
    hooks = world.home / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {world.root}/hook-ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    for name, value in {
        "core.hooksPath": hooks, "commit.gpgSign": "true", "gpg.program": "/bin/false",
        "core.autocrlf": "true", "core.quotePath": "true", "status.showUntrackedFiles": "no",
        "core.pager": "false", "core.editor": "false", "push.default": "nothing",
        "init.defaultBranch": "trunk", "commit.template": "/nowhere", "core.fsmonitor": "/bin/false",
        "core.excludesFile": world.home / "ignore", "status.relativePaths": "true", "color.ui": "always",
        "safe.directory": "*",
    }.items():  # fmt: skip
        world.git("config", "--global", name, str(value), cwd=world.home)
    (world.home / "ignore").write_text("*.org\n")
    world.write("hand.org", note("Hand"))
    world.ok(*NEW)
    assert not (world.root / "hook-ran").exists()
    assert "T" in world.at_head("index.org")
    (world.home / ".gitconfig").unlink()
    world.ok("commit")
    world.assert_sound()


def test_inherited_git_variables_do_not_matter(world):
    env = {
        "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index",
        "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_NAMESPACE": "x", "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Evil", "GIT_TRACE": "1",
        "GIT_CEILING_DIRECTORIES": "/", "GIT_DEFAULT_HASH": "sha256", "GIT_EDITOR": "false",
    }  # fmt: skip
    for words in (
        NEW,
        ("status",),
        ("index", "--check"),
        ("commit",),
        ("edit", ALPHA, "--add-tag", "x"),
    ):
        assert "trace" not in world.ok(*words, env=env).err
    world.assert_sound()


def test_a_repository_with_sha256_objects(empty):
    empty.store.mkdir(parents=True)
    empty.git("init", "-q", "-b", "main", "--object-format=sha256")
    empty.ok("init")
    empty.ok(*NEW)
    empty.assert_sound()
