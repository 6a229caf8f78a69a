"""A file's bytes; and from a scan to a snapshot, where only what changed since the cache is read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aikb.errors import DiskError, NodeNotFoundError
from aikb.model import Finding, Snapshot
from aikb.tools.sqlite import Cached

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aikb.model import Note
    from aikb.sources.scan import Scan
    from aikb.tools.sqlite import NoteCache

    Read = Callable[[str], tuple[tuple[Note, ...], tuple[Finding, ...]]]


def read_file(root: str, path: str, missing: type[NodeNotFoundError]) -> bytes:
    """The bytes of a file below *root*; a symbolic link is not followed, a pipe not waited for.

    Raises:
        NodeNotFoundError: it is not there, or is no file (as the class *missing*).
        DiskError: it cannot be read.
    """
    try:
        descriptor = os.open(os.path.join(root, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise missing(path) from None
    except OSError as error:
        raise DiskError(f"'{path}' cannot be read: {error.strerror}") from error


def read_all(found: Scan, cache: NoteCache | None, read: Read) -> tuple[Snapshot, bool]:
    """The notes of all files, with findings about what is not read; whether the cache has them now.

    *read* gives a file's notes and what there is to say of them.  A file of which there is something
    to say is read every time, so that it is said every time.
    """
    known = cache.load() if cache else {}
    files: dict[str, tuple[Note, ...]] = {}
    findings = [*_not_read(found.links), *_odd_names(found.odd), *_not_to_read(found)]
    seen: dict[str, Cached] = {}
    changed = []
    for state in found.files:
        cached = known.get(state.path)
        if cached and cached.stat == state.signature:
            files[state.path] = cached.notes
            seen[state.path] = cached
            continue
        try:
            notes, said = read(state.path)
        except (DiskError, NodeNotFoundError) as error:
            findings.append(Finding(state.path, 1, "error", "unreadable", error.message))
            continue
        files[state.path] = notes
        findings += said
        signature = state.signature if found.settled(state) and not said else ""
        if not cached or cached.stat or signature or cached.notes != notes:
            changed.append(state.path)
        seen[state.path] = Cached(signature, notes)
    gone = known.keys() - seen.keys()
    remembered = True
    if cache and (changed or gone):
        fingerprint = found.fingerprint if found.all_settled else b""
        remembered = cache.store(seen, changed, gone, fingerprint)
    return Snapshot(files, tuple(findings)), remembered


def _not_read(links: Iterable[str]) -> list[Finding]:
    message = "a link is not read; copy the file itself"
    return [Finding(path, 1, "warning", "symbolic-link", message) for path in links]


def _odd_names(paths: Iterable[str]) -> list[Finding]:
    message = "the name is not UTF-8 and the file is not read; rename it"
    return [
        Finding(path.encode("utf-8", "backslashreplace").decode(), 1, "error", "file-name", message)
        for path in paths
    ]


def _not_to_read(found: Scan) -> Iterable[Finding]:
    for path in found.special:
        message = "this is a pipe, socket or device, and is not read; take it away"
        yield Finding(path, 1, "warning", "special-file", message)
    for path, reason in found.closed:
        yield Finding(
            path, 1, "error", "unlistable-folder",
            f"the folder cannot be listed ({reason}), and no note in it is read; give yourself the right "
            "to, or move it out of here",
        )  # fmt: skip
