"""Step 10, push: bounded, never a prompt, and an honest answer when it did not work."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import GitError
from aikb.tools.git_format import shown_url
from aikb.tools.git_history import loose_ref

if TYPE_CHECKING:
    from aikb.tools.folder import Repository
    from aikb.tools.git import Git

REMOTE = "origin"
_DIVERGED = (
    "another machine has pushed meanwhile (fetch first). Let a person merge: git -C '{git}' pull "
    "--no-rebase --no-edit origin main, then ai-kb index and ai-kb push"
)
_NO_REPOSITORY = "no history and no backup: this folder is no git repository (`git init` adds both)"
_SCAN_SECONDS = 120.0  # a first push of a large store reads all of it


class Pushed(NamedTuple):
    """How far the backup is: ``pushed``, ``behind``, ``no-remote`` or ``no-repository``."""

    state: str
    detail: str


def remote_url(git: Git) -> str | None:
    """The backup's address, as it is configured."""
    return git.config().get(f"remote.{REMOTE}.url")


def push(git: Repository, branch: str, seconds: float, vetted: str | None = None) -> Pushed:
    """Send the branch to ``origin``; never raises for what the remote does.

    What is sent is searched for secrets first, but for what stands above *vetted*: that commit's
    successors were just made by the write path.
    """
    if not git.has_history:
        return Pushed("no-repository", _NO_REPOSITORY)
    url = remote_url(git)
    if not url:
        return Pushed("no-remote", "not backed up: no remote (ai-kb remote URL adds one)")
    known = vetted is not None and loose_ref(git, f"refs/remotes/{REMOTE}/{branch}") == vetted
    reason = "" if known else _holds_secrets(git, branch)
    if reason:
        return Pushed("behind", f"committed here, not pushed: {reason}")
    result = git.run(
        "push", "--porcelain", "--no-verify", REMOTE, f"refs/heads/{branch}:refs/heads/{branch}",
        seconds=seconds,
    )  # fmt: skip
    if result.ok:
        return Pushed("pushed", shown_url(url))
    reason = result.reason
    for line in result.out.decode("utf-8", "replace").splitlines():
        if line.startswith("!"):
            reason = line.split("\t")[-1]
    if "fetch first" in reason or "non-fast-forward" in reason:
        return Pushed("behind", f"committed here, not pushed: {_DIVERGED.format(git=git.root)}")
    return Pushed("behind", f"committed here, not pushed: {reason}; the next write tries again")


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


def unpushed(git: Git, branch: str) -> int | None:
    """How many commits the remote is not known to have; None without a remote."""
    if remote_url(git) is None:
        return None
    tracking = f"refs/remotes/{REMOTE}/{branch}"
    known = git.run("rev-parse", "--verify", "--quiet", tracking).ok
    words = [f"{tracking}..HEAD"] if known else ["HEAD"]
    result = git.run("rev-list", "--count", *words, "--")
    return int(result.out) if result.ok else 0
