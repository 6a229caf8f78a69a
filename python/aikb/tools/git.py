"""The door to git: plain commands with constant words, a clean environment, and a bound on time.

Not GitPython: see ``docs/decisions/0002-git-by-subprocess.md``.  A commit is made by one
``git fast-import``, which runs no hook, signs nothing, needs no index, and moves the branch only
forward; what it wrote is compared with HEAD before anybody is told that it is there
(facts/git-and-safety.md).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import GitError
from aikb.tools.process import Result, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DEFAULT_NAME = "ai-kb"
DEFAULT_EMAIL = "ai-kb@localhost"
_KEPT = {
    "GIT_ALLOW_PROTOCOL",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_SSL_NO_VERIFY",
}
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.quotePath=false",
    "core.fsync=committed,reference",
    "gc.auto=0",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=5",
    "protocol.ext.allow=never",
)
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
_QUICK = 30.0


class Identity(NamedTuple):
    """Who a commit is by."""

    name: str
    email: str


def git_environment(base: Mapping[str, str]) -> dict[str, str]:
    """The environment for git: nothing inherited from a hook, and nobody can be asked."""
    env = {k: v for k, v in base.items() if not k.startswith("GIT_") or k in _KEPT}
    env.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_ASKPASS="/bin/false",
        SSH_ASKPASS="/bin/false",
        SSH_ASKPASS_REQUIRE="never",
        GIT_OPTIONAL_LOCKS="0",
        GIT_EDITOR="/bin/false",
        GIT_PAGER="cat",
        LC_ALL="C.UTF-8",
    )
    env.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=5")
    return env


class Git:
    """One repository, seen from its work tree's root.

    ``keep`` are file descriptors that every child inherits, so that the store's lock lives as long
    as an orphaned git that still works in it.
    """

    def __init__(self, root: str, env: Mapping[str, str]) -> None:
        self.root = root
        self.env = git_environment(env)
        self.keep: tuple[int, ...] = ()
        self._dir: str | None = None

    def run(
        self,
        *words: str,
        data: bytes = b"",
        seconds: float = _QUICK,
        cwd: str | None = None,
        plain: bool = False,
    ) -> Result:
        """Run git; never raises for what git says.  *plain* is without our own settings.

        Raises:
            GitError: git is not installed.
        """
        settings = [] if plain else [word for setting in _SETTINGS for word in ("-c", setting)]
        try:
            return run(
                ["git", *settings, *words],
                seconds=seconds,
                env=self.env,
                cwd=cwd or self.root,
                data=data,
                keep=self.keep,
            )
        except FileNotFoundError:
            if shutil.which("git", path=self.env.get("PATH")):
                raise
            raise GitError("git is not installed", "Install the package git.") from None

    def ask(self, *words: str, data: bytes = b"", seconds: float = _QUICK) -> bytes:
        """Run git and give its output.

        Raises:
            GitError: it failed; the message is git's own last word.
        """
        result = self.run(*words, data=data, seconds=seconds)
        if not result.ok:
            raise GitError(f"git {words[0]} failed in '{self.root}': {result.reason}")
        return result.out

    # -- where things are

    @property
    def directory(self) -> str:
        """The repository's own directory (``.git``, or where a ``.git`` file points)."""
        if self._dir is None:
            path = os.path.join(self.root, ".git")
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    path = file.read().partition("gitdir:")[2].strip()
                path = os.path.normpath(os.path.join(self.root, path))
            self._dir = path
        return self._dir

    def exists(self) -> bool:
        """Whether the root is the top of a repository."""
        return os.path.exists(os.path.join(self.directory, "HEAD"))

    def branch(self) -> str | None:
        """The branch that HEAD is on, or None when HEAD is detached."""
        with open(os.path.join(self.directory, "HEAD"), encoding="utf-8") as file:
            head = file.read().strip()
        prefix = "ref: refs/heads/"
        return head.removeprefix(prefix) if head.startswith(prefix) else None

    def under_way(self) -> str | None:
        """What operation a person has begun and not ended here: ``a merge``, … or None."""
        for name, what in _UNDER_WAY.items():
            if os.path.exists(os.path.join(self.directory, name)):
                return what
        return None

    def head(self) -> str | None:
        """The commit that HEAD names, or None before the first one."""
        result = self.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return result.out.decode().strip() if result.ok else None

    # -- configuration

    def config(self) -> dict[str, str]:
        """All settings in force, by lower-case name; the last one wins."""
        result = self.run("config", "--null", "--list", plain=True)
        pairs = (
            entry.partition("\n") for entry in result.out.decode("utf-8", "replace").split("\0")
        )
        return {key: value for key, _, value in pairs if key}

    def set_config(self, name: str, value: str) -> None:
        """Set a value in the repository's own configuration."""
        self.ask("config", "--local", name, value)

    # -- index and commits

    def lock_file(self) -> str:
        """The path of git's own lock on its index."""
        return os.path.join(self.directory, "index.lock")

    def stage(self, paths: Sequence[str]) -> None:
        """Make the index hold what is on disk for exactly these paths (gone ones leave it).

        Raises:
            GitError: the index is locked or broken.
        """
        data = "".join(f"{path}\0" for path in paths).encode()
        self.ask("update-index", "--add", "--remove", "-z", "--stdin", data=data)

    def status(self, paths: Iterable[str] = ()) -> dict[str, str]:
        """Two-letter codes by path of what differs from HEAD, untracked files included."""
        out = self.ask(
            "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths
        )
        entries = (entry for entry in out.decode("utf-8", "surrogateescape").split("\0") if entry)
        return {entry[3:]: entry[:2] for entry in entries}

    def blob_at_head(self, paths: Sequence[str]) -> dict[str, str | None]:
        """The object ids that HEAD holds for paths; None where it holds nothing."""
        if not paths:
            return {}
        data = "".join(f"HEAD:{path}\n" for path in paths).encode()
        lines = self.ask("cat-file", "--batch-check=%(objectname)", data=data).decode().splitlines()
        return {
            path: None if line.endswith(" missing") else line
            for path, line in zip(paths, lines, strict=True)
        }

    def show(self, revision: str, path: str) -> bytes | None:
        """A file as a revision has it (``""`` for the index), or None."""
        result = self.run("cat-file", "blob", f"{revision}:{path}")
        return result.out if result.ok else None

    def blob_id(self, data: bytes, sha256: bool = False) -> str:
        """The id under which git stores these bytes."""
        digest = hashlib.sha256 if sha256 else hashlib.sha1
        return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def commit(
        self,
        files: Mapping[str, bytes | None],
        message: str,
        branch: str,
        parent: str | None,
        identity: Identity,
    ) -> str:
        """Commit exactly these files (None: removed) on top of *parent*; returns the new commit.

        Raises:
            GitError: git refused, or HEAD afterwards does not hold what was written.
        """
        ref = f"refs/heads/{branch}"
        stream = _import_stream(files, message, ref, parent, identity)
        self.ask(
            "-c", "fastimport.unpackLimit=1000", "fast-import", "--quiet", "--done", "--date-format=raw",
            data=stream, seconds=120.0,
        )  # fmt: skip
        held = self.blob_at_head(list(files))
        for path, data in files.items():
            expected = None
            if data is not None:
                found = held[path] or ""
                expected = self.blob_id(data, sha256=len(found) == 64)
            if held[path] != expected:
                raise GitError(
                    f"git did not keep '{path}' as it was written",
                    "Run `ai-kb doctor`; nothing was acknowledged.",
                )
        return self.head() or ""

    def busy_with(self) -> str | None:
        """A git process at work in this repository, as ``git (pid 123)``, or None."""
        try:
            pids = [name for name in os.listdir("/proc") if name.isdigit()]
        except OSError:
            return None
        for pid in pids:
            try:
                with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
                    name = file.read().strip()
                if not name.startswith("git"):
                    continue
                cwd = os.readlink(f"/proc/{pid}/cwd")
            except OSError:
                continue
            if cwd == self.root or cwd.startswith(self.root + "/"):
                return f"{name} (pid {pid})"
        return None


def _import_stream(
    files: Mapping[str, bytes | None],
    message: str,
    ref: str,
    parent: str | None,
    identity: Identity,
) -> bytes:
    text = message.encode()
    lines = [
        b"commit " + ref.encode(),
        b"committer " + f"{identity.name} <{identity.email}> {_now()}".encode(),
        b"data %d" % len(text),
        text,
    ]
    if parent:
        lines.append(b"from " + parent.encode())
    for path, data in files.items():
        name = _quote(path)
        if data is None:
            lines.append(b"D " + name)
        else:
            lines += [b"M 100644 inline " + name, b"data %d" % len(data), data]
    return b"\n".join([*lines, b"done", b""])


def _quote(path: str) -> bytes:
    """A path in the quoted form that fast-import reads back exactly."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"' + escaped.encode("utf-8", "surrogateescape") + b'"'


def _now() -> str:
    local = time.localtime()
    return f"{int(time.time())} {time.strftime('%z', local)}"


def identity_of(config: Mapping[str, str]) -> Identity:
    """The person that git's configuration names, or a neutral default."""
    name = "".join(c for c in config.get("user.name", "") if c not in "<>\n")
    email = "".join(c for c in config.get("user.email", "") if c not in "<>\n ")
    return Identity(name.strip() or DEFAULT_NAME, email or DEFAULT_EMAIL)
