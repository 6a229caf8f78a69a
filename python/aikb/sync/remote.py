"""What a remote says, in words for a person: its address, and the first that it or git said."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.tools.git_format import shown_url
from aikb.tools.git_history import loose_ref

if TYPE_CHECKING:
    from aikb.tools.git import Git
    from aikb.tools.process import Result

REMOTE = "origin"
_OWN = "ai-kb-remote-branch"  # a file in the repository's own directory
_NONE = "-"

_MOST = 240  # characters of somebody else's words
_NOISE = re.compile(
    r"warning:|hint:|Warning: Permanently added|To |error: failed to push some refs|"
    r"remote: (?:error: |fatal: )?(?:Counting|Compressing|Enumerating|Resolving|Total)|\s*$",
)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s'\"]+")
# Its branch moved, or another push held it, just then: the next look at it tells.
_MOVED = re.compile(
    r"fetch first|non-fast-forward|stale info|failed to update ref|cannot lock ref|"
    r"[Uu]nable to create '[^']*\.lock'|incorrect old value|reference already exists"
)


def has_moved(result: Result) -> bool:
    """Whether a push was rejected because of what another machine did at that moment."""
    return not result.timed_out and any(
        _MOVED.search(line) for line in (*_rejections(result), *result.err.splitlines())
    )


def words(result: Result, url: str) -> str:
    """Why a push or fetch failed: what the remote's hook said, or git's first words, and the address.

    No password or token of the address is in it.
    """
    shown = shown_url(url)
    if result.timed_out:
        return f"no answer in time ({shown})"
    lines = [line.strip() for line in result.err.replace(url, shown).splitlines()]
    telling = [line for line in lines if not _NOISE.match(line)]
    hooks = [line.removeprefix("remote:").strip() for line in telling if line.startswith("remote:")]
    said = "; ".join(list(filter(None, hooks))[:2])
    if not said and telling:
        said = telling[0].removeprefix("fatal: ").removeprefix("error: ").rstrip(":. ")
    said = _URL.sub(lambda match: shown_url(match.group()), said)[:_MOST]
    rejected = _rejections(result)
    if rejected and said not in rejected[0]:
        said = f"{said}: {rejected[0]}" if hooks else rejected[0]
    said = said or (rejected[0] if rejected else f"exit code {result.code}")
    return said if shown in said else f"{said} ({shown})"


def _rejections(result: Result) -> list[str]:
    """What ``git push --porcelain`` says of branches that the remote did not take."""
    lines = result.out.decode("utf-8", "replace").splitlines()
    return [line.split("\t")[-1] for line in lines if line.startswith("!")]


class Held(NamedTuple):
    """What branches a remote has; ``own`` is the one that its HEAD names and a clone begins with."""

    own: str
    branches: tuple[str, ...]


def remote_url(git: Git) -> str | None:
    """The backup's address, as it is configured."""
    return git.config().get(f"remote.{REMOTE}.url")


def ask(git: Git, seconds: float) -> Held | None:
    """What the remote has, and keep in mind which branch is its own; None if it does not answer."""
    result = git.run(
        "ls-remote", "--symref", REMOTE, "HEAD", "refs/heads/*", seconds=seconds, far=True
    )
    if not result.ok:
        return None
    pairs = [line.split("\t") for line in result.out.decode("utf-8", "replace").splitlines()]
    ours = "refs/heads/"
    heads = tuple(name.removeprefix(ours) for _, name in pairs if name.startswith(ours))
    named = [what.removeprefix(f"ref: {ours}") for what, name in pairs if what.startswith("ref: ")]
    own = next((name for name in named if name in heads), "")
    if not heads:
        return Held(own, heads)
    place = os.path.join(git.directory, _OWN)
    with contextlib.suppress(OSError), open(place, "w", encoding="utf-8") as file:
        file.write(f"{own or _NONE}\n{shown_url(remote_url(git) or '')}\n")
    return Held(own, heads)


def own_branch(git: Git) -> str | None:
    """The remote's own branch as it was last seen; empty: it has none, None: nobody has looked."""
    place = os.path.join(git.directory, _OWN)
    with contextlib.suppress(OSError, UnicodeError), open(place, encoding="utf-8") as file:
        name, _, url = file.read().rstrip("\n").partition("\n")
        if url == shown_url(remote_url(git) or ""):
            return "" if name == _NONE else name
    head = loose_ref(git, f"refs/remotes/{REMOTE}/HEAD") or ""  # a clone has one
    return head.removeprefix(f"ref: refs/remotes/{REMOTE}/") or None


def beside(branch: str, own: str) -> str:
    """That what is written on a branch is not where other machines look."""
    return (
        f"this is on the branch '{branch}', and the remote's own is '{own}': machines that are on that one "
        f"do not see what is written here (`git switch {own}` goes there)"
    )
