"""Step 10, push: bounded, never a prompt, and an honest answer when it did not work."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import GitError
from aikb.sync import pause
from aikb.sync.remote import REMOTE, has_moved, remote_url, words
from aikb.tools import git_merge
from aikb.tools.git_format import shown_url
from aikb.tools.git_history import loose_ref

if TYPE_CHECKING:
    from collections.abc import Callable

    from aikb.model import Finding
    from aikb.tools.folder import Repository
    from aikb.tools.git import Git

_DIVERGED = "another machine has pushed meanwhile; run `{} sync`"
_NO_REMOTE = "not backed up: no remote (`ai-kb remote URL` adds one; in a vault, `git remote add origin URL`)"
_NO_REPOSITORY = (
    "no history and no backup: this folder is no git repository (`ai-kb vault init` makes it one)"
)
_SCAN_SECONDS = 120.0  # a first push of a large store reads all of it


class Pushed(NamedTuple):
    """How far the backup is: ``pushed``, ``behind``, ``no-remote`` or ``no-repository``.

    ``diverged``: it has what is not here; only a merge helps.  ``told`` are findings about what a merge
    on the way brought from there.
    """

    state: str
    detail: str
    diverged: bool = False
    told: tuple[Finding, ...] = ()


class Sender(NamedTuple):
    """Whose commits are pushed: which paths are its notes, and how its commands begin."""

    is_note: Callable[[str], bool]
    program: str = "ai-kb"


def push(
    git: Repository,
    branch: str,
    seconds: float,
    sender: Sender,
    vetted: str | None = None,
    *,
    asked: bool = True,
) -> Pushed:
    """Send the branch to ``origin``; never raises for what the remote does.

    What is sent is searched for secrets first, and the *sender*'s notes for conflict markers, but for
    what stands above *vetted*: that commit's successors were just made by the write path.  Unless
    somebody *asked* for it, a remote that took long to fail is left alone for a while.
    """
    if not git.has_history:
        return Pushed("no-repository", _NO_REPOSITORY)
    url = remote_url(git)
    if not url:
        return Pushed("no-remote", _NO_REMOTE)
    tries = pause.read(git.directory)
    if not asked and (left := pause.waits(tries, time.time())):
        return Pushed(
            "behind", f"committed here, not pushed: {tries.reason}; the next try is in {left:.0f} s"
        )
    start = time.monotonic()
    pushed = _push(git, branch, seconds, vetted, sender, url)
    if pushed.state == "pushed":
        pause.succeeded(git.directory)
        return pushed._replace(detail=shown_url(url))
    if pushed.diverged:  # a merge comes next; what it comes to is told instead
        pause.note(git.directory, pushed.detail, time.time())
    else:
        pause.failed(git.directory, time.monotonic() - start, pushed.detail, time.time())
    rest = "" if "`" in pushed.detail else "; the next write tries again"
    return pushed._replace(detail=f"committed here, not pushed: {pushed.detail}{rest}")


def _push(
    git: Git, branch: str, seconds: float, vetted: str | None, sender: Sender, url: str
) -> Pushed:
    """One try.  The remote's branch must still be where it was seen, and is moved only forward."""
    name = f"refs/remotes/{REMOTE}/{branch}"
    known = loose_ref(git, name) or git_merge.commit_of(git, name)
    if not known or known != vetted:
        if reason := _holds_secrets(git, branch):
            return Pushed("behind", reason)
        if known and not git_merge.is_ancestor(git, known, f"refs/heads/{branch}"):
            return Pushed("behind", _DIVERGED.format(sender.program), diverged=True)
        if reason := _holds_markers(git, branch, known, sender):
            return Pushed("behind", reason)
    lease = [f"--force-with-lease=refs/heads/{branch}:{known}"] if known else []
    result = git.run(
        "push", "--porcelain", "--no-verify", *lease, REMOTE,
        f"refs/heads/{branch}:refs/heads/{branch}", seconds=seconds, far=True,
    )  # fmt: skip
    if result.ok:
        return Pushed("pushed", "")
    reason = words(result, url)
    if has_moved(result):
        return Pushed("behind", f"{_DIVERGED.format(sender.program)} ({reason})", diverged=True)
    return Pushed("behind", reason)


def _holds_secrets(git: Git, branch: str) -> str:
    """Why commits must not leave this machine; empty if they may."""
    from aikb.sync.outgoing import unsent

    try:
        found = unsent(git, branch, REMOTE, _SCAN_SECONDS)
    except GitError as error:
        return f"{error.message}, so it cannot be told whether they hold secrets; try `ai-kb push`"
    if not found:
        return ""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return (
        f"commit {found[0].commit[:10]} holds a secret ({found[0].kind} in {found[0].path}){more}; "
        "`ai-kb doctor --history` says how to mend it"
    )


def _holds_markers(git: Git, branch: str, known: str | None, sender: Sender) -> str:
    """Where a merge by hand left its markers in what would be sent; empty if nowhere."""
    from aikb.sync.marked import unsent

    try:
        found = list(unsent(git, branch, known, sender.is_note))
    except GitError as error:
        return error.message
    if not found:
        return ""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return (
        f"{found[0].path}:{found[0].line}{more} holds the markers of a conflict; keep the words you "
        f"want, delete the marker lines (or put a space before them, where they are an example), "
        f"`{sender.program} commit`, then `{sender.program} sync`"
    )


def unpushed(git: Git, branch: str) -> int | None:
    """How many commits the remote is not known to have; None without a remote."""
    if remote_url(git) is None:
        return None
    tracking = f"refs/remotes/{REMOTE}/{branch}"
    known = git.run("rev-parse", "--verify", "--quiet", tracking).ok
    span = [f"{tracking}..HEAD"] if known else ["HEAD"]
    result = git.run("rev-list", "--count", *span, "--")
    return int(result.out) if result.ok else 0


def behind_since(git: Git, branch: str) -> str | None:
    """When the oldest commit that the remote is not known to have was made, to the second."""
    tracking = f"refs/remotes/{REMOTE}/{branch}"
    known = git_merge.commit_of(git, tracking)
    span = [f"{known}..HEAD"] if known else ["HEAD"]
    result = git.run("log", "--format=%cd", "--date=format-local:%Y-%m-%d %H:%M:%S", *span, "--")
    dates = result.out.decode().splitlines() if result.ok else []
    return min(dates, default=None)


def forget_remote(git: Git) -> None:
    """Forget what the remote was seen to have: it is another one now."""
    out = git.ask(
        "for-each-ref", "--format=delete %(refname)", f"refs/remotes/{REMOTE}", "refs/ai-kb"
    )
    git.ask("update-ref", "--no-deref", "--stdin", data=out)
    pause.succeeded(git.directory)
