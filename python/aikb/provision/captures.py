"""What ``check`` says of captures: those that changed, and those that an editor would obey."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.model import Finding
from aikb.rules import capture
from aikb.sources.captures import CAPTURES, list_captures
from aikb.writing.files import read_or_none

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.tools.git import Git

_NO_FILE = {"120000": "a symbolic link", "160000": "another repository"}


def staged_captures(git: Git) -> Iterator[Finding]:
    """Findings about what git's index would change in ``raw/``."""
    out = git.ask("diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z", "--", CAPTURES)
    words = out.decode("utf-8", "surrogateescape").split("\0")
    for entry, path in zip(words[::2], words[1::2], strict=False):
        _, mode, _, _, letter = entry.split(" ")
        if letter != "A":
            yield capture.frozen(path, "removed" if letter == "D" else "changed")
        elif mode in _NO_FILE:
            yield Finding(
                path, 1, "error", "no-plain-file",
                f"this is {_NO_FILE[mode]}; only plain files are kept",
            )  # fmt: skip
        else:
            yield from capture.check(path, git.show("", path) or b"")


def captures_on_disk(git: Git, *, everything: bool) -> Iterator[Finding]:
    """Findings about captures as they are on disk: all of them, or those that differ from HEAD."""
    changed = []
    if git.exists():
        changed = [(p, d) for p, d in git.status([CAPTURES]).dirty.items()]
    for path, dirty in changed:
        if dirty.at_head:
            yield capture.frozen(path, "removed" if "D" in dirty.letters else "changed")
    known = {path for path, dirty in changed if dirty.at_head}
    paths = list_captures(git.root)
    if not everything:
        new = {path for path, _ in changed}
        paths = [path for path in paths if path in new]
    for path in paths:
        if path not in known:
            yield from capture.check(
                path, read_or_none(git.root, path, most=capture.LARGEST) or b""
            )
