"""What commits added and took away, file by file, read as git prints it: memory stays bounded."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import GitError
from aikb.tools.process import end

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aikb.tools.git import Git

_COMMIT = b"\x01\x02ai-kb-commit\x02\x01"
_LARGEST = 4 << 20  # a piece of a file; a longer one comes in several
_OVERLAP = 4096


class Piece(NamedTuple):
    """What one commit did to one file (no path: its message), or a part of that.

    A merge differs from each of its *parents* in its own way: *side* counts these, from 1.
    """

    commit: str
    date: str
    path: str
    added: bytes
    removed: bytes
    parents: int = 1
    side: int = 1


def pieces(git: Git, revisions: Sequence[str], seconds: float) -> Iterator[Piece]:
    """Every commit of *revisions* (words of ``git log``), newest first.

    Raises:
        GitError: git failed, or did not end in time.
    """
    git.check_trust()
    command = git.command(
        "log", "--patch", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
        "--no-renames", "--text", "--diff-merges=separate", "--full-index", "--no-show-signature",
        "--no-notes", f"--format={_COMMIT.decode()}%H %as %P%n%B", *revisions, "--",
    )  # fmt: skip
    deadline = time.monotonic() + seconds
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=git.env, cwd=git.root, start_new_session=True,
    ) as child:  # fmt: skip
        try:
            assert child.stdout is not None
            yield from _read(iter(lambda: child.stdout.readline(_LARGEST), b""), deadline)  # type: ignore[union-attr]
        finally:
            if child.poll() is None and child.stdout and child.stdout.peek(1):  # type: ignore[attr-defined]
                end(child)
        child.wait()
    if child.returncode > 0:
        raise GitError("git cannot print its history", "Run `git fsck` in the store.")


def loose_ref(git: Git, name: str) -> str | None:
    """What a reference's own file holds, without asking git; None if it has none."""
    try:
        with open(os.path.join(git.directory, name), encoding="ascii") as file:
            return file.read().strip()
    except (OSError, UnicodeError):
        return None


class _Reader:
    """Gathers one commit's message and one file's lines at a time."""

    def __init__(self) -> None:
        self.commit = self.date = self.path = ""
        self.parents = self.side = 1
        self.added: list[bytes] = []
        self.removed: list[bytes] = []
        self.size = 0

    def take(self) -> Iterator[Piece]:
        """What was gathered, if anything."""
        if self.added or self.removed:
            yield Piece(
                self.commit, self.date, self.path, b"".join(self.added), b"".join(self.removed),
                self.parents, self.side,
            )  # fmt: skip
        self.added, self.removed, self.size = [], [], 0

    def begin(self, line: str) -> None:
        """Another commit, or the same merge as against another parent."""
        commit, self.date, *parents = line.split()
        self.side = self.side + 1 if commit == self.commit else 1
        self.commit, self.path, self.parents = commit, "", len(parents)

    def add(self, line: bytes) -> Iterator[Piece]:
        """One more line that was added; a piece if it is enough."""
        self.added.append(line)
        self.size += len(line)
        if self.size > _LARGEST:
            tail = b"".join(self.added)[-_OVERLAP:]
            yield from self.take()
            self.added = [tail]


def _read(lines: Iterator[bytes], deadline: float) -> Iterator[Piece]:
    reader = _Reader()
    part = "message"
    for line in lines:
        if line.startswith(_COMMIT):
            yield from reader.take()
            if time.monotonic() > deadline:
                raise GitError("reading the history took too long")
            reader.begin(line[len(_COMMIT) :].decode())
            part = "message"
        elif line.startswith(b"diff --git "):
            yield from reader.take()
            reader.path, part = _path(line), "head"
        elif part == "message":
            reader.added.append(line)
        elif part == "head":
            if line.startswith(b"+++ ") and line != b"+++ /dev/null\n":
                reader.path = _unquote(line[4:].rstrip(b"\t\n"))
            elif line.startswith(b"@@"):
                part = "body"
        elif line.startswith(b"+"):
            yield from reader.add(line[1:])
        elif line.startswith(b"-"):
            reader.removed.append(line[1:])
    yield from reader.take()


def _path(line: bytes) -> str:
    return _unquote(line.rstrip(b"\n").rpartition(b" ")[2])


def _unquote(name: bytes) -> str:
    """A path as ``git diff`` prints it, without its ``b/``."""
    if name.startswith(b'"'):
        name = name.strip(b'"').decode("unicode_escape").encode("latin-1", "replace")
    return name.removeprefix(b"b/").decode("utf-8", "replace")
