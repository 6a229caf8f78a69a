"""Conflict markers in notes that a push would send: what a person's own ``git commit -a`` let in."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from aikb.formats.org.decode import decode
from aikb.rules.text import conflicts
from aikb.sync.remote import REMOTE
from aikb.tools import git_merge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aikb.model import Finding
    from aikb.tools.git import Git

_MANY = 200  # files that are read at once
_MARK = re.compile(rb"^(?:<{7}|>{7})[^\r\n]*", re.MULTILINE)


def unsent(
    git: Git, branch: str, known: str | None, is_note: Callable[[str], bool]
) -> Iterator[Finding]:
    """Where the notes that a branch has otherwise than *known* (None: it is new there) bear markers.

    The branch's tip alone counts, so that a later commit mends it; and what *known* has in the same
    file already is not ours.

    Raises:
        GitError: git failed.
    """
    tip = git_merge.commit_of(git, f"refs/heads/{branch}")
    if tip is None:
        return
    old = known or _elsewhere(git, tip) or git_merge.empty_tree(tip)
    changed = git_merge.differences(git, old, tip)
    known_ids = {d.before.id for d in changed.values() if d.before}
    wanted = [
        d
        for path, d in changed.items()
        if d.after and d.after.id not in known_ids and is_note(path)
    ]
    for start in range(0, len(wanted), _MANY):
        part = wanted[start : start + _MANY]
        blobs = git.blobs([d.after.id for d in part if d.after])
        for differs, data in zip(part, blobs, strict=True):
            marks = Counter(_MARK.findall(data or b""))
            if not marks:
                continue
            before = git.blobs([differs.before.id])[0] if differs.before else None
            if marks - Counter(_MARK.findall(before or b"")):
                yield from conflicts(differs.path, decode(data or b"").text)


def _elsewhere(git: Git, tip: str) -> str | None:
    """What another branch of the remote has of this one already."""
    out = git.run("for-each-ref", "--format=%(objectname)", f"refs/remotes/{REMOTE}").out.decode()
    return next(
        filter(None, (git_merge.merge_base(git, tip, other) for other in out.split())), None
    )
