"""Every promise in docs/reliability.md names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]


def test_the_tests_that_hold_a_promise_exist():
    text = (CHECKOUT / "docs" / "reliability.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/]*test_\w+\.py)`", text))
    assert len(named) > 15
    folders = [CHECKOUT, CHECKOUT / "tests/python/system", CHECKOUT / "tests/python"]
    assert [name for name in named if not any((folder / name).exists() for folder in folders)] == []


def test_each_promise_names_at_least_one():
    text = (CHECKOUT / "docs" / "reliability.md").read_text(encoding="utf-8")
    promises = text.partition("## One machine")[2].partition("## What is not")[0]
    rows = [row for row in promises.splitlines() if row.startswith("| ") and "held by" not in row]
    assert [row for row in rows if "---" not in row and "test_" not in row] == []
