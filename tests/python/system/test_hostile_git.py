"""A repository that is set against its owner: nothing in it runs, whichever command looks at it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess

import pytest
from many import run_many
from world import ALPHA, BETA, World, note


@pytest.fixture
def trap(world):
    """A program that leaves the canary, and the canary."""
    canary = world.root / "canary"
    script = world.root / "trap.sh"
    script.write_text(f"#!/bin/sh\n: > '{canary}'\ncat\nexit 0\n")
    script.chmod(0o755)
    return script, canary


def every_command(world):
    """Each command that asks git anything, in an order in which each has something to do."""
    world.write("more.org", note("More", body="Other words."))
    commands = (
        ("status",), ("check",), ("check", "--all"), ("doctor", "--history"), ("commit",), ("index",),
        ("push",), ("remote",), ("edit", ALPHA, "--append-file", "-"), ("capture", "-"), ("init",),
        ("new", "--type", "principle", "--title", "N"), ("reground", "--all"), ("sync",),
        ("contest", ALPHA, BETA, "--why", "x"),
    )  # fmt: skip
    answers = run_many(world, [(words, "Some more.\n") for words in commands])
    for words, ran in zip(commands, answers, strict=True):
        assert ran.code in {0, 1}, (words, ran)
        assert "Traceback" not in ran.err
    return answers


def touched(world):
    """Make git look at the bytes of every file."""
    for path in world.store.glob("*.org"):
        os.utime(path, (1, 1))


CONFIGS = {
    "fsmonitor": "[core]\n\tfsmonitor = {trap}\n",
    "ssh": "[core]\n\tsshCommand = {trap}\n[remote \"origin\"]\n\turl = ssh://nowhere.invalid/x\n",
    "hooks": "[core]\n\thooksPath = {hooks}\n",
    "editor": "[core]\n\teditor = {trap}\n\tpager = {trap}\n\taskPass = {trap}\n",
    "external-diff": "[diff]\n\texternal = {trap}\n[diff \"evil\"]\n\ttextconv = {trap}\n\tcommand = {trap}\n",
    "filter": "[filter \"evil\"]\n\tclean = {trap}\n\tsmudge = {trap}\n\trequired = true\n",
    "filter-process": "[filter \"evil\"]\n\tprocess = {trap}\n",
    "merge": "[merge \"evil\"]\n\tdriver = {trap}\n",
    "signing": "[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = {trap}\n[log]\n\tshowSignature = true\n",
    "receive-pack": "[remote \"origin\"]\n\turl = {bare}\n\treceivepack = {trap}\n\tuploadpack = {trap}\n",
    "helper": "[credential]\n\thelper = !{trap}\n[remote \"origin\"]\n\turl = http://127.0.0.1:9/x\n",
    "ext": "[remote \"origin\"]\n\turl = ext::{trap}\n[protocol \"ext\"]\n\tallow = always\n",
    "vcs": "[remote \"origin\"]\n\turl = x\n\tvcs = ext\n",
    "alternates": "[core]\n\talternateRefsCommand = {trap}\n",
    "included": "[include]\n\tpath = {included}\n",
    "alias": "[alias]\n\tstatus = !{trap}\n\tpush = !{trap}\n",
}  # fmt: skip


REFUSED = (
    "filter",
    "filter-process",
    "receive-pack",
    "helper",
    "vcs",
    "alternates",
    "included",
)


def configured(world, trap, *kinds):
    """The store with such settings of its own, and attributes that name its filters."""
    script, _ = trap
    hooks = world.root / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "pre-push", "reference-transaction", "post-index-change",
                 "post-checkout", "fsmonitor-watchman"):  # fmt: skip
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    included = world.root / "included"
    included.write_text(CONFIGS["filter"].format(trap=script))
    bare = world.root / "bare.git"
    world.git("init", "-q", "--bare", str(bare))
    with (world.store / ".git/config").open("a") as config:
        for kind in kinds:
            config.write(
                CONFIGS[kind].format(trap=script, hooks=hooks, bare=bare, included=included)
            )
    (world.store / ".git/info").mkdir(exist_ok=True)
    (world.store / ".git/info/attributes").write_text("* filter=evil diff=evil merge=evil\n")
    touched(world)


def test_what_the_repository_s_own_configuration_names_is_not_run(world, trap):
    inert = [kind for kind in CONFIGS if kind not in {*REFUSED, "external-diff"}]
    configured(world, trap, *inert)
    answers = every_command(world)
    assert sum(ran.code == 0 for ran in answers) > 8
    assert not trap[1].exists()


@pytest.mark.parametrize("kind", [*REFUSED, "external-diff"])
def test_what_nothing_can_switch_off_is_refused_by_name(world, trap, kind):
    configured(world, trap, kind)
    commands = [("status",), ("push", "--json"), ("doctor", "--history")]
    if kind == "filter":
        commands += [("commit",), ("doctor",)]
    for words, ran in zip(commands, run_many(world, [(w, "") for w in commands]), strict=True):
        assert ran.code == 1, (words, ran)
        assert "would run a program (" in ran.out + ran.err, words
    assert not trap[1].exists()


def test_what_people_install_for_one_repository_is_no_trap(world):
    for name, value in (
        ("filter.lfs.clean", "git-lfs clean -- %f"), ("filter.lfs.process", "git-lfs filter-process"),
        ("filter.git-crypt.smudge", '"git-crypt" smudge'), ("credential.helper", "store"),
        ("credential.https://github.com.helper", "!/usr/bin/gh auth git-credential"),
    ):  # fmt: skip
        world.git("config", "--local", name, value)
    world.ok("status")
    for value in ("git-lfs clean; x", "/usr/lib/../../tmp/x", "!gh auth git-credential && x"):
        world.git("config", "--local", "filter.x.clean", value)
        assert "filter.x.clean" in world.refused("status").err


@pytest.mark.parametrize("kind", ["filter", "fsmonitor", "hooks"])
def test_plain_git_does_run_it(world, trap, kind):
    """Else the tests above could not fail."""
    configured(world, trap, kind)
    world.git("add", "alpha.org", check=False)
    world.git("commit", "--allow-empty", "-qm", "x", check=False)
    assert trap[1].exists()


def test_attributes_and_submodules_that_came_by_a_pull_run_nothing(world, trap):
    script, canary = trap
    world.git("config", "--global", "filter.evil.clean", str(script))
    evil = world.root / "evil"
    world.git("init", "-q", str(evil), cwd=world.root)
    (evil / "x").write_text("x")
    world.git("add", "x", cwd=evil)
    world.git("commit", "-qm", "x", cwd=evil)
    world.write(".gitmodules", f'[submodule "sub"]\n\tpath = sub\n\turl = {evil}\n')
    world.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-f", str(evil), "sub"
    )
    with (world.store / ".git/modules/sub/config").open("a") as config:
        config.write(
            CONFIGS["fsmonitor"].format(trap=script) + CONFIGS["filter"].format(trap=script)
        )
    (world.store / ".git/modules/sub/info").mkdir(exist_ok=True)
    (world.store / ".git/modules/sub/info/attributes").write_text("* filter=evil\n")
    os.utime(world.store / "sub/x", (1, 1))
    world.git("commit", "--no-verify", "-qm", "pulled")
    canary.unlink(missing_ok=True)
    world.git("status")
    assert canary.exists(), "plain git does not run it either"
    canary.unlink()
    os.utime(world.store / "sub/x", (2, 2))
    with (world.store / ".gitmodules").open("a") as modules:
        modules.write(f"\tupdate = !{script}\n\tfetchRecurseSubmodules = true\n")
    answers = every_command(world)  # git itself refuses such a file; we say what to do about it
    assert not canary.exists()
    assert any("a store has no submodules" in ran.err for ran in answers)


ACTING = (
    "*.org filter=lfs", "* diff=evil", "* merge=union", "*.org working-tree-encoding=UTF-16", "* ident",
    "* text=auto", "*.org eol=crlf", "[attr]x filter=evil",
)  # fmt: skip


def test_attributes_that_change_what_is_kept_are_refused(world):
    text = (world.store / ".gitattributes").read_text()
    world.write(".gitattributes", text + "".join(f"{line}\n" for line in ACTING))
    ran = world.run("commit")
    assert ran.code == 1
    first = text.count("\n") + 1
    for number in range(first, first + len(ACTING)):
        assert f".gitattributes:{number}: error git-attributes" in ran.err
    assert world.at_head(".gitattributes") == text
    world.write(".gitattributes", f"{text}*.png binary\n# * filter=x\n")
    world.ok("commit")


def modes(root):
    """What anybody else could read below a directory."""
    found = []
    for place in [root, *root.rglob("*")]:
        mode = place.lstat().st_mode
        if not stat.S_ISLNK(mode) and mode & 0o077:
            found.append(f"{place.relative_to(root)} {stat.S_IMODE(mode):o}")
    return found


def test_nobody_else_can_read_what_is_made_under_a_careless_umask(tmp_path):
    world = World(tmp_path)
    world.env["XDG_DATA_HOME"] = str(tmp_path / "data")
    world.env["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    world.env["XDG_STATE_HOME"] = str(tmp_path / "state")
    world.store = tmp_path / "data/ai-kb"

    def run(*words, stdin=""):
        ran = subprocess.run(
            ["/bin/sh", "-c", 'umask 000; exec "$0" "$@"', os.sys.executable, "-m", "aikb", *words],
            env=world.env, cwd=world.project, input=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    run("init")
    first = run(
        "new", "--type", "principle", "--title", "One", "--body-file", "-", stdin="Words.\n"
    )
    run("capture", "-", "--title", "Kept", "--note", first.split()[0], stdin="Outside.\n")
    by_hand = world.write("sub/two.org", note("Two", ALPHA))
    for place in (by_hand, by_hand.parent):
        place.chmod(0o700 if place.is_dir() else 0o600)
    run("commit")
    run("edit", ALPHA, "--append-file", "-", stdin="More.\n")
    run("contest", ALPHA, "--why", "so")
    run("find", "one")
    run("status")
    for root in (world.store, tmp_path / "cache/ai-kb", tmp_path / "data"):
        assert modes(root) == [], root


def test_a_file_that_others_could_read_is_closed_when_it_is_taken_in(world):
    place = world.write("open.org", note("Open"))
    place.chmod(0o644)
    world.ok("commit")
    world.ok("edit", "Open", "--add-tag", "x")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_a_write_s_record_that_came_by_a_pull_does_nothing(world):
    """Else a commit could have the next command replace the hook, or write and delete anywhere."""
    victim, hook = world.root / "victim", world.store / ".git/hooks/pre-commit"
    victim.write_text("known words\n")
    kept = {place: place.read_bytes() for place in (victim, hook)}
    outside = os.path.relpath(victim, world.store)
    for path, place in ((".git/hooks/pre-commit", hook), (outside, victim), (str(victim), victim)):
        digest = hashlib.sha256(kept[place]).hexdigest()
        entries = [[path, "0" * 64, digest, "0.new", "1.old"], [path, None, digest, None, None]]
        for tracked in (False, True):
            world.write(".ai-kb/txn/record.json", json.dumps(entries))
            world.write(".ai-kb/txn/1.old", "#!/bin/sh\nevil\n")
            if tracked:
                world.git("add", "-f", ".ai-kb/txn")
                world.git("commit", "--no-verify", "-qm", "pulled")
            for words in (("status",), ("edit", ALPHA, "--append-file", "-")):
                ran = world.run(*words, stdin="More.\n")
                assert "Traceback" not in ran.err
                assert ran.code == 0, (path, words, ran.err)
                assert {place: place.read_bytes() for place in kept} == kept, (path, words)


@pytest.mark.parametrize("name", [".dir-locals.el", "sub/.envrc"])
def test_a_file_that_other_programs_obey_is_told_and_kept_out(world, name):
    world.write(name, "((nil . ((eval . (ignore)))))\n" if name.endswith("el") else "")
    assert f"{name}:1: error acting-file" in world.run("check").out
    world.ok("commit")
    assert name not in world.git("ls-files")
    world.git("add", "-f", name)
    ran = world.git("commit", "-qm", "x", check=False)
    assert ran.returncode == 1
    assert "acting-file" in ran.stdout + ran.stderr
    world.git("commit", "--no-verify", "-qm", "x")
    assert f"{name}:1: error acting-file" in world.run("check", "--all").out


def test_the_place_of_a_write_is_no_link(world):
    elsewhere = world.root / "elsewhere"
    (elsewhere / "txn").mkdir(parents=True)
    (elsewhere / "txn/kept").write_text("mine")
    shutil.rmtree(world.store / ".ai-kb", ignore_errors=True)
    (world.store / ".ai-kb").symlink_to(elsewhere)
    for words in (("status",), ("edit", ALPHA, "--append-file", "-")):
        ran = world.run(*words, stdin="More.\n")
        assert "Traceback" not in ran.err
        assert (elsewhere / "txn/kept").read_text() == "mine"
    assert ran.code == 1
    assert "symbolic link" in ran.err
