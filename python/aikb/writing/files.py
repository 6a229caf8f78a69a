"""Files of a store, touched so that a crash leaves the old bytes or the new ones, never half."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from typing import TYPE_CHECKING

from aikb.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_MODE = 0o600
FOLDER_MODE = 0o700


@contextlib.contextmanager
def disk_errors(what: str) -> Iterator[None]:
    """Turn the system's refusal into one of ours that names the file."""
    try:
        yield
    except OSError as error:
        raise DiskError(
            f"'{what}' cannot be written: {error.strerror or error}",
            "Nothing was changed; make room, or look at the directory's permissions.",
        ) from error


def read_or_none(root: str, path: str, *, most: int = -1) -> bytes | None:
    """A file's bytes, or None if nothing is there; with *most*, no more than one beyond that.

    Raises:
        DiskError: it is no regular file inside the root, or it cannot be read.
    """
    with disk_errors(path):
        try:
            folder = open_folder(root, path, create=False)
        except FileNotFoundError:
            return None
        name = os.path.basename(path)
        try:
            if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                raise DiskError(
                    f"'{path}' is no regular file", "Only plain files are read; move it away."
                )
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        except FileNotFoundError:
            return None
        finally:
            os.close(folder)
        with open(descriptor, "rb") as file:
            return file.read(most + 1 if most >= 0 else -1)


def leads_elsewhere(path: str) -> bool:
    """Whether a path is none of a file that may be written below a root."""
    return any(part in {"", ".", ".."} or part.casefold() == ".git" for part in path.split("/"))


def open_folder(root: str, path: str, *, create: bool) -> int:
    """A descriptor of the folder that *path* stands in, following no symbolic link below *root*.

    Raises:
        OSError: there is none, or the path leads elsewhere than below the root.
    """
    if leads_elsewhere(path):
        raise OSError(errno.EINVAL, "this path leads out of the store")
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for name in path.split("/")[:-1]:
        try:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, FOLDER_MODE, dir_fd=here)
            below = os.open(name, flags, dir_fd=here)
        finally:
            os.close(here)
        here = below
    return here


def write_synced(path: str, data: bytes, mode: int = FILE_MODE) -> None:
    """Make a new file with its bytes on the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, FILE_MODE)
    with open(descriptor, "wb") as file:
        if mode != FILE_MODE:
            os.fchmod(descriptor, mode)
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def move_into_place(staged: str, root: str, path: str) -> None:
    """Put a staged file where it belongs, and the folder's new entry on the disk.

    Raises:
        DiskError: it cannot be moved.
    """
    with disk_errors(path):
        folder = open_folder(root, path, create=True)
        try:
            os.rename(staged, os.path.basename(path), dst_dir_fd=folder)
            os.fsync(folder)
        finally:
            os.close(folder)


def remove(root: str, path: str) -> None:
    """Take a file away; it need not be there.

    Raises:
        DiskError: it cannot be taken away.
    """
    with disk_errors(path), contextlib.suppress(FileNotFoundError):
        folder = open_folder(root, path, create=False)
        try:
            os.unlink(os.path.basename(path), dir_fd=folder)
            os.fsync(folder)
        finally:
            os.close(folder)


def keep_file(root: str, path: str, kept: str) -> int:
    """Give a file a second name, by which it stays as it is when another is moved over the first.

    Returns:
        The file's permissions.
    """
    folder = open_folder(root, path, create=False)
    name = os.path.basename(path)
    try:
        mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        try:
            os.link(name, kept, src_dir_fd=folder, follow_symlinks=False)
        except OSError:  # a file system without such links
            with open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as file:
                write_synced(kept, file.read(), mode)
    finally:
        os.close(folder)
    return mode


def keep_copy(root: str, folder: str, path: str, data: bytes) -> str:
    """Put bytes by under a name that tells where they stood; returns the copy's path."""
    name = f"{folder}/replaced/{path}.{hashlib.sha256(data).hexdigest()[:8]}"
    with disk_errors(name):
        os.close(open_folder(root, name, create=True))
        write_synced(os.path.join(root, name), data)
    return name


def close(root: str, path: str) -> None:
    """Take from a file what others than its owner may do with it; it need not be there."""
    with contextlib.suppress(FileNotFoundError):
        folder = open_folder(root, path, create=False)
        try:
            descriptor = os.open(os.path.basename(path), os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder)
        finally:
            os.close(folder)
        try:
            mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
            if mode & ~FOLDER_MODE:
                os.fchmod(descriptor, mode & FOLDER_MODE)
        finally:
            os.close(descriptor)


def sync_folder(path: str) -> None:
    """Put a folder's entries on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
