"""What note files a store or vault has, and whether any of them changed: one stat each, no reading."""

from __future__ import annotations

import marshal
import os
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL first, for 3 ms that `find` waits
except ImportError:  # pragma: no cover - another Python
    from hashlib import blake2b

_SETTLED_NS = 50_000_000  # a file that changed this recently may change again unnoticed


class LeftOut(NamedTuple):
    """What holds no notes: folders of these names wherever they are, and these paths below the root."""

    names: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()

    def holds(self, path: str) -> bool:
        """Whether a file is left out, by its own path or a folder above it."""
        *folders, name = path.split("/")
        above = ""
        for folder in folders:
            above = f"{above}/{folder}" if above else folder
            if folder[0] == "." or folder in self.names or above in self.paths:
                return True
        return name[0] == "." or path in self.paths


_CAPTURES = LeftOut(paths=frozenset({"raw"}))


class FileState(NamedTuple):
    """A note file's path below the root and what its inode says."""

    path: str
    size: int
    mtime: int
    ctime: int
    inode: int

    @property
    def signature(self) -> str:
        """A text that differs whenever the file was written."""
        return f"{self.size}.{self.mtime}.{self.ctime}.{self.inode}"


class Scan(NamedTuple):
    """All note files, the moment of the scan, and what is not read.

    That is: ``links`` to files, names that are not UTF-8 (``odd``), folders that are ``linked``, pipes
    and the like with a note's name (``special``), and folders that cannot be listed (``closed``).
    """

    files: list[FileState]
    moment: int
    links: list[str]
    odd: list[str]
    linked: list[str]
    special: list[str]
    closed: list[tuple[str, str]]

    @property
    def fingerprint(self) -> bytes:
        """A digest that differs whenever any file was written, added or removed."""
        return blake2b(marshal.dumps(list(map(tuple, self.files)), 2), digest_size=16).digest()

    def settled(self, state: FileState) -> bool:
        """Whether a later write must change the file's signature (clocks tick in steps)."""
        return state.ctime < self.moment - _SETTLED_NS

    @property
    def all_settled(self) -> bool:
        """Whether the fingerprint can be trusted later."""
        limit = self.moment - _SETTLED_NS
        return all(state.ctime < limit for state in self.files)


def scan(
    root: str,
    suffix: str | tuple[str, ...] = ".org",
    left_out: LeftOut = _CAPTURES,
    *,
    lenient: bool = False,
) -> Scan:
    """Every regular file with *suffix* below *root*, but for hidden ones and what is *left_out*.

    *lenient*: a folder that cannot be listed is named with the reason, and the rest is read.

    Raises:
        OSError: a folder cannot be listed.
    """
    found = Scan([], time.time_ns(), [], [], [], [], [])
    folders = [""]
    while folders:
        prefix = folders.pop()
        try:
            with os.scandir(os.path.join(root, prefix) if prefix else root) as entries:
                folders += _list_folder(prefix, entries, suffix, left_out, found)
        except FileNotFoundError:
            if not prefix:
                raise  # else it was there a moment ago
        except OSError as error:
            if not (prefix and lenient):
                raise
            found.closed.append((prefix.rstrip("/"), error.strerror or "no reason given"))
    found.files.sort()
    return found


def _list_folder(
    prefix: str,
    entries: Iterable[os.DirEntry[str]],
    suffix: str | tuple[str, ...],
    left_out: LeftOut,
    found: Scan,
) -> list[str]:
    """Put a folder's note files among what was *found*; returns the folders in it."""
    folders = []
    for entry in entries:
        name = entry.name
        if name[0] == "." or not _is_text(name):
            if name[0] != "." and (name.endswith(suffix) or entry.is_dir()):
                found.odd.append(prefix + name)
            continue
        if name.endswith(suffix):
            if prefix + name in left_out.paths:
                continue
            if entry.is_file(follow_symlinks=False):
                try:
                    s = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # it was there a moment ago
                    continue
                found.files.append(
                    FileState(prefix + name, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino)
                )
                continue
            if not entry.is_dir(follow_symlinks=False):
                (found.links if entry.is_symlink() else found.special).append(prefix + name)
                continue
        if name in left_out.names or prefix + name in left_out.paths:
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(f"{prefix}{name}/")
        elif entry.is_symlink() and entry.is_dir():
            found.linked.append(prefix + name)
    return folders


def _is_text(name: str) -> bool:
    """Whether a file's name is UTF-8: others come from the system with surrogates in them."""
    return name.isascii() or not any("\udc80" <= c <= "\udcff" for c in name)
