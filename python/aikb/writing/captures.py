"""``raw/`` is append-only: what HEAD has there stays as it is, and what comes new is harmless."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.rules import capture
from aikb.sources.captures import has_capture
from aikb.writing.ground import is_held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from aikb.model import Change, Finding
    from aikb.writing.ground import Ground


def check_captures(ground: Ground, changes: Sequence[Change]) -> Iterator[Finding]:
    """Findings about the captures among some changes."""
    for change in changes:
        if not change.path.startswith(capture.FOLDER):
            continue
        if is_committed(ground, change) and not is_held(ground, change):
            yield capture.frozen(change.path, "removed" if change.after is None else "changed")
        elif change.after is not None:
            if moved := _moved_from(ground, change):
                yield capture.frozen(change.path, f"renamed (it was {moved})")
            yield from capture.check(change.path, change.after)


def is_committed(ground: Ground, change: Change) -> bool:
    """Whether HEAD has a capture of this path."""
    dirty = ground.dirty.get(change.path)
    return change.before is not None if dirty is None else dirty.at_head is not None


def _moved_from(ground: Ground, change: Change) -> str:
    """The committed capture that is gone from the disk and has the same bytes."""
    if change.path in ground.dirty and ground.dirty[change.path].at_head is not None:
        return ""
    for path, dirty in ground.dirty.items():
        if path.startswith(capture.FOLDER) and dirty.at_head and "D" in dirty.letters:
            same = change._replace(path=path)
            if is_held(ground, same):
                return path
    return ""


def capture_exists(root: str, ground: Ground, changes: Sequence[Change]) -> Callable[[str], bool]:
    """Whether the store as some changes leave it has a capture; what is not committed does not count."""
    coming = {change.path for change in changes if change.after is not None}

    def exists(path: str) -> bool:
        if path in coming:
            return True
        if path in ground.dirty:
            return ground.dirty[path].at_head is not None
        return has_capture(root, path)

    return exists
