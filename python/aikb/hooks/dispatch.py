"""Stands in until the dispatcher is here."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def answer(words: Sequence[str], env: Mapping[str, str]) -> int | None:
    """Answer a hook."""
    if list(words) != ["session-start"]:
        return None
    from aikb.hooks.session_start import run

    sys.stdout.write(run(os.read(0, 1 << 20), env))
    return 0
