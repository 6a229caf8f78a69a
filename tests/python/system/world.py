"""A machine for one test: own HOME, own PATH, own store; and what tests ask of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import subprocess
import sys
import uuid
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[3]
ALPHA = "aaaaaaaa-1111-4111-8111-111111111111"
BETA = "bbbbbbbb-2222-4222-8222-222222222222"


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one object on standard output."""
        lines = self.out.splitlines()
        assert len(lines) == 1, f"not one object: {self.out!r} {self.err!r}"
        return json.loads(lines[0])


class State(NamedTuple):
    """All that a refused command must leave as it was."""

    tree: dict[str, tuple[int, bytes]]
    index: str
    refs: str


def note(title, node_id=None, kind="reference", *, body="Some words.", created="2026-01-02"):
    """A node's whole text, as an agent writes it by hand."""
    return (
        f":PROPERTIES:\n:ID:       {node_id or uuid.uuid4()}\n:PROJECTS: :general:\n"
        f":CREATED:  {created}\n:UPDATED:  {created}\n:SOURCE:   chat {created}\n"
        f":STATUS:   current\n:END:\n#+title: {title}\n#+filetags: :{kind}:\n\n{body}\n"
    )


class World:
    """Everything that a command can see lies below one directory."""

    def __init__(self, root: Path, store: Path | None = None) -> None:
        self.root = root
        self.home = root / "home"
        self.bin = root / "bin"
        self.project = root / "project"
        for folder in (self.home, self.bin, self.project, root / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)
        self.store = store or self.home / ".local/share/ai-kb"
        self.env = {
            "HOME": str(self.home),
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "PYTHONPATH": str(CHECKOUT / "python"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8",
            "TMPDIR": str(root / "tmp"),
        }
        if store:
            self.env["AI_KB_HOME"] = str(store)

    # -- running

    def start(self, *words, stdin=subprocess.PIPE, env=None, cwd=None, **further):
        """A running command, from a directory that is not the store."""
        return subprocess.Popen(
            [sys.executable, "-m", "aikb", *map(str, words)],
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment(env), cwd=cwd or self.project, **further,
        )  # fmt: skip

    def environment(self, changes=None):
        """The variables of a command; those whose value is None are unset."""
        return {k: v for k, v in (self.env | (changes or {})).items() if v is not None}

    def run(self, *words, stdin="", timeout=60, env=None, cwd=None, **further) -> Ran:
        """A command's end."""
        process = self.start(*words, env=env, cwd=cwd, **further)
        if isinstance(stdin, str):
            stdin = stdin.encode()
        return self.end(process, stdin, timeout)

    @staticmethod
    def end(process, stdin=None, timeout=60) -> Ran:
        """Wait for a started command."""
        try:
            out, err = process.communicate(stdin, timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return Ran(process.returncode, out.decode(), err.decode())

    def ok(self, *words, **further) -> Ran:
        """A command that must succeed."""
        ran = self.run(*words, **further)
        assert ran.code == 0, f"{words}: {ran.code}\n{ran.out}\n{ran.err}"
        return ran

    def refused(self, *words, code=1, **further) -> Ran:
        """A command that must be refused and leave tree, index and HEAD as they are."""
        with self.unchanged():
            ran = self.run(*words, **further)
        assert ran.code == code, f"{words}: {ran.code}\n{ran.out}\n{ran.err}"
        assert "Traceback" not in ran.err
        return ran

    def new(self, title, body="Some words.", kind="reference", **further) -> str:
        """A new node; returns its id."""
        words = ("new", "--type", kind, "--title", title, "--body-file", "-")
        return self.ok(*words, stdin=body, **further).out.split()[0]

    # -- looking

    def git(self, *words, check=True, cwd=None, env=None, text=True):
        """Plain git in the store, as a person has it."""
        who = ["-c", "user.name=Person", "-c", "user.email=person@example.org"]
        result = subprocess.run(
            ["git", *who, *words], cwd=cwd or self.store, env=self.environment(env),
            capture_output=True, text=text, check=False,
        )  # fmt: skip
        if check:
            assert result.returncode == 0, result.stderr
            return result.stdout
        return result

    def head(self) -> str:
        """The commit at HEAD."""
        return self.git("rev-parse", "HEAD").strip()

    def at_head(self, path: str) -> str | None:
        """A file as HEAD has it."""
        result = self.git("show", f"HEAD:{path}", check=False)
        return result.stdout if result.returncode == 0 else None

    def state(self) -> State:
        """Everything that a refused command must not touch."""
        tree = {}
        for path in sorted(self.store.rglob("*")):
            name = path.relative_to(self.store)
            if name.parts[0] == ".git" or name.parts[0] == ".ai-kb" or path.is_dir():
                continue
            mode = path.lstat().st_mode
            data = os.readlink(path).encode() if stat.S_ISLNK(mode) else b""
            tree[str(name)] = (mode, path.read_bytes() if stat.S_ISREG(mode) else data)
        assert not (self.store / ".ai-kb/txn").exists(), "staged leftovers"
        index = self.git("ls-files", "--stage", "-v", check=False).stdout
        return State(tree, index, self.git("for-each-ref") + (self.store / ".git/HEAD").read_text())

    @contextlib.contextmanager
    def unchanged(self):
        """What happens inside leaves everything as it was."""
        before = self.state()
        yield
        after = self.state()
        assert after.tree == before.tree
        assert after.index == before.index
        assert after.refs == before.refs

    def assert_sound(self) -> None:
        """The invariants: all committed and clean, index as rebuilt from scratch, no leftovers."""
        assert self.git("status", "--porcelain") == ""
        self.ok("check", "--all")
        shutil.rmtree(self.home / ".cache", ignore_errors=True)
        before = self.head()
        index = (self.store / "index.org").read_bytes()
        self.ok("index", "--check")
        for page in self.store.glob("index*.org"):
            page.unlink()
        self.ok("index")
        assert (self.store / "index.org").read_bytes() == index
        assert self.head() == before, "the committed index was not the rebuilt one"
        assert not (self.store / ".ai-kb/txn").exists()
        locks = {path.name for path in (self.store / ".git").rglob("*.lock")}
        assert locks <= {"ai-kb.lock", "ai-kb-sync.lock"}
        self.git("fsck", "--strict")

    # -- changing

    def write(self, path: str, text: str | bytes) -> Path:
        """Put a file into the store by hand."""
        place = self.store / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        return place

    def settings(self, text: str) -> None:
        """The store's own settings, committed."""
        self.write("ai-kb.toml", text)
        self.ok("commit")

    def add_remote(self) -> Path:
        """A bare repository as the backup."""
        bare = self.root / "backup.git"
        self.git("init", "--quiet", "--bare", "--initial-branch=main", str(bare), cwd=self.root)
        self.ok("remote", bare)
        return bare

    def fake(self, name: str, script: str) -> Path:
        """A program that stands first on PATH; $REAL is the one that it hides."""
        real = shutil.which(name, path=os.environ["PATH"]) or "/nonexistent"
        place = self.bin / name
        place.write_text(f"#!/bin/bash\nREAL={real}\n{script}\n")
        place.chmod(0o755)
        return place

    def path_without(self, *names: str) -> str:
        """A PATH as it is, but for some programs."""
        farm = self.root / "farm"
        farm.mkdir(exist_ok=True)
        for folder in reversed(os.environ["PATH"].split(":")):
            for program in Path(folder).glob("*"):
                link = farm / program.name
                if program.name not in names:
                    link.unlink(missing_ok=True)
                    link.symlink_to(program)
        return f"{self.bin}:{farm}"
