"""Step 9 and what surrounds it: is the repository fit, the commit, and the way back or on."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from aikb.errors import GitError, StoreError
from aikb.formats.counted import counted
from aikb.tools import git_merge
from aikb.tools.git_format import Identity, blob_id
from aikb.writing import obstacle
from aikb.writing.dead_locks import clear_of_write
from aikb.writing.journal import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aikb.tools.folder import Repository
    from aikb.tools.git_format import Status
    from aikb.writing.gate import Onto
    from aikb.writing.ground import Ground
    from aikb.writing.journal import Journal

_LOCK_PATIENCE = 3.0
_MANY_LOOSE = 2000
_MUCH_LOOSE = 250e6
_INDEX_BY_TREE = 3  # how much larger git's index is than the tree of the same files, compressed
_OBJECTS_A_WRITE = 6


def tidy(git: Repository) -> None:
    """Have git pack its loose objects now and then, in the background, as its own commits would.

    Each commit has a new tree, which names every file: a store of 10,000 nodes in one folder grows
    by 300 kB a write until then, one of 100,000 by 3 MB.
    """
    if not git.has_history:
        return
    try:
        loose = len(os.listdir(os.path.join(git.directory, "objects", "17"))) * 256
    except OSError:
        loose = 0
    most = _MANY_LOOSE
    if loose <= most and _loose_bytes(git) > _MUCH_LOOSE:
        most = 1
    elif loose <= most:
        return
    git.run(
        "-c", f"gc.auto={most}", "-c", "gc.packRefs=false", "-c", "gc.autoDetach=true", "gc", "--auto",
        "--quiet",
    )  # fmt: skip


def _loose_bytes(git: Repository) -> float:
    """About how many bytes the trees among the loose objects take; asked for large stores alone."""
    try:
        tree = os.stat(git.index_file()).st_size / _INDEX_BY_TREE
        if tree * _MANY_LOOSE / _OBJECTS_A_WRITE < _MUCH_LOOSE:
            return 0  # their number will do
        folder = os.path.join(git.directory, "objects")
        names = [name for name in os.listdir(folder) if len(name) == 2]
        loose = sum(len(os.listdir(os.path.join(folder, name))) for name in names)
    except OSError:
        return 0
    return tree * loose / _OBJECTS_A_WRITE


def check_exists(git: Repository) -> None:
    """Refuse a directory that is no repository.

    Raises:
        StoreError: it is none.
    """
    if not git.exists():
        raise StoreError(
            f"'{git.root}' is no git repository", "Run `ai-kb init` to make the store."
        )


def check_fit(git: Repository) -> str:
    """Refuse to write into a repository that a person is in the middle of something with.

    Returns:
        The branch that commits go to.

    Raises:
        StoreError: HEAD is detached, a merge or the like is under way, or git's index is locked.
    """
    check_exists(git)
    if git.has_history and (found := obstacle.under_way(git)):
        raise StoreError(
            f"{found.what} in '{git.root}'",
            f"Finish it there (git status says how), or give it up with `{found.cure}`; then run the "
            "command again.",
        )
    branch = git.branch()
    if branch is None:
        home = obstacle.home(git) if git.has_history else ""
        raise StoreError(
            f"HEAD is detached in '{git.root}'", f"Go back to a branch: `git switch {home}`."
        )
    _wait_for_index(git)
    return branch


def _wait_for_index(git: Repository) -> None:
    lock = git.lock_file()
    deadline = time.monotonic() + _LOCK_PATIENCE
    while os.path.lexists(lock):
        if time.monotonic() >= deadline:
            holder = git.busy_with()
            raise StoreError(
                f"git's index is locked by {holder or 'a git that is no longer running'} ('{lock}')",
                "Wait for it to end."
                if holder
                else f"If no git runs anywhere for this store, remove the lock: rm '{lock}'",
            )
        time.sleep(0.05)


def read_status(git: Repository) -> tuple[Status, str | None]:
    """Git's status; a missing or damaged index is read anew from HEAD first, and this is said.

    Raises:
        GitError: git cannot say.
    """
    mended = git.mend_index()
    said = "read git's index, which was missing or damaged, anew from the last commit"
    return git.status(), said if mended else None


def commit(
    git: Repository,
    files: Mapping[str, bytes | None],
    message: str,
    branch: str,
    parent: str | None,
) -> str:
    """Commit exactly these files; returns the new commit.

    They are to be staged before: a kill between the two leaves a staged note, which is harmless, and
    never an index that would take the note out again.

    Raises:
        GitError: nothing was committed.
    """
    identity = Identity.of_config(git.config())
    return git.commit(files, message, branch, parent, identity)


def land(
    git: Repository,
    ground: Ground,
    onto: Onto,
    wanted: Mapping[str, bytes | None],
    message: str,
    branch: str,
) -> str:
    """Commit a merge: our tree with the *wanted* files, on both histories; returns the new commit.

    Where nothing of ours stands against theirs the branch moves to their commit; what their tree has
    otherwise than it should (a stale index) becomes a commit on top of it.

    Raises:
        GitError: nothing was committed.
    """
    if not git.has_history:
        return ""
    identity = Identity.of_config(git.config())
    if not onto.forward:
        return git.commit(wanted, message, branch, ground.head, identity, onto.commit)
    sha256 = len(onto.commit) == 64
    kept = [path for path in onto.theirs if path not in wanted]
    here = dict(zip(kept, git.blobs([f"{ground.head}:{path}" for path in kept]), strict=True))
    other = {
        path: data
        for path, data in {**here, **wanted}.items()
        if path not in onto.theirs
        or onto.theirs[path] != (None if data is None else blob_id(data, sha256=sha256))
    }
    if other:
        return git.commit(other, message, branch, onto.commit, identity)
    git_merge.forward(git, branch, onto.commit, ground.head or "")
    return onto.commit


def stage(git: Repository, paths: list[str]) -> None:
    """Bring git's index up; an editor's git that looks at the store for a moment is waited for.

    Raises:
        GitError: it cannot be brought up.
    """
    for last in (False, False, True):
        try:
            git.stage(paths)
        except GitError:
            if last or git.killed or not os.path.lexists(git.lock_file()):
                raise
            with contextlib.suppress(StoreError):
                _wait_for_index(git)
        else:
            return


def recover(git: Repository, journal: Journal) -> str | None:
    """Finish or undo a write whose process died; returns what was done, in words.

    Only for who holds the store's lock: so no writer of ours is alive.

    Raises:
        GitError, DiskError: it cannot be told or done; the record stays.
    """
    if not journal.interrupted():
        return None
    if not journal.reopen():
        journal.discard()
        return None
    return settle(git, journal, killed=True)


def settle(git: Repository, journal: Journal, *, killed: bool) -> str:
    """Bring a write that was begun to its end: if HEAD has it, forward, else back.

    *killed* says that a git of ours may have died and left its locks.

    Raises:
        GitError, DiskError: it cannot be told or done; the record stays.
    """
    if killed:
        clear_of_write(git)
    paths = [entry.path for entry in journal.entries]
    if is_committed(git, journal):
        journal.put_forward()
        stage(git, paths)
        journal.discard()
        return f"finished an interrupted write of {counted(len(paths), 'file')}"
    left = journal.put_back()
    _restore_index(git, journal, paths)
    journal.discard()
    done = f"took back an interrupted write of {counted(len(paths), 'file')}"
    if left:
        done += f"; left as they are, since somebody changed them: {', '.join(left)}"
    return done


def is_committed(git: Repository, journal: Journal) -> bool:
    """Whether HEAD has every file as the write wanted it."""
    if git.head() is None:
        return False
    held = git.blobs([f"HEAD:{entry.path}" for entry in journal.entries])
    return [digest(data) for data in held] == [entry.new for entry in journal.entries]


def _restore_index(git: Repository, journal: Journal, paths: list[str]) -> None:
    """Make git's index say of these paths what it said before the write."""
    kept = journal.kept_git_index
    if not os.path.exists(git.index_file()):
        return
    if os.path.exists(kept):
        if os.path.samefile(kept, git.index_file()):
            return
        entries = git.staged(kept, paths)
    else:
        entries = []
    git.unstage(paths, entries)
