"""Fetch: what the remote has now, without a prompt, bounded, and never from a history made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import GitError, StoreError
from aikb.formats.counted import counted
from aikb.model import Finding
from aikb.sync.remote import REMOTE, remote_url, words
from aikb.tools import git_merge

if TYPE_CHECKING:
    from collections.abc import Collection

    from aikb.tools.git import Git

_EMPTY = "couldn't find remote ref"


class RewrittenError(StoreError):
    """The remote's history does not hold any more what this machine has seen there."""

    def __init__(self, git: Git, branch: str, known: str, tip: str, command: str) -> None:
        at = f"git -C '{git.root}'"
        merge = (
            f"To merge both, so that nothing of either is lost: `{command} --merge-rewritten` (what the "
            "rewriting took away comes back). "
        )
        super().__init__(
            f"the remote's history was rewritten: its {branch} ({tip[:10]}) does not hold "
            f"{known[:10]}, which this machine had from there; nothing was merged or pushed",
            f"A person decides. {merge if git_merge.merge_base(git, known, tip) else ''}"
            "To bring the remote, without what is only there, back to what is here: "
            f"{at} push --force-with-lease={branch}:{tip} {REMOTE} {branch}. To take what is there "
            f"instead: {at} branch before-{tip[:8]} && {at} reset --hard {tip}, then `{command}`.",
        )


class Fetched(NamedTuple):
    """The remote's commit, or None where it has none, and what is to be told about it."""

    tip: str | None
    told: tuple[Finding, ...] = ()


def fetch(
    git: Git,
    branch: str,
    seconds: float,
    command: str,
    *,
    rewritten: bool = False,
    moves: bool = True,
) -> Fetched:
    """What the remote has; tracking references follow it.

    *rewritten*: a person wants a merge with a history made anew.  Unless it *moves*, no reference
    follows such a one, or one that is empty now.

    Raises:
        GitError: the remote cannot be reached, or did not answer in time.
        RewrittenError: somebody moved its branch otherwise than forward.
    """
    new = f"refs/ai-kb/fetched/{branch}"
    tracking = f"refs/remotes/{REMOTE}/{branch}"
    result = git_merge.fetch(git, REMOTE, f"+refs/heads/{branch}:{new}", seconds)
    if not result.ok:
        if _EMPTY in result.err:
            return _emptied(git, branch, tracking, moves=moves)
        told = words(result, remote_url(git) or REMOTE)
        shows = f"git -C '{git.root}' remote -v" if "vault" in command else "ai-kb remote"
        raise GitError(
            f"the remote cannot be read: {told}",
            f"Look at the address (`{shows}`) and at your access, or try again later.",
        )
    tip = git_merge.commit_of(git, new)
    if tip is None:
        raise GitError("the remote's branch names no commit")
    names = (tracking, f"refs/ai-kb/seen/{branch}")
    head = git.head()
    lost: set[str] = set()
    for known in {git_merge.commit_of(git, name) for name in names} - {None, tip}:
        if not known or git_merge.is_ancestor(git, known, tip):
            continue
        if head and git_merge.is_ancestor(git, known, head):
            if not rewritten or git_merge.merge_base(git, known, tip) is None:
                raise RewrittenError(git, branch, known, tip, command)
            lost.add(known)
    if not lost or moves:
        for name in names:
            git.ask("update-ref", name, tip)
    return Fetched(tip, _come_back(git, tip, lost) if lost else ())


def _come_back(git: Git, tip: str, lost: Collection[str]) -> tuple[Finding, ...]:
    count = int(git.ask("rev-list", "--count", *lost, f"^{tip}", "--"))
    many = counted(count, "commit that it took away comes", "commits that it took away come")
    message = f"the remote's history was rewritten: {many} back with this merge"
    return (Finding(".", 1, "warning", "remote-rewritten", message),)


def _emptied(git: Git, branch: str, tracking: str, *, moves: bool) -> Fetched:
    """Forget what an empty remote had; it is told where it had something."""
    known = git_merge.commit_of(git, tracking)
    if known is None:
        return Fetched(None)
    if moves:
        git.ask("update-ref", "-d", tracking)
    message = (
        f"the remote has no {branch} any more, where this machine had seen {known[:10]}: it was emptied or "
        "made anew; all that is here goes there again, and what only other machines have waits for them"
    )
    return Fetched(None, (Finding(".", 1, "warning", "remote-emptied", message),))
