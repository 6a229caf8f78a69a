"""Fetch: what the remote has now, without a prompt, bounded, and never from a history made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.errors import GitError, StoreError
from aikb.sync.push import REMOTE, remote_url
from aikb.sync.remote import words
from aikb.tools import git_merge

if TYPE_CHECKING:
    from aikb.tools.git import Git

_EMPTY = "couldn't find remote ref"


class RewrittenError(StoreError):
    """The remote's history does not hold any more what this machine has seen there."""

    def __init__(self, git: Git, branch: str, known: str, tip: str) -> None:
        at = f"git -C '{git.root}'"
        super().__init__(
            f"the remote's history was rewritten: its {branch} ({tip[:10]}) does not hold "
            f"{known[:10]}, which this machine had from there; nothing was merged or pushed",
            "A person decides. To bring the remote back to what is here: "
            f"{at} push --force-with-lease={branch}:{tip} {REMOTE} {branch}. To take what is there "
            f"instead: {at} branch before-{tip[:8]} && {at} reset --hard {tip}, then `ai-kb sync`.",
        )


def fetch(git: Git, branch: str, seconds: float) -> str | None:
    """The remote's commit, or None where it has none yet; tracking references follow it.

    Raises:
        GitError: the remote cannot be reached, or did not answer in time.
        RewrittenError: somebody moved its branch otherwise than forward.
    """
    new = f"refs/ai-kb/fetched/{branch}"
    result = git_merge.fetch(git, REMOTE, f"+refs/heads/{branch}:{new}", seconds)
    if not result.ok:
        if _EMPTY in result.err:
            return None
        told = words(result, remote_url(git) or REMOTE)
        raise GitError(
            f"the remote cannot be read: {told}",
            f"Look at the address (`git -C '{git.root}' remote -v`) and at your access, or try again later.",
        )
    tip = git_merge.commit_of(git, new)
    if tip is None:
        raise GitError("the remote's branch names no commit")
    names = (f"refs/remotes/{REMOTE}/{branch}", f"refs/ai-kb/seen/{branch}")
    head = git.head()
    for known in {git_merge.commit_of(git, name) for name in names} - {None, tip}:
        if not known or git_merge.is_ancestor(git, known, tip):
            continue
        if head and git_merge.is_ancestor(git, known, head):
            raise RewrittenError(git, branch, known, tip)
    for name in names:
        git.ask("update-ref", name, tip)
    return tip
