"""The door to a project's repository: read only, and nothing that its configuration says is run.

A project may be anybody's: its ``.git/config`` can name programs for diffs, text conversion, filters,
signatures, file watching and transports.  Each is switched off here, because the audit runs without
anybody looking.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import GitError
from aikb.tools.git import Git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_INERT = (
    "-c", "safe.bareRepository=explicit", "-c", "diff.renameLimit=400", "-c", "log.showSignature=false",
    "-c", "core.pager=cat", "-c", "core.alternateRefsCommand=/bin/false",
)  # fmt: skip
_DIFF = (
    "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "--submodule=short",
    "--find-renames", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
_MOST_FILTERS = 64
NO_COMMIT = "0" * 40  # in the place of a commit's id: the repository had none yet


class Commit(NamedTuple):
    """A commit: its id, its author's time in seconds since 1970, subject and body."""

    id: str
    time: int
    subject: str
    body: str


class Changed(NamedTuple):
    """A file that differs: git's letter, its path now, its path before, and its larger size."""

    letter: str
    path: str
    before: str
    size: int


class _Reader(Git):
    """A git that only reads, with everything switched off that a store would be refused for."""

    def check_trust(self) -> None:
        """Any project may be looked at: git-lfs's filters, say, are honest, and not run either."""


class ProjectGit:
    """A project's repository, seen from its top folder; all calls together end at *deadline*."""

    def __init__(self, root: str, env: Mapping[str, str], deadline: float) -> None:
        self.root = root
        self._deadline = deadline
        self._git = _Reader(root, env)
        self._git.env.update(
            GIT_ALLOW_PROTOCOL="none",
            GIT_NO_LAZY_FETCH="1",
            GIT_NO_REPLACE_OBJECTS="1",
            GIT_ATTR_NOSYSTEM="1",
        )

    def _ask(self, *words: str, data: bytes = b"") -> bytes:
        left = self._deadline - time.monotonic()
        if left <= 0.05:
            raise GitError("no time is left to look at the project")
        return self._git.ask(*_INERT, *words, data=data, seconds=left)

    def _try(self, *words: str) -> str | None:
        left = max(0.05, self._deadline - time.monotonic())
        result = self._git.run(*_INERT, *words, seconds=left)
        return result.out.decode("utf-8", "replace").strip() if result.ok else None

    def head(self) -> str | None:
        """The commit at HEAD, or None before the first."""
        return self._try("rev-parse", "--verify", "--quiet", "HEAD^{commit}")

    def is_empty(self) -> bool:
        """Whether it can be read and has no commit at all."""
        return self._try("rev-list", "--all", "--max-count=1") == ""

    def base(self, known: str, since: str) -> str | None:
        """From where on to look: the commit *known*, as far as HEAD comes from it; else *since*.

        *since* is a time as git reads it.  None: there is nothing before, as behind ``NO_COMMIT``.
        """
        if known == NO_COMMIT:
            return None
        if known and all(c in "0123456789abcdef" for c in known):
            common = self._try("merge-base", known, "HEAD")
            if common:
                return common
        return self._try("rev-list", "-1", f"--before={since}", "HEAD") or None

    def commits(self, base: str | None, most: int) -> list[Commit]:
        """The commits after *base*, newest first."""
        out = self._ask(
            "log", "-z", f"--max-count={most}", "--no-show-signature", "--no-notes", "--no-color",
            "--no-decorate", "--encoding=UTF-8", "--format=%H %at%n%B",
            f"{base}..HEAD" if base else "HEAD", "--",
        ).decode("utf-8", "replace")  # fmt: skip
        found = []
        for entry in out.split("\0"):
            head, _, message = entry.partition("\n")
            words = head.split()
            if len(words) == 2 and words[1].lstrip("-").isdigit():
                subject, _, body = message.strip().partition("\n")
                found.append(Commit(words[0], int(words[1]), subject.strip(), body.strip()))
        return found

    def changed(self, base: str | None) -> list[Changed]:
        """The files that differ between *base* and HEAD; submodules are none."""
        out = self._ask(
            "diff", "--raw", "-z", "--no-abbrev", *_DIFF, base or self._nothing(), "HEAD", "--"
        )
        words = iter(out.decode("utf-8", "surrogateescape").split("\0"))
        rows = []
        for word in words:
            parts = word.lstrip(":").split(" ")
            if len(parts) != 5:
                continue
            first = next(words, "")
            path = next(words, "") if parts[4][:1] in {"R", "C"} else first
            if "160000" not in parts[:2]:
                rows.append((parts[4][:1], path, first, [p for p in parts[2:4] if p.strip("0")]))
        sizes = self._sizes([name for row in rows for name in row[3]])
        return [
            Changed(letter, path, before, max([sizes.get(name, 0) for name in names], default=0))
            for letter, path, before, names in rows
        ]

    def _sizes(self, names: Sequence[str]) -> dict[str, int]:
        if not names:
            return {}
        out = self._ask(
            "cat-file", "--batch-check=%(objectname) %(objectsize)",
            data="".join(f"{name}\n" for name in names).encode(),
        )  # fmt: skip
        rows = [line.split() for line in out.decode("ascii", "replace").splitlines()]
        return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}

    def diff(self, base: str | None, paths: Sequence[str]) -> str:
        """The differences of these files, as text."""
        if not paths:
            return ""
        out = self._ask(
            "diff", "--unified=3", *_DIFF, base or self._nothing(), "HEAD", "--", *paths
        )
        return out.decode("utf-8", "replace")

    def _nothing(self) -> str:
        """The id of the empty tree, in whichever hash the repository has; git knows it without an object."""
        return self._ask("hash-object", "-t", "tree", "--stdin").decode().strip()

    def uncommitted(self) -> list[tuple[str, str]]:
        """Git's two letters and the path of what is not committed."""
        from aikb.tools.git_format import read_status

        out = self._ask(
            *self._without_filters(), "status", "--porcelain=v2", "--branch", "-z", "--no-renames",
            "--ignore-submodules=all", "--untracked-files=normal",
        )  # fmt: skip
        status = read_status(out.decode("utf-8", "surrogateescape"))
        return [(dirty.letters, path) for path, dirty in sorted(status.dirty.items())]

    def _without_filters(self) -> list[str]:
        """Settings that leave every content filter of the configuration without its program.

        Raises:
            GitError: there are too many, or one has a name that cannot be passed on.
        """
        out = self._try("config", "--null", "--name-only", "--list") or ""
        names = sorted({n.rpartition(".")[0] for n in out.split("\0") if n.startswith("filter.")})
        if len(names) > _MOST_FILTERS or any("=" in name or "\n" in name for name in names):
            raise GitError("the project's configuration has filters that cannot be switched off")
        ends = ("clean=", "smudge=", "process=", "required=false")
        return [word for name in names for end in ends for word in ("-c", f"{name}.{end}")]

    def remote(self) -> str:
        """The address of the remote ``origin``, or an empty text."""
        return self._try("config", "--get", "remote.origin.url") or ""


def find_root(folder: str) -> str | None:
    """The top folder of the repository that a folder lies in; nothing is run to find it."""
    here = os.path.realpath(folder)
    while True:
        if os.path.exists(os.path.join(here, ".git")):
            return here
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above
