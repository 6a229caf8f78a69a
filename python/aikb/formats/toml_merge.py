"""Whether a merge of TOML files, made line by line, says what the two sides said; pure."""

from __future__ import annotations

import tomllib
from typing import Any

from aikb.formats import threeway


def keeps_meaning(base: str, ours: str, theirs: str, merged: str) -> bool:
    """Whether each setting of *merged* is as the side has it that changed it.

    False where both changed one in different ways.  What a side's own text has wrong is not looked at.
    """
    try:
        old, mine, hers = (_settings(text) for text in (base, ours, theirs))
    except tomllib.TOMLDecodeError:
        return True
    expected = {}
    for key in old.keys() | mine.keys() | hers.keys():
        value, clashes = threeway.value(old.get(key), mine.get(key), hers.get(key))
        if clashes:
            return False
        if value is not None:
            expected[key] = value
    try:
        return _settings(merged) == expected
    except tomllib.TOMLDecodeError:
        return False


def _settings(text: str) -> dict[tuple[str, ...], Any]:
    found: dict[tuple[str, ...], Any] = {}
    todo: list[tuple[tuple[str, ...], dict[str, Any]]] = [((), tomllib.loads(text))]
    while todo:
        above, table = todo.pop()
        for name, value in table.items():
            if isinstance(value, dict):
                todo.append(((*above, name), value))
            else:
                found[*above, name] = value
    return found
