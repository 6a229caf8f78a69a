"""Beginnings of ids, as people and agents write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

SHORTEST_PREFIX = 4
_SHORT = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]*")
_WHOLE = 36


def is_short(target: str) -> bool:
    """Whether a link's target looks like the beginning of a UUID."""
    return len(target) < _WHOLE and bool(_SHORT.fullmatch(target))


def matching(prefix: str, ids: Collection[str]) -> list[str]:
    """The ids that begin with a prefix, capitals or not; none where it is too short to mean one."""
    if len(prefix) < SHORTEST_PREFIX:
        return []
    folded = prefix.lower()
    return sorted(i for i in ids if i.lower().startswith(folded))
