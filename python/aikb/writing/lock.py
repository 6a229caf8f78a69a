"""Step 1, lock: one writer at a time, with the name of whoever it is.

``flock`` on a file in ``.git``: the kernel drops it when its last holder dies, so it needs no
clean-up after kill -9; git children inherit the descriptor, so it outlives us while they work.
Not filelock: see ``docs/decisions/0003-flock.md``.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import sys
import time
from typing import TYPE_CHECKING

from aikb.errors import AikbError, BusyError, DiskError, EditedError

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK_NAME = "ai-kb.lock"
SYNC_LOCK_NAME = "ai-kb-sync.lock"
_POLL = 0.02


@contextlib.contextmanager
def locked(directory: str, seconds: float, name: str = LOCK_NAME) -> Iterator[int]:
    """Hold the lock in a repository's own directory; yields its descriptor.

    Raises:
        BusyError: another process held it for *seconds*; it is named.
        DiskError: the lock file cannot be made (read-only disk, no permission).
    """
    path = os.path.join(directory, name)
    try:
        if not os.path.isdir(directory):  # a folder without git has none yet
            os.makedirs(directory, mode=0o700, exist_ok=True)
        descriptor = os.open(
            path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, mode=0o600
        )
    except OSError as error:
        raise DiskError(
            f"the store's lock '{path}' cannot be made: {error.strerror}",
            "Nothing can be written there: look at the disk and at the directory's permissions.",
        ) from error
    try:
        _wait(descriptor, seconds)
        with contextlib.suppress(OSError):  # a full disk: the name of the holder is a courtesy
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()} {_program()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def _wait(descriptor: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise DiskError(f"the store cannot be locked: {error.strerror}") from error
        else:
            return
        if time.monotonic() >= deadline:
            raise BusyError(_holder(descriptor), seconds)
        time.sleep(_POLL)


def _holder(descriptor: int) -> str:
    """Who wrote its name into the lock last, if that process still lives: others may lock it too."""
    pid, *words = os.pread(descriptor, 200, 0).decode("utf-8", "replace").split() or [""]
    if not pid.isdigit() or not _is_alive(int(pid)):
        return "another program"
    return f"process {pid} ({' '.join(words)})"


def is_locked(directory: str) -> bool:
    """Whether a writer is at work now."""
    if not os.path.isdir(directory):
        return False
    try:
        with locked(directory, 0):
            return False
    except AikbError:
        return True


def refuse_if_edited(root: str, path: str) -> None:
    """Refuse a file in which a running Emacs on this machine has unsaved changes.

    Raises:
        EditedError: it has.
    """
    folder, name = os.path.split(os.path.join(root, path))
    try:
        owner = os.readlink(os.path.join(folder, f".#{name}"))
    except OSError:
        return
    who, _, rest = owner.rpartition(".")
    pid = rest.partition(":")[0]
    host = who.rpartition("@")[2]
    if host in {socket.gethostname(), "localhost"} and pid.isdigit() and _is_alive(int(pid)):
        raise EditedError(path, pid)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _program() -> str:
    words = [os.path.basename(sys.argv[0] or "python"), *sys.argv[1:2]]
    return " ".join(word if word.isprintable() else "?" for word in words)[:80]
