"""The shortest way to name a note: a unique prefix of its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 8


def unique_prefixes(ids: Iterable[str]) -> dict[str, str]:
    """Each id's shortest prefix, of at least eight characters, that no other id shares."""
    ordered = sorted(set(ids))
    prefixes = {}
    before = ""
    for place, this in enumerate(ordered):
        after = ordered[place + 1] if place + 1 < len(ordered) else ""
        length = SHORTEST
        head = this[:length]
        while length < len(this) and (before.startswith(head) or after.startswith(head)):
            length += 1
            head = this[:length]
        prefixes[this] = head
        before = this
    return prefixes
