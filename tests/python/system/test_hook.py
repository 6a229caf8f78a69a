"""The store's own pre-commit hook: what a person commits by hand is checked too."""

from __future__ import annotations

import os

import pytest
from world import ALPHA, World, note

BAD = note("Bad") + "#+begin_src\n"
WAYS = {
    "commit": ("commit", "-qm", "x"),
    "commit -a": ("commit", "-qam", "x"),
    "commit -- path": ("commit", "-qm", "x", "--", "alpha.org"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_broken_note_is_refused_and_a_good_one_passes(world, way):
    good = (world.store / "alpha.org").read_text()
    for text, passes in ((good + "#+begin_src\n", False), (good + "more\n", True)):
        (world.store / "alpha.org").write_text(text)
        if way == "commit":
            world.git("add", "alpha.org")
        before = world.head()
        result = world.git(*WAYS[way], check=False)
        assert (result.returncode == 0) is passes, result.stdout + result.stderr
        assert (world.head() != before) is passes
        if not passes:
            assert "alpha.org:13: error unclosed-block" in result.stdout + result.stderr


def test_what_is_judged_is_what_is_staged_and_not_what_is_on_disk(world):
    world.write("new.org", note("New"))
    world.git("add", "new.org")
    world.write("new.org", BAD)
    world.git("commit", "-qm", "good is staged")
    world.git("add", "new.org")
    world.write("new.org", note("New"))
    assert world.git("commit", "-qm", "bad is staged", check=False).returncode == 1


@pytest.mark.parametrize("from_where", ["sub", "outside"])
def test_from_another_directory(world, from_where):
    (world.store / "sub").mkdir()
    world.write("sub/bad.org", BAD)
    world.git("add", "sub/bad.org")
    if from_where == "sub":
        result = world.git("commit", "-qm", "x", cwd=world.store / "sub", check=False)
    else:
        result = world.git(
            "-C", str(world.store), "commit", "-qm", "x", cwd=world.project, check=False
        )
    assert result.returncode == 1
    assert "sub/bad.org:13: error" in result.stdout + result.stderr


def test_with_an_inherited_git_dir_and_index(world):
    world.write("bad.org", BAD)
    world.git("add", "bad.org")
    other = world.store / ".git/other-index"
    other.write_bytes((world.store / ".git/index").read_bytes())
    world.git("reset", "-q")
    env = {
        "GIT_DIR": str(world.store / ".git"), "GIT_WORK_TREE": str(world.store),
        "GIT_INDEX_FILE": str(other),
    }  # fmt: skip
    result = world.git("commit", "-qm", "x", env=env, check=False)
    assert result.returncode == 1
    assert "bad.org:13" in result.stdout + result.stderr


def test_inside_the_hook_of_another_repository_a_write_goes_to_the_store(world):
    """Git gives its hooks GIT_DIR and GIT_INDEX_FILE, and an agent may be called from one."""
    other = World(world.root / "other-world", world.root / "other-store")
    other.ok("init")
    env = {
        "GIT_DIR": str(other.store / ".git"), "GIT_INDEX_FILE": str(other.store / ".git/index"),
        "GIT_WORK_TREE": str(other.store), "GIT_PREFIX": "",
    }  # fmt: skip
    with other.unchanged():
        world.ok("new", "--type", "reference", "--title", "Mine", env=env)
        world.ok("status", env=env)
        world.ok("check", "--staged", env=env | {"GIT_INDEX_FILE": None})
    world.assert_sound()


def test_a_linked_note_cannot_be_removed_by_hand(world):
    world.git("rm", "-q", "alpha.org")
    result = world.git("commit", "-qm", "x", check=False)
    assert result.returncode == 1
    assert f"this links to {ALPHA}" in result.stdout + result.stderr


def test_other_files_and_half_done_notes_beside_do_not_matter(world):
    world.write("half.org", BAD)
    world.write("raw/page.txt", "x")
    world.git("add", "raw/page.txt")
    world.git("commit", "-qm", "a capture")


def test_the_first_commit_of_a_store_is_checked(empty):
    empty.ok("init")
    empty.git("update-ref", "-d", "HEAD")
    empty.write("bad.org", BAD)
    empty.git("add", "bad.org")
    assert empty.git("commit", "-qm", "x", check=False).returncode == 1
    empty.git("reset", "-q", "--", "bad.org", check=False)
    empty.git("rm", "-q", "--cached", "bad.org", check=False)
    (empty.store / "bad.org").unlink()
    empty.git("commit", "-qm", "good")


def test_the_hook_works_whatever_is_configured_globally(world):
    (world.home / "hooks").mkdir()
    world.git("config", "--global", "core.hooksPath", str(world.home / "hooks"), cwd=world.home)
    world.write("bad.org", BAD)
    world.git("add", "bad.org")
    assert world.git("commit", "-qm", "x", check=False).returncode == 1


def test_a_program_that_moved_away_is_named(world):
    hook = world.store / ".git/hooks/pre-commit"
    text = hook.read_text()
    program = text.split("[ ! -x ")[1].split(" ]")[0]
    hook.write_text(text.replace(program, "'/gone/ai-kb'"))
    world.write("good.org", note("Good"))
    world.git("add", "good.org")
    result = world.git("commit", "-qm", "x", check=False)
    assert result.returncode == 1
    assert "run `ai-kb init` again" in result.stderr
    world.ok("init")
    world.git("commit", "-qm", "x")


def test_the_check_leaves_no_files_behind(world):
    world.write("good.org", note("Good"))
    world.git("add", "good.org")
    world.git("commit", "-qm", "x")
    assert os.listdir(world.root / "tmp") == []
    world.ok("index")
    world.assert_sound()
