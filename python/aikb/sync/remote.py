"""What a remote says, in words for a person: its address, and the first that it or git said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.tools.git_format import shown_url

if TYPE_CHECKING:
    from aikb.tools.process import Result

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
