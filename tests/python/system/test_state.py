"""``status``, ``doctor``, ``remote``, ``push``."""

from __future__ import annotations

import pytest
from world import ALPHA, note


def test_status_tells_what_is_uncommitted_unpushed_and_contested(backed_up):
    world = backed_up
    assert world.ok("status").out.endswith(f"pushed to {world.root / 'backup.git'}\n")
    world.write("half.org", note("Half"))
    world.ok("edit", ALPHA, "--status", "contested")
    (world.root / "backup.git").rename(world.root / "gone.git")
    world.ok("edit", ALPHA, "--add-tag", "x")
    out = world.ok("status").out
    assert "uncommitted half.org\n" in out
    assert "contested aaaaaaaa Alpha\n" in out
    assert "1 commit is not pushed to" in out
    answer = world.ok("status", "--json").json
    assert answer["uncommitted"] == ["half.org"]
    assert answer["unpushed"] == 1
    assert [node["title"] for node in answer["contested"]] == ["Alpha"]
    assert answer["interrupted"] is False


def test_status_without_a_remote_says_that_nothing_is_backed_up(world):
    assert "not backed up" in world.ok("status").out
    assert world.ok("status", "--json").json["remote"] is None


def test_remote_adds_shows_and_changes_the_address(world):
    assert "no remote" in world.ok("remote").out
    bare = world.add_remote()
    assert world.ok("remote").out == f"{bare}\n"
    assert world.git("rev-parse", "main", cwd=bare).strip() == world.head()
    second = world.root / "second.git"
    world.git("init", "-q", "--bare", "-b", "main", str(second), cwd=world.root)
    assert world.ok("remote", second, "--json").json == {
        "ok": True, "remote": str(second), "pushed": True, "push": "pushed",
        "push_detail": str(second),
    }  # fmt: skip
    assert world.git("rev-parse", "main", cwd=second).strip() == world.head()


def test_remote_that_cannot_be_reached_is_kept_and_said(world):
    ran = world.run("remote", world.root / "nowhere.git")
    assert ran.code == 1
    assert "not pushed" in ran.err
    assert world.ok("remote").out == f"{world.root / 'nowhere.git'}\n"
    assert "nowhere.git' does not appear to be" in world.ok("status").out.partition("last try")[2]


@pytest.mark.parametrize("url", ["--upload-pack=x", "ext::sh -c true", " ", "a\nb"])
def test_remote_refuses_what_git_would_run(world, url):
    world.refused("remote", "--", url, code=2)
    assert "no remote" in world.ok("remote").out


def test_a_token_in_the_address_is_never_shown(world):
    url = "https://agent:s3cret-token@localhost:9/kb.git"
    shown = [world.run("remote", url), world.run("remote"), world.run("status"), world.run("push"),
             world.run("doctor"), world.run("status", "--json"), world.run("push", "--json"),
             world.run("init", "--origin", "https://other:s3cret-token@localhost:9/x.git")]  # fmt: skip
    assert all("s3cret-token" not in ran.out + ran.err for ran in shown)
    assert "https://localhost:9/kb.git" in shown[1].out


def test_push_sends_what_is_committed(backed_up):
    bare = backed_up.root / "backup.git"
    bare.rename(backed_up.root / "away.git")
    backed_up.new("While it was away")
    (backed_up.root / "away.git").rename(bare)
    assert backed_up.ok("push").out == f"pushed to {bare}\n"
    assert backed_up.git("rev-parse", "main", cwd=bare).strip() == backed_up.head()
    assert backed_up.ok("push", "--json").json["pushed"] is True


def test_push_without_a_remote_is_refused(world):
    assert "ai-kb remote URL" in world.refused("push").err


def test_push_without_a_commit_is_refused(empty):
    empty.store.mkdir(parents=True)
    empty.git("init", "-q")
    assert "nothing to push" in empty.refused("push").err


def line_of(world, name, **further):
    """The line of one thing that doctor looked at."""
    ran = world.run("doctor", **further)
    lines = [line for line in ran.out.splitlines() if line[4:].startswith(f"{name}:")]
    assert len(lines) == 1, ran.out + ran.err
    return ran.code, lines[0]


def test_doctor_finds_nothing_wrong_with_a_good_store(backed_up):
    ran = backed_up.ok("doctor")
    assert all(line.startswith("ok ") for line in ran.out.splitlines())
    assert backed_up.ok("doctor", "--json").json["ok"] is True


def _lock(world):
    (world.store / ".git/index.lock").touch()


def _interrupt(world):
    (world.store / ".ai-kb/txn").mkdir(parents=True)


DAMAGES = {
    "hook gone": (lambda w: (w.store / ".git/hooks/pre-commit").unlink(), "pre-commit hook", "ai-kb init"),
    "hook foreign": (lambda w: w.write(".git/hooks/pre-commit", "#!/bin/sh\n"), "pre-commit hook",
                     "check --staged"),
    "setting": (lambda w: w.git("config", "core.autocrlf", "true"), "git settings", "ai-kb init"),
    "remote": (lambda w: w.git("remote", "remove", "origin"), "backup", "ai-kb remote URL"),
    "detached": (lambda w: w.git("checkout", "-q", "--detach"), "repository", "git switch"),
    "lock": (_lock, "repository", "rm '"),
    "interrupted": (_interrupt, "repository", "ai-kb index"),
    "index": (lambda w: (w.store / "index.org").unlink(), "index", "ai-kb index"),
    "settings": (lambda w: w.write("ai-kb.toml", "[["), "settings", "edit "),
    "git index": (lambda w: w.write(".git/index", "rubbish"), "index", "ai-kb index"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_doctor_names_what_is_wrong_and_the_one_line_that_mends_it(backed_up, damage):
    harm, name, cure = DAMAGES[damage]
    harm(backed_up)
    code, line = line_of(backed_up, name)
    assert code == 1
    assert line.startswith("bad ")
    assert cure in line.partition("->")[2]


@pytest.mark.parametrize("program", ["emacs", "rg", "git"])
def test_doctor_misses_a_program(backed_up, program):
    code, line = line_of(backed_up, program, env={"PATH": backed_up.path_without(program)})
    assert code == 1
    assert "install" in line.partition("->")[2].lower()


def test_doctor_without_a_store_names_init(empty):
    code, line = line_of(empty, "store")
    assert code == 1
    assert line.endswith("->  ai-kb init")


@pytest.mark.parametrize("damage", ["hook gone", "setting", "interrupted", "index", "git index"])
def test_what_doctor_says_mends_it(backed_up, damage):
    DAMAGES[damage][0](backed_up)
    _, line = line_of(backed_up, DAMAGES[damage][1])
    command = line.partition("->")[2].replace("`", "")
    backed_up.ok("init" if "init" in command else "index")
    backed_up.ok("doctor")
