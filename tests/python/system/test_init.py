"""``ai-kb init``: a new store, an adopted one, a clone, and what is refused untouched."""

from __future__ import annotations

import stat

import pytest
from world import World, note


def verbs(ran):
    return [line.split()[0] for line in ran.out.splitlines()]


def test_init_makes_a_whole_store_and_again_changes_nothing(empty):
    assert "refusing" not in verbs(empty.ok("init"))
    assert stat.S_IMODE(empty.store.stat().st_mode) == 0o700
    assert (empty.store / "README.org").exists()
    assert empty.git("log", "--format=%s").strip() == "init: seed the store"
    assert empty.git("branch", "--show-current").strip() == "main"
    empty.assert_sound()
    config = (empty.store / ".git/config").read_bytes()
    with empty.unchanged():
        assert set(verbs(empty.ok("init"))) == {"skipping"}
    assert (empty.store / ".git/config").read_bytes() == config


def test_init_json(empty):
    answer = empty.ok("init", "--json").json
    assert answer["ok"] is True
    assert answer["store"] == str(empty.store)
    assert {step["verb"] for step in answer["steps"]} <= {"writing", "skipping"}


def test_init_mends_what_is_missing(world):
    (world.store / ".git/hooks/pre-commit").unlink()
    world.git("config", "--unset", "core.symlinks")
    out = world.ok("init").out
    assert "writing pre-commit hook" in out
    assert "writing git settings: core.symlinks" in out


def test_init_refuses_a_directory_that_is_something_else_untouched(empty):
    empty.store.mkdir(parents=True)
    (empty.store / "thesis.txt").write_text("years of work")
    ran = empty.run("init")
    assert ran.code == 1
    assert "is not empty and is no store" in ran.out + ran.err
    assert [path.name for path in empty.store.iterdir()] == ["thesis.txt"]


def test_init_refuses_a_repository_of_somebody_elses_until_told_to_adopt_it(empty):
    empty.store.mkdir(parents=True)
    empty.git("init", "-q", "-b", "trunk")
    empty.write("mine.org", note("Mine"))
    empty.git("add", ".")
    empty.git("commit", "-qm", "mine")
    ran = empty.refused("init")
    assert "--adopt" in ran.out + ran.err
    empty.ok("init", "--adopt")
    assert empty.git("branch", "--show-current").strip() == "trunk"
    assert not (empty.store / "README.org").exists()
    assert "Mine" in empty.at_head("index.org")
    empty.assert_sound()


def test_init_leaves_a_hook_of_somebody_elses(world):
    world.write(".git/hooks/pre-commit", "#!/bin/sh\nmine\n")
    ran = world.run("init")
    assert ran.code == 1
    assert "refusing pre-commit hook" in ran.out
    assert (world.store / ".git/hooks/pre-commit").read_text() == "#!/bin/sh\nmine\n"


def test_init_with_an_empty_origin_fills_it(empty):
    bare = empty.root / "backup.git"
    empty.git("init", "-q", "--bare", "-b", "trunk", str(bare), cwd=empty.root)
    empty.ok("init", "--origin", bare)
    assert empty.git("rev-parse", "main", cwd=bare).strip() == empty.head()
    empty.ok("doctor")


def test_init_on_a_second_machine_clones_and_is_a_whole_store(backed_up, tmp_path_factory):
    second = World(tmp_path_factory.mktemp("second"))
    bare = backed_up.root / "backup.git"
    assert f"cloned from {bare}" in second.ok("init", "--origin", bare).out
    assert second.head() == backed_up.head()
    second.ok("doctor")
    with second.unchanged():
        assert set(verbs(second.ok("init", "--origin", bare))) == {"skipping"}
    second.new("From the second")
    second.assert_sound()
    assert not list(second.store.parent.glob(".ai-kb-clone-*"))


def test_init_adopts_a_clone_made_by_hand(backed_up, tmp_path_factory):
    second = World(tmp_path_factory.mktemp("second"))
    bare = backed_up.root / "backup.git"
    second.git("clone", "-q", str(bare), str(second.store), cwd=second.root)
    assert "writing pre-commit hook" in second.ok("init").out
    second.ok("doctor")


def test_init_with_another_origin_than_the_stores_refuses_that_step(backed_up):
    with backed_up.unchanged():
        ran = backed_up.run("init", "--origin", "/other.git")
    assert ran.code == 1
    assert "refusing remote" in ran.out
    assert "backup.git" in backed_up.ok("remote").out


@pytest.mark.parametrize("existed", [True, False])
def test_init_with_an_origin_that_cannot_be_cloned_leaves_nothing(empty, existed):
    if existed:
        empty.store.mkdir(parents=True)
    ran = empty.run("init", "--origin", empty.root / "nowhere.git")
    assert ran.code == 1
    assert "cannot be cloned" in ran.out + ran.err
    assert empty.store.exists() is existed
    assert not existed or not list(empty.store.iterdir())


def test_init_refuses_an_origin_that_holds_something_else(empty):
    code = empty.root / "code"
    code.mkdir()
    empty.git("init", "-q", cwd=code)
    (code / "main.c").write_text("int main;")
    empty.git("add", ".", cwd=code)
    empty.git("commit", "-qm", "x", cwd=code)
    ran = empty.run("init", "--origin", code)
    assert ran.code == 1
    assert "something else" in ran.out + ran.err
    assert not empty.store.exists()


@pytest.mark.parametrize("url", ["--upload-pack=x", "ext::sh -c true"])
def test_init_refuses_an_origin_that_git_would_run(empty, url):
    assert empty.run("init", "--origin", url).code == 2
    assert not empty.store.exists()


def test_init_killed_while_it_clones_leaves_no_half_store(backed_up, tmp_path_factory):
    second = World(tmp_path_factory.mktemp("second"))
    second.fake(
        "git", 'case " $* " in *" clone "*) kill -9 $PPID; sleep 0.3;; esac; exec $REAL "$@"'
    )
    bare = backed_up.root / "backup.git"
    assert second.run("init", "--origin", bare).code == -9
    (second.bin / "git").unlink()
    second.ok("init", "--origin", bare)
    assert second.head() == backed_up.head()
