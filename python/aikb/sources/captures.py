"""The files in ``raw/``: captures, which are never read as notes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aikb.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator

CAPTURES = "raw"


def list_captures(root: str) -> list[str]:
    """Every regular file in a store's ``raw/``, hidden ones left out; no symbolic link is followed.

    Raises:
        DiskError: ``raw`` is no directory of the store's own.
    """
    top = os.path.join(root, CAPTURES)
    if os.path.islink(top):
        raise DiskError("'raw' is a symbolic link", "Captures stand in the store itself.")
    return sorted(_walk(top, CAPTURES + "/")) if os.path.isdir(top) else []


def _walk(folder: str, prefix: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(entry.path, f"{prefix}{entry.name}/")
            elif entry.is_file(follow_symlinks=False):
                yield prefix + entry.name


def has_capture(root: str, path: str) -> bool:
    """Whether a regular file of this path is on disk."""
    place = os.path.join(root, path)
    return os.path.isfile(place) and not os.path.islink(place)
