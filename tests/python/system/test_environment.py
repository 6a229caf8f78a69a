"""A machine as it may be: no HOME, little PATH, any locale, any path, a cache that is broken."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys

import pytest
from world import ALPHA, BETA, World, note

NEW = ("new", "--type", "reference", "--title", "Käse", "--body-file", "-")
ROUND = (NEW, ("find", "käse"), ("show", "Käse"), ("edit", "Käse", "--add-tag", "x"), ("status",),
         ("backlinks", ALPHA), ("check", "--all"), ("index", "--check"), ("doctor",))  # fmt: skip


def go_round(world, **further):
    for words in ROUND:
        ran = world.run(*words, stdin="Wörter.", **further)
        assert ran.code in ((0, 1) if words == ("doctor",) else (0,)), (words, ran)
    world.assert_sound()


@pytest.mark.parametrize(
    "name", ["with space/köln 日本", 'quo\'te "$HOME"', "-dash", "a\\b;c&d", "%s#x"]
)
def test_a_store_at_any_path(tmp_path, name):
    world = World(tmp_path / "w", tmp_path / name)
    world.ok("init")
    world.write("hand.org", note("Hand", ALPHA))
    world.ok("commit", world.store / "hand.org")
    world.ok(*NEW, stdin="[[id:aaaaaaaa]]")
    assert "Käse" in world.ok("backlinks", ALPHA).out
    assert world.git("status", "--porcelain") == ""
    world.write("bad.org", note("Bad") + "#+begin_src\n")
    world.git("add", "bad.org")
    assert world.git("commit", "-qm", "x", check=False).returncode == 1, "the hook runs there too"


def test_a_store_behind_a_symbolic_link(world):
    link = world.root / "link"
    link.symlink_to(world.store)
    env = {"AI_KB_HOME": str(link)}
    go_round(world, env=env)
    world.write("hand.org", note("Hand"))
    world.ok("commit", world.store / "hand.org", env=env)
    world.ok("edit", link / "hand.org", "--add-tag", "x", env=env)


def test_home_unset(world):
    env = {"HOME": None, "AI_KB_HOME": str(world.store)}
    go_round(world, env=env)
    ran = world.run("status", env={"HOME": None})
    assert ran.code == 1
    assert "neither AI_KB_HOME nor HOME is set" in ran.err


@pytest.mark.parametrize("variable", ["LANG", "LC_ALL"])
@pytest.mark.parametrize("value", ["C", "POSIX", "xx_XX.nonsense", ""])
def test_any_locale(world, variable, value):
    env = {"LC_ALL": None, variable: value, "PYTHONUTF8": None, "PYTHONIOENCODING": None}
    world.ok(*NEW, stdin="Wörter.", env=env)
    assert "Käse" in world.ok("find", "käse", env=env).out
    assert "Käse" in world.at_head("index.org")


def test_a_path_with_nothing_but_the_needed_programs(world):
    few = world.root / "few"
    few.mkdir()
    for program in ("git", "emacs", "sh"):
        (few / program).symlink_to(os.path.realpath(shutil.which(program)))
    world.ok(*NEW, env={"PATH": str(few)})
    assert world.ok("backlinks", ALPHA, env={"PATH": str(few)}).out.startswith("beta.org:")
    world.assert_sound()


def test_nothing_of_the_current_directory_is_run_or_read(world):
    for name in ("git", "emacs", "rg", "click.py", "aikb.py", "json.py", ".git"):
        place = world.project / name
        place.write_text("#!/bin/sh\ntouch ../was-run\n")
        place.chmod(0o755)
    launcher = world.root / "launcher"
    launcher.write_text("import sys\nfrom aikb.__main__ import main\nsys.exit(main())\n")
    process = subprocess.run(
        [sys.executable, str(launcher), *NEW], env=world.env, cwd=world.project, input=b"x",
        capture_output=True, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert not (world.root / "was-run").exists()


@pytest.fixture
def cached(world):
    """A world whose cache is filled; gives the cache's file too."""
    world.ok("find", "alpha")
    (path,) = (world.home / ".cache/ai-kb").glob("*.db")
    return world, path


def corrupt(path, data=None):
    for file in path.parent.glob(f"{path.name}*"):
        if data is None:
            file.unlink()
        else:
            file.write_bytes(data)


def lie(path):
    """A cache whose rows were changed behind its back."""
    with sqlite3.connect(path) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in tables:
            for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
                if kind == "TEXT" and name not in ("path", "stat", "key"):
                    db.execute(f"UPDATE {table} SET {name} = replace({name}, 'Alpha', 'Omega')")


DAMAGES = {
    "deleted": corrupt,
    "emptied": lambda path: corrupt(path, b""),
    "rubbish": lambda path: corrupt(path, b"rubbish" * 500),
    "truncated": lambda path: corrupt(path, path.read_bytes()[:3000]),
    "changed": lie,
    "a folder": lambda path: (corrupt(path), path.mkdir()),
    "unwritable": lambda path: (shutil.rmtree(path.parent), path.parent.write_text("a file")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_cache_changes_nothing_but_time(cached, damage):
    world, path = cached
    questions = ("find", "alpha"), ("find", "--json"), ("index", "--type", "principle")
    expected = [world.ok(*words).out for words in questions]
    DAMAGES[damage](path)
    assert [world.ok(*words).out for words in questions] == expected
    world.new("After it")
    assert "After it" in world.ok("find", "after").out
    assert "| Alpha |" in world.at_head("index.org")
    if damage != "unwritable":
        shutil.rmtree(path.parent)
        world.assert_sound()


def test_a_locked_cache_holds_nobody_up(cached):
    world, path = cached
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    world.new("While it is locked")
    assert "While it is locked" in world.ok("find", "locked").out
    db.execute("ROLLBACK")
    db.close()
    world.assert_sound()


def test_the_cache_sees_a_file_that_kept_size_and_time(cached):
    world, _ = cached
    path = world.store / "beta.org"
    before = path.stat()
    path.write_text(path.read_text().replace("Beta", "Zeta"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "Zeta" in world.ok("find", "zeta").out
    assert world.ok("find", "beta").out == ""


def test_an_empty_store_answers_everything(empty):
    empty.store.mkdir(parents=True)
    empty.git("init", "-q", "-b", "main")
    for words in (("find", "x"), ("status",), ("check",), ("check", "--all"), ("commit",),
                  ("index", "--type", "principle")):  # fmt: skip
        empty.ok(*words)
    assert empty.refused("show", "x", code=1).out == ""
    empty.ok("index")
    empty.new("First")
    empty.assert_sound()


def test_notes_of_another_user_cannot_be_changed_by_links_out_of_the_store(world):
    secret = world.root / "secret.org"
    secret.write_text(note("Secret", BETA))
    (world.store / "out").symlink_to(world.root)
    ran = world.run("edit", "out/secret.org", "--add-tag", "x")
    assert ran.code == 1
    assert secret.read_text() == note("Secret", BETA)


@pytest.mark.parametrize("path", [None, "", "/nowhere"])
def test_no_path_at_all_is_named_or_does(world, path):
    """Without PATH the system looks where programs usually are; an empty one leads nowhere."""
    env = {"PATH": path}
    with world.unchanged() if path is not None else contextlib.nullcontext():
        ran = world.run(*NEW, stdin="Words.", env=env)
    assert ran.code == (0 if path is None else 1), ran
    assert path is None or "is not installed" in ran.err
    world.ok("find", "alpha", env=env)
    world.assert_sound()


@pytest.mark.parametrize("hook", ["pre-commit", "post-commit"])
def test_written_from_a_hook_of_another_repository(world, hook):
    """git hands its own repository, index and work tree to a hook by variables."""
    world.git("init", "-q", cwd=world.project)
    place = world.project / ".git/hooks" / hook
    place.parent.mkdir(exist_ok=True)
    place.write_text(
        f"#!/bin/sh\nenv | grep ^GIT_ > {world.root}/given\n"
        f'exec {shlex.quote(sys.executable)} -m aikb new --type reference --title "From a hook"\n'
    )
    place.chmod(0o755)
    (world.project / "code.txt").write_text("code\n")
    world.git("add", "code.txt", cwd=world.project)
    world.git("commit", "-qm", "work", "--", "code.txt", cwd=world.project)
    assert "GIT_INDEX_FILE" in (world.root / "given").read_text()
    assert "| From a hook |" in world.at_head("index.org")
    assert world.git("ls-files", cwd=world.project).split() == ["code.txt"]
    assert world.git("status", "--porcelain", cwd=world.project) == ""
    world.assert_sound()


@pytest.mark.parametrize(
    "words", [("show", "Alpha"), ("check", "--json"), ("--help",), ("find", "alpha")]
)
def test_an_answer_that_cannot_be_written_is_no_bug(world, words):
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "aikb", *words], env=world.env, cwd=world.project, stdout=full,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, check=False,
        )  # fmt: skip
    assert process.returncode == 1
    assert process.stderr == "ai-kb: the answer cannot be written: No space left on device\n"
    assert not list(world.home.glob(".local/state/ai-kb/bug-*"))
