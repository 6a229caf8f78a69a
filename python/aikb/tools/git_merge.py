"""What git does for a merge: fetch, ancestors, what two commits differ in, and the merge of a text."""

from __future__ import annotations

import os
import re
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.threeway import Clash, UnmergeableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aikb.tools.git import Git
    from aikb.tools.process import Result

REGULAR = frozenset({"100644", "100755"})
_EMPTY = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_ALIKE = "70%"  # notes of one kind begin alike: git's own half is too little
_MARKS = re.compile(r"^(<+|>+|=+|\|+)", re.MULTILINE)


class Entry(NamedTuple):
    """What a commit has at a path: git's mode and the object's id."""

    mode: str
    id: str


class Differs(NamedTuple):
    """A path of which two commits have different things; None: nothing is there."""

    path: str
    before: Entry | None
    after: Entry | None


def fetch(git: Git, remote: str, spec: str, seconds: float) -> Result:
    """Bring what a refspec names, and nothing else; no other reference is moved."""
    return git.run(
        "-c", "fetch.fsckObjects=false", "-c", "fetch.recurseSubmodules=false",
        "-c", "maintenance.auto=false", "fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
        "--no-auto-maintenance", "--no-write-fetch-head", "--refmap=", remote, spec,
        seconds=seconds, far=True,
    )  # fmt: skip


def commit_of(git: Git, name: str) -> str | None:
    """The commit that a reference names, or None."""
    result = git.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return result.out.decode().strip() if result.ok else None


def is_ancestor(git: Git, old: str, new: str) -> bool:
    """Whether *old* is in the history of *new* (or is it)."""
    return old == new or git.run("merge-base", "--is-ancestor", old, new).ok


def merge_base(git: Git, one: str, other: str) -> str | None:
    """The best common ancestor, or None where two histories have nothing in common."""
    result = git.run("merge-base", one, other)
    return result.out.decode().split()[0] if result.ok else None


def forward(git: Git, branch: str, new: str, old: str) -> None:
    """Move a branch from *old* to *new*, which has *old* in its history.

    Raises:
        GitError: the branch is no longer at *old*.
    """
    git.ask("update-ref", "-m", "ai-kb sync", f"refs/heads/{branch}", new, old)


def names(git: Git, commit: str) -> list[str]:
    """Every path of a commit."""
    out = git.ask("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
    return [name for name in out.decode("utf-8", "surrogateescape").split("\0") if name]


def empty_tree(commit: str) -> str:
    """The id of the tree without a file, in the hash that *commit* is in."""
    return _EMPTY[len(commit)]


def differences(git: Git, old: str, new: str) -> dict[str, Differs]:
    """What two commits (or trees) differ in, by path."""
    out = git.ask("diff-tree", "-r", "-z", "--no-renames", "--full-index", old, new)
    words = out.decode("utf-8", "surrogateescape").split("\0")
    found = {}
    for head, path in zip(words[0::2], words[1::2], strict=False):
        old_mode, new_mode, old_id, new_id, _ = head.removeprefix(":").split(" ")
        before = Entry(old_mode, old_id) if old_id.strip("0") else None
        after = Entry(new_mode, new_id) if new_id.strip("0") else None
        found[path] = Differs(path, before, after)
    return found


def renames(git: Git, old: str, new: str, but: str = "") -> dict[str, str]:
    """Which files went where between two commits, by git's own measure; as if *but* were in neither."""
    paths = ("--", ".", f":(top,exclude,literal){but}") if but else ()
    out = git.ask(
        "--no-literal-pathspecs", "diff-tree", "-r", "-z", f"-M{_ALIKE}", "-l1000", "--diff-filter=R",
        "--name-status", old, new, *paths,
    )  # fmt: skip
    words = out.decode("utf-8", "surrogateescape").split("\0")
    return dict(zip(words[1::3], words[2::3], strict=False))


def text_merger(git: Git) -> Callable[[str, str, str], list[str | Clash]]:
    """A three-way merge of texts (base, ours, theirs) by ``git merge-file``.

    It raises UnmergeableError for what git takes for no text (a byte 0), and if git fails.
    """

    def merge(base: str, ours: str, theirs: str) -> list[str | Clash]:
        size = 7 + max((len(m) for t in (base, ours, theirs) for m in _MARKS.findall(t)), default=0)
        with tempfile.TemporaryDirectory(prefix="ai-kb-merge-") as folder:
            names = []
            for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
                names.append(os.path.join(folder, name))
                with open(names[-1], "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            result = git.run(
                "merge-file", "-p", "-q", "--diff3", f"--marker-size={size}", *names,
            )  # fmt: skip
        if result.timed_out or not 0 <= result.code < 128:
            raise UnmergeableError(result.reason)
        return list(read_pieces(result.out.decode(), size))

    return merge


def read_pieces(text: str, size: int) -> Iterator[str | Clash]:
    """The output of ``git merge-file --diff3`` in its pieces; *size* is how long its marks are."""
    marks = {char * size: char for char in "<|=>"}
    parts: dict[str, list[str]] = {"": []}
    where = ""
    for line in re.findall(
        r"[^\n]*\n|[^\n]+", text
    ):  # not at every mark that Python takes for an end
        mark = marks.get(line.rstrip("\n").partition(" ")[0])
        if mark is None:
            parts.setdefault(where, []).append(line)
        elif mark == ">":
            yield Clash(*("".join(parts.get(side, ())) for side in "|<="))
            parts, where = {"": []}, ""
        else:
            if mark == "<":
                if parts[""]:
                    yield "".join(parts[""])
                parts = {"": []}
            where = mark
    if parts[""]:
        yield "".join(parts[""])
