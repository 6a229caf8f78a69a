"""What a newer org-lint says of timestamps: a weekday that is not there is no fault."""

from __future__ import annotations

import pytest

from aikb.formats.org.document import Document
from aikb.formats.org.emacs_view import LintMessage
from aikb.rules.emacs import check_lint

SAID = "Potentially malformed timestamp {}. Parsed as: {}"


def codes(written: str, read: str) -> list[tuple[str, str]]:
    lint = LintMessage(3, "timestamp-syntax", SAID.format(written, read))
    return [(f.severity, f.code) for f in check_lint(Document("a.org", b""), [lint])]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[2026-11-30] ", "[2026-11-30 Mon]"),
        ("<2026-11-30 10:00>", "<2026-11-30 Mon 10:00>"),
        ("<2026-11-30 lun. 10:00 +1w>", "<2026-11-30 Mon 10:00 +1w>"),
        ("[2026-11-29]--[2026-11-30]", "[2026-11-29 Sun]--[2026-11-30 Mon]"),
    ],
)
def test_a_weekday_alone_is_no_fault(written: str, read: str) -> None:
    assert codes(written, read) == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<2026-13-45>", "<2027-02-14 Sun>"),
        ("<2026-11-30 Mon 10:00 +1x>", "<2026-11-30 Mon 10:00>"),
        ("[2026-11-30 Mon]--[2026-11-31]", "[2026-11-30 Mon]--[2026-12-01 Tue]"),
    ],
)
def test_another_moment_is_told(written: str, read: str) -> None:
    assert codes(written, read) == [("warning", "org-lint-timestamp-syntax")]
