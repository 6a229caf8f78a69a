"""How far a repository's backup is, for ``status`` and ``doctor``; asks no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.sync import pause
from aikb.sync.push import behind_since, unpushed
from aikb.sync.remote import beside, own_branch, remote_url
from aikb.tools.git_format import shown_url
from aikb.writing import obstacle

if TYPE_CHECKING:
    from aikb.tools.git import Git
    from aikb.writing.obstacle import Obstacle


class Backup(NamedTuple):
    """Where the backup is, and what it lacks.

    ``unpushed`` is None where it cannot be told: without a remote, and off a branch with commits, for
    which ``hindered`` says why.  ``last_try`` is what ended the last sync or push, if it failed;
    ``other_branch`` says that the remote's own branch is another one.
    """

    remote: str | None
    unpushed: int | None
    behind_since: str | None
    last_try: str
    hindered: Obstacle | None
    other_branch: str = ""


def look(git: Git, unborn: str) -> Backup:
    """How it is; *unborn* is the command that begins a branch without a commit."""
    hindered = obstacle.of(git, unborn)
    remote, branch = shown_url(remote_url(git) or "") or None, git.branch()
    if remote is None:
        return Backup(None, None, None, "", hindered)
    if branch is None or git.head() is None:
        reason = pause.last_try(git.directory, branch or "", behind=True)
        return Backup(remote, None, None, reason, hindered)
    count = unpushed(git, branch) or 0
    since = behind_since(git, branch) if count else None
    reason = pause.last_try(git.directory, branch, behind=bool(count))
    own = own_branch(git) or branch
    other = beside(branch, own) if own != branch else ""
    return Backup(remote, count, since, reason, hindered, other)
