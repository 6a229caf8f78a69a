"""What is not committed here when a merge comes: it is left alone, and what hinders nothing is let be."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from aikb.errors import DiskError, UncommittedError
from aikb.writing.files import read_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def spared(
    root: str, files: Mapping[str, bytes | None], dirty: Iterable[str], command: str
) -> dict[str, bytes | None]:
    """Which uncommitted files are, byte for byte, what a merge puts there, with their bytes.

    *files* are what the merge changes (None: removes).

    Raises:
        UncommittedError: it would change another file in which somebody has changes.
    """
    touched, same = set(dirty) & set(files), {}
    for path in touched:
        with contextlib.suppress(DiskError):  # something else than a file stands there
            data = read_or_none(root, path)
            if data == files[path]:
                same[path] = data
    if busy := sorted(touched - same.keys()):
        raise UncommittedError(busy, command)
    return same
