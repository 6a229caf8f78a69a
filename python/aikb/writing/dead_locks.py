"""Locks that a killed git left in its repository: moved aside once nobody can hold them any more."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from aikb.sync.remote import REMOTE
from aikb.writing.files import disk_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.tools.folder import Repository

_DEAD_AFTER = 2.0  # seconds; git holds these for a moment


def clear_of_write(git: Repository) -> None:
    """What a commit takes; only for who holds the store's lock.

    Raises:
        DiskError: one cannot be moved.
    """
    _clear(git, ["index.lock", "HEAD.lock", f"refs/heads/{git.branch()}.lock"])


def clear_of_sync(git: Repository, branch: str) -> None:
    """What a fetch or a push takes; only for who holds the lock of those.

    Raises:
        DiskError: one cannot be moved.
    """
    refs = ("refs/ai-kb/fetched", "refs/ai-kb/seen", f"refs/remotes/{REMOTE}")
    _clear(git, ["packed-refs.lock", *(f"{place}/{branch}.lock" for place in refs)])


def _clear(git: Repository, names: Iterable[str]) -> None:
    for name in names:
        path = os.path.join(git.directory, name)
        while (age := _age(path)) is not None and git.busy_with() is None:
            if age >= _DEAD_AFTER:
                # Not beside it: below refs/ it would be taken for a branch.
                with disk_errors(path):
                    os.replace(path, os.path.join(git.directory, name.replace("/", "-") + ".dead"))
                break
            time.sleep(0.1)


def _age(path: str) -> float | None:
    try:
        return abs(time.time() - os.lstat(path).st_mtime)
    except (FileNotFoundError, NotADirectoryError):
        return None
