"""The same worlds as in ``tests/python/system``, and how much is tried."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1] / "python"
sys.path[:0] = [str(_TESTS), str(_TESTS / "system")]

from disks import small_disk  # noqa: E402, F401
from fixtures import backed_up, empty, template, world  # noqa: E402, F401


def _number(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


SEED = _number("AI_KB_FAULT_SEED", 6)
TRIALS = _number("AI_KB_FAULT_TRIALS", 500)


def pytest_report_header() -> str:
    """So that a failure can be had again."""
    return f"AI_KB_FAULT_SEED={SEED} AI_KB_FAULT_TRIALS={TRIALS}"


@pytest.fixture
def seed() -> int:
    """What chance is made from."""
    return SEED


@pytest.fixture
def chance(seed: int) -> random.Random:
    """Chance, the same for the same seed."""
    return random.Random(seed)


@pytest.fixture
def trials() -> int:
    """How many instants to try; the other sizes follow from it."""
    return TRIALS


@pytest.fixture
def share(trials: int):
    """What of a full size is wanted: all of it for 500 trials."""
    return lambda full: max(1, full * trials // 500)
