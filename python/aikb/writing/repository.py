"""Steps 9 and before: is the repository fit for a write, and the commit that ends one."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from aikb.errors import GitError, StoreError
from aikb.tools.git import Git, identity_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.writing.journal import Entry, Journal

_LOCK_PATIENCE = 3.0


def check_fit(git: Git) -> str:
    """Refuse to write into a repository that a person is in the middle of something with.

    Returns:
        The branch that commits go to.

    Raises:
        StoreError: HEAD is detached, a merge or the like is under way, or git's index is locked.
    """
    if not git.exists():
        raise StoreError(
            f"'{git.root}' is no git repository", "Run `ai-kb init` to make the store."
        )
    if what := git.under_way():
        raise StoreError(
            f"{what} is under way in '{git.root}'",
            "Finish it or abort it there (git status says how), then run the command again.",
        )
    branch = git.branch()
    if branch is None:
        raise StoreError(
            f"HEAD is detached in '{git.root}'", "Go back to a branch: `git switch main`."
        )
    _wait_for_index(git)
    return branch


def _wait_for_index(git: Git) -> None:
    lock = git.lock_file()
    deadline = time.monotonic() + _LOCK_PATIENCE
    while os.path.exists(lock):
        if time.monotonic() >= deadline:
            holder = git.busy_with()
            raise StoreError(
                f"git's index is locked by {holder or 'a git that is no longer running'} ('{lock}')",
                "Wait for it to end."
                if holder
                else f"If no git runs anywhere for this store, remove the lock: rm '{lock}'",
            )
        time.sleep(0.05)


def commit(
    git: Git, files: Mapping[str, bytes | None], message: str, branch: str, parent: str | None
) -> str:
    """Stage exactly these files and commit them; returns the new commit.

    The index is brought up first: a kill between the two leaves a staged note, which is harmless,
    and never an index that would take the note out again.

    Raises:
        GitError: nothing was committed.
    """
    git.stage(list(files))
    return git.commit(files, message, branch, parent, identity_of(git.config()))


def restore_index(git: Git, paths: Sequence[str]) -> None:
    """Make the index say of these paths what HEAD says."""
    if git.head():
        git.run("reset", "--quiet", "HEAD", "--", *paths)
    else:
        git.run("rm", "--cached", "--quiet", "--ignore-unmatch", "--", *paths)


def recover(git: Git, journal: Journal) -> str | None:
    """Finish or undo a write whose process died; returns what was done, in words.

    Only for who holds the store's lock.
    """
    entries = journal.unfinished()
    if entries is None:
        return None
    if not entries:
        journal.discard()
        return None
    _clear_dead_locks(git)
    paths = [entry.path for entry in entries]
    if _is_committed(git, entries):
        git.stage(paths)
        journal.discard()
        return f"finished an interrupted write of {len(paths)} files"
    left = journal.put_back(entries)
    restore_index(git, paths)
    journal.discard()
    done = f"took back an interrupted write of {len(paths)} files"
    return (
        f"{done}; left as they are, since somebody changed them: {', '.join(left)}"
        if left
        else done
    )


def _is_committed(git: Git, entries: Sequence[Entry]) -> bool:
    from aikb.writing.journal import digest

    try:
        return bool(git.head()) and all(
            digest(git.show("HEAD", entry.path)) == entry.new for entry in entries
        )
    except GitError:
        return False


def _clear_dead_locks(git: Git) -> None:
    """Move aside locks that our own killed git left: we hold the store's lock, and none runs."""
    if git.busy_with():
        return
    branch = git.branch()
    for name in ("index.lock", "HEAD.lock", f"refs/heads/{branch}.lock"):
        path = os.path.join(git.directory, name)
        if os.path.exists(path):
            os.replace(path, path + ".dead")
