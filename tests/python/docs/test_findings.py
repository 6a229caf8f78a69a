"""Every finding's code is in docs/findings.md, and nothing else is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+|nul|gone|crlf|excluded|priority|unreadable")


def documented() -> set[str]:
    text = (CHECKOUT / "docs" / "findings.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`([^`]+)`", row)}


def raised() -> set[str]:
    """Codes that stand in the source as a constant beside a severity, or in a rule's own table."""
    codes = set()
    for path in (CHECKOUT / "python" / "aikb").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            values = (
                [
                    child.value
                    for child in getattr(node, "args", None) or getattr(node, "elts", None) or []
                    if isinstance(child, ast.Constant)
                ]
                if isinstance(node, ast.Call | ast.Tuple)
                else []
            )
            if {"error", "warning"} & set(values):
                codes |= {v for v in values if isinstance(v, str) and CODE.fullmatch(v)}
    return codes


def test_every_code_in_the_source_is_documented():
    known = documented()
    prefixes = tuple(code.rstrip("…") for code in known if code.endswith("…"))
    missing = {c for c in raised() if c not in known and not c.startswith(prefixes)}
    assert missing == set()
    assert len(raised()) > 40
