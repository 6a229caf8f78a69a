"""Broken nodes are refused by name and line; harmless ones pass; org-roam agrees with both."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

import builders
import verdicts
from cases import bytes_, drawers, hostile, identity, markup, tags

if TYPE_CHECKING:
    from pathlib import Path

    from aikb.formats.org.emacs_view import Reading

CASES = [c for room in (drawers, identity, tags, markup, bytes_, hostile) for c in room.CASES]
BY_NAME = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
FOR_EMACS = [
    case
    for case in CASES
    if verdicts.worth_asking(case.data) and case.name not in {"quotes-300-deep", "drawers-300-open"}
]
PASSING = [case for case in FOR_EMACS if not case.code or case.severity == "warning"]


@pytest.fixture(scope="session")
def readings(tmp_path_factory: pytest.TempPathFactory) -> dict[bytes, Reading]:
    """What one batch Emacs says of all cases."""
    texts = [case.data for case in FOR_EMACS]
    return verdicts.once(tmp_path_factory, "emacs", lambda d: verdicts.ask_emacs(texts, d))


@pytest.fixture(scope="session")
def roam(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the real org-roam makes of the cases that pass."""
    verdicts.need_roam()
    files = {case.name: {**builders.neighbours(), verdicts.TRIED: case.data} for case in PASSING}
    return verdicts.once(tmp_path_factory, "roam", lambda d: verdicts.ask_roam(files, d))


def test_names_of_cases_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@BY_NAME
def test_check_says_what_is_wrong_and_where(
    case: verdicts.Case, readings: dict[bytes, Reading], tmp_path: Path
) -> None:
    findings = verdicts.check(case.data, tmp_path, readings if case in FOR_EMACS else None)

    said = {(f.code, f.line, f.severity) for f in findings if f.path == verdicts.TRIED}
    if case.code:
        assert (case.code, case.line, case.severity) in said, verdicts.mended(findings, case)
    if not case.code or case.severity == "warning":
        assert not [f for f in findings if f.severity == "error"], verdicts.mended(findings, case)
    assert all(f.message and f.line >= 1 for f in findings)


@pytest.mark.parametrize("case", PASSING, ids=[case.name for case in PASSING])
def test_what_passes_is_in_org_roam_as_ai_kb_reads_it(
    case: verdicts.Case, roam: dict[str, Any]
) -> None:
    assert verdicts.differences(case.data, roam[case.name]) == []


def test_our_emacs_evaluates_nothing(own_world: Path, tmp_path: Path) -> None:
    """Even what the rules refuse before Emacs is asked."""
    marker = tmp_path / "EVALUATED"
    texts = []
    for case in hostile.CASES:
        data = case.data.replace(b"/nonexistent/EVALUATED", os.fsencode(marker))
        data = data.replace(b"(ignore)", f'(write-region "x" nil "{marker}")'.encode())
        texts.append(data.replace(b"{ls}", f"{{touch {marker}}}".encode()))

    verdicts.ask_emacs(texts, tmp_path)

    assert not marker.exists()
    assert not any(own_world.iterdir()), "Emacs wrote into the home directory"
