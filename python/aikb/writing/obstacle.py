"""What a person has begun in a repository and not ended: nothing is written, merged or counted then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from aikb.tools.git import Git

_ENDS = {
    "a merge": "git merge --abort",
    "a cherry-pick": "git cherry-pick --abort",
    "a revert": "git revert --abort",
    "a bisect": "git bisect reset",
    "a rebase": "git rebase --abort",
}


class Obstacle(NamedTuple):
    """What is so, and the command that ends it."""

    what: str
    cure: str


def under_way(git: Git) -> Obstacle | None:
    """An operation of git's that waits for its end."""
    what = git.under_way()
    return Obstacle(f"{what} is under way", _ENDS[what]) if what else None


def of(git: Git, unborn: str) -> Obstacle | None:
    """What stands in the way of every write; *unborn* is what begins a branch that has no commit yet."""
    if found := under_way(git):
        return found
    if git.branch() is None:
        return Obstacle("HEAD is detached", f"git switch {home(git)}")
    if git.head() is None:
        return Obstacle(f"the branch '{git.branch()}' has no commit yet", unborn)
    return None


def home(git: Git) -> str:
    """What `git switch` is given to go back to a branch: `main`, or what else is here or at the remote."""
    refs = ("refs/heads", "refs/remotes/origin")
    out = git.run("for-each-ref", "--format=%(refname)", *refs).out.decode("utf-8", "replace")
    branches = [name.removeprefix("refs/heads/") for name in out.split()]
    branches = [name.removeprefix("refs/remotes/origin/") for name in branches]
    branches = [name for name in branches if name != "HEAD"]
    return next((name for name in ("main", "master", *branches) if name in branches), "-c main")
