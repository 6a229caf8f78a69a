"""The door to git: plain commands with constant words, a clean environment, and a bound on time.

Not GitPython: see ``docs/decisions/0002-git-by-subprocess.md``.  A commit is made by one
``git fast-import``, which runs no hook, signs nothing, needs no index, and moves the branch only
forward; what it wrote is compared with HEAD before anybody is told that it is there
(facts/git-and-safety.md).
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Literal

from aikb.errors import GitError
from aikb.tools.git_format import (
    SSH,
    UNDER_WAY,
    Identity,
    Status,
    blob_id,
    git_environment,
    hint_for,
    import_stream,
    is_sound_index,
    name_list,
    read_batch,
    read_status,
    ssh_of,
)
from aikb.tools.git_tree import by_id
from aikb.tools.git_trust import SETTINGS, runs
from aikb.tools.process import Result, at_work, run

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_QUICK = 30.0
_FSYNC = 0.05  # a slow disk's time for each new object


class Git:
    """One repository, seen from its work tree's root.

    ``keep`` are file descriptors that every child inherits, so that the store's lock lives as long
    as an orphaned git that still works in it.  ``killed`` says that a child did not end by itself,
    and may have left locks of its own.  With *lists_ignored* a status names what is ignored, too.
    """

    has_history: Literal[True] = True

    def __init__(self, root: str, env: Mapping[str, str], *, lists_ignored: bool = False) -> None:
        self.root = root
        self.env = git_environment(env)
        self._lists_ignored = lists_ignored
        self.keep: tuple[int, ...] = ()
        self.killed = False
        self._dir: str | None = None
        self._config: dict[str, str] | None = None
        self._trusted = False

    @staticmethod
    def command(*words: str) -> list[str]:
        """The whole command, with our own settings."""
        return ["git", *(word for setting in SETTINGS for word in ("-c", setting)), *words]

    def run(
        self,
        *words: str,
        data: bytes = b"",
        seconds: float = _QUICK,
        cwd: str | None = None,
        index: str | None = None,
        plain: bool = False,
        far: bool = False,
    ) -> Result:
        """Run git; never raises for what git says.

        *index* is another index file, *plain* leaves our own settings out, *far* says that another
        machine may be at the other end.

        Raises:
            GitError: git is not installed, or the repository's own settings would run a program.
        """
        self.check_trust()
        env = {**self.env, "GIT_INDEX_FILE": index} if index else self.env
        if far and env.get("GIT_SSH_COMMAND") == SSH:
            env = {**env, "GIT_SSH_COMMAND": ssh_of(self._persons_ssh())}
        before, self.killed = self.killed, True
        try:
            result = run(
                ["git", *words] if plain else self.command(*words),
                seconds=seconds,
                env=env,
                cwd=cwd or self.root,
                data=data,
                keep=self.keep,
            )
        except OSError as error:
            self.killed = before
            if shutil.which("git", path=self.env.get("PATH")) is None:
                raise GitError("git is not installed", "Install the package git.") from None
            raise GitError(f"git cannot be started: {error.strerror}") from error
        self.killed = before or result.timed_out or result.code < 0
        return result

    def _persons_ssh(self) -> str:
        """The person's own ``core.sshCommand``; one of the repository's has no say.

        Asked from the root: a clone's own directory is not there yet.
        """
        for scope in ("--global", "--system"):
            result = self.run("config", scope, "--get", "core.sshCommand", plain=True, cwd="/")
            if result.ok:
                return result.out.decode("utf-8", "replace").strip()
        return ""

    def ask(self, *words: str, data: bytes = b"", seconds: float = _QUICK) -> bytes:
        """Run git and give its output.

        Raises:
            GitError: it failed; the message is git's own last word.
        """
        result = self.run(*words, data=data, seconds=seconds)
        if not result.ok:
            command = next(word for word in words if word[0] != "-" and "=" not in word)
            raise GitError(
                f"git {command} failed in '{self.root}': {result.reason}", hint_for(result.err)
            )
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
        for name, what in UNDER_WAY.items():
            if os.path.exists(os.path.join(self.directory, name)):
                return what
        return None

    def head(self) -> str | None:
        """The commit that HEAD names, or None before the first one."""
        result = self.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return result.out.decode().strip() if result.ok else None

    # -- configuration

    def check_trust(self) -> None:
        """Refuse a repository whose own configuration would make git run a program.

        Raises:
            GitError: with the setting's name.
        """
        if self._trusted or not self.exists():
            return
        self._trusted = True  # for the question itself, which runs nothing
        name = runs(
            self.directory,
            lambda: self.run("config", "--list", "--show-scope", "--null", plain=True).out,
        )
        if name:
            self._trusted = False
            raise GitError(
                f"the store's own git settings would run a program ({name}); nothing was done",
                f"Take it out of '{self.directory}/config'; what is yours can be set with --global.",
            )

    def config(self) -> dict[str, str]:
        """All settings in force, by lower-case name; the last one wins.  Asked once."""
        if self._config is None:
            result = self.run("config", "--null", "--list", plain=True)
            text = result.out.decode("utf-8", "replace")
            pairs = (entry.partition("\n") for entry in text.split("\0"))
            self._config = {key: value for key, _, value in pairs if key}
        return self._config

    def set_config(self, name: str, value: str) -> None:
        """Set a value in the repository's own configuration."""
        self._config = None
        self.ask("config", "--local", name, value)

    def set_remote(self, name: str, url: str) -> None:
        """Make *url* the remote's address."""
        verb = "set-url" if f"remote.{name}.url" in self.config() else "add"
        self._config = None
        self.ask("remote", verb, "--", name, url)

    # -- index and commits

    def index_file(self) -> str:
        """The path of git's index."""
        return os.path.join(self.directory, "index")

    def lock_file(self) -> str:
        """The path of git's own lock on its index."""
        return os.path.join(self.directory, "index.lock")

    def stage(self, paths: Sequence[str]) -> None:
        """Make the index hold what is on disk for exactly these paths (gone ones leave it).

        Raises:
            GitError: the index is locked or broken.
        """
        seconds = _QUICK + len(paths) * _FSYNC
        words = ("update-index", "--add", "--remove", "-z", "--stdin")
        self.ask(*words, data=name_list(paths), seconds=seconds)

    def staged(self, index_file: str, paths: Collection[str]) -> list[bytes]:
        """What an index file holds for paths, in the form that :meth:`unstage` takes."""
        result = self.run("ls-files", "--stage", "-z", index=index_file)
        entries = result.out.split(b"\0") if result.ok else []
        wanted = {os.fsencode(path) for path in paths}
        return [entry for entry in entries if entry.partition(b"\t")[2] in wanted]

    def unstage(self, paths: Sequence[str], entries: Sequence[bytes]) -> None:
        """Make the index hold nothing but *entries* for these paths."""
        self.ask("update-index", "--force-remove", "-z", "--stdin", data=name_list(paths))
        if entries:
            data = b"".join(entry + b"\0" for entry in entries)
            self.ask("update-index", "-z", "--index-info", data=data)

    def mend_index(self) -> bool:
        """Read a missing or damaged index anew from HEAD; whether that was needed.

        Git takes a truncated index for a whole one, and the next commit would drop every file that
        it lacks.
        """
        path = self.index_file()
        try:
            with open(path, "rb") as file:
                if is_sound_index(file.read()):
                    return False
        except FileNotFoundError:
            if self.head() is None:
                return False
        else:
            os.replace(path, path + ".broken")
        if self.head() is not None:
            self.ask("read-tree", "HEAD")
        return True

    def status(self, paths: Iterable[str] = ()) -> Status:
        """The commit at HEAD and what differs from it, untracked files included."""
        out = self.ask(
            "status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all",
            *(["--ignored=matching"] if self._lists_ignored else []), "--", *paths,
        )  # fmt: skip
        return read_status(out.decode("utf-8", "surrogateescape"))

    def blobs(self, names: Sequence[str]) -> list[bytes | None]:
        """The bytes of objects (ids, ``HEAD:path``, ``:path`` in the index) with one git; or None."""
        names = by_id(self, names)
        if any("\n" in name for name in names):
            results = [self.run("cat-file", "blob", name) for name in names]
            return [result.out if result.ok else None for result in results]
        if not names:
            return []
        data = b"".join(os.fsencode(name) + b"\n" for name in names)
        return read_batch(self.ask("cat-file", "--batch", data=data), len(names))

    def show(self, revision: str, path: str) -> bytes | None:
        """A file as a revision has it (``""`` for the index), or None."""
        return self.blobs([f"{revision}:{path}"])[0]

    def commit(
        self,
        files: Mapping[str, bytes | None],
        message: str,
        branch: str,
        parent: str | None,
        identity: Identity,
        merged: str | None = None,
    ) -> str:
        """Commit exactly these files (None: removed) on *parent*, and *merged*; returns the commit.

        Raises:
            GitError: git refused, or HEAD afterwards does not hold what was written.
        """
        stream = import_stream(files, message, f"refs/heads/{branch}", parent, identity, merged)
        self.ask(
            "-c", "fastimport.unpackLimit=1000", "fast-import", "--quiet", "--done", "--date-format=raw",
            data=stream, seconds=120.0 + len(files) * _FSYNC,
        )  # fmt: skip
        made, *held = self._objects(["HEAD^{commit}", *(f"HEAD:{path}" for path in files)])
        for (path, data), found in zip(files.items(), held, strict=True):
            expected = None if data is None else blob_id(data, sha256=len(made or "") == 64)
            if found != expected:
                raise GitError(
                    f"git did not keep '{path}' as it was written",
                    "Run `ai-kb doctor`; nothing was acknowledged.",
                )
        return made or ""

    def _objects(self, names: Sequence[str]) -> list[str | None]:
        """The ids of objects by name; None where there is none."""
        data = b"".join(os.fsencode(name) + b"\n" for name in by_id(self, names))
        lines = self.ask("cat-file", "--batch-check=%(objectname)", data=data).splitlines()
        return [None if line.endswith(b" missing") else line.decode() for line in lines]

    def busy_with(self) -> str | None:
        """A git process at work in this repository, as ``git (pid 123)``, or None."""
        return at_work("git", self.root)
