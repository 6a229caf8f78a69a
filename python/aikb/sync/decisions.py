"""What a person decided about conflicts, kept until the merge in which it counts is made."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING

from aikb.sync.conflict import CHOICES, Decision

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "ai-kb-decisions.json"


def read(directory: str) -> dict[str, Decision]:
    """Decisions by conflict; none where the file is missing or damaged: then they are asked for again."""
    try:
        with open(os.path.join(directory, NAME), encoding="utf-8") as file:
            table = json.load(file)
        found = {str(key): Decision(str(mark), str(side)) for key, (mark, side) in table.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
    return {key: decision for key, decision in found.items() if decision.side in CHOICES}


def write(directory: str, decisions: Mapping[str, Decision]) -> None:
    """Keep decisions.

    Raises:
        OSError: they cannot be written.
    """
    place = os.path.join(directory, NAME)
    with open(f"{place}.{os.getpid()}", "w", encoding="utf-8") as file:
        json.dump({key: list(decision) for key, decision in decisions.items()}, file)
    os.replace(f"{place}.{os.getpid()}", place)


def forget(directory: str) -> None:
    """The merge is made."""
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(directory, NAME))
