"""A number with its noun, as a sentence has it."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """``1 note``, ``2 notes``; *many* where the plural is not made with an s."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
