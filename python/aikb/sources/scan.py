"""What note files a store has, and whether any of them changed: one stat each, no reading."""

from __future__ import annotations

import marshal
import os
import time
from typing import NamedTuple

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL first, for 3 ms that `find` waits
except ImportError:  # pragma: no cover - another Python
    from hashlib import blake2b

_SETTLED_NS = 50_000_000  # a file that changed this recently may change again unnoticed
_SKIPPED_AT_TOP = frozenset({"raw"})


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
    """All note files, the moment of the scan, and what is not read: links, names that are no UTF-8."""

    files: list[FileState]
    moment: int
    links: list[str]
    odd: list[str]

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


def scan(root: str, suffix: str = ".org") -> Scan:
    """Every regular file with *suffix* below *root*, hidden ones and ``raw/`` left out.

    Raises:
        OSError: the root cannot be listed.
    """
    moment = time.time_ns()
    files: list[FileState] = []
    links: list[str] = []
    odd: list[str] = []
    folders = [""]
    while folders:
        prefix = folders.pop()
        with os.scandir(os.path.join(root, prefix) if prefix else root) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." or not _is_text(name):
                    if name[0] != "." and (name.endswith(suffix) or entry.is_dir()):
                        odd.append(prefix + name)
                    continue
                if name.endswith(suffix):
                    if entry.is_file(follow_symlinks=False):
                        s = entry.stat(follow_symlinks=False)
                        files.append(
                            FileState(
                                prefix + name, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino
                            )
                        )
                        continue
                    if entry.is_symlink():
                        links.append(prefix + name)
                        continue
                if entry.is_dir(follow_symlinks=False) and (prefix or name not in _SKIPPED_AT_TOP):
                    folders.append(f"{prefix}{name}/")
    files.sort()
    return Scan(files, moment, links, odd)


def _is_text(name: str) -> bool:
    """Whether a file's name is UTF-8: others come from the system with surrogates in them."""
    return name.isascii() or not any("\udc80" <= c <= "\udcff" for c in name)
