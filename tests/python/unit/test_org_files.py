"""Small Org files of every kind that real collections taught: ``data/org/NAME.org`` + ``.json``.

A pair of files more is a test more.  What is expected there is what Emacs and org-roam read; a test
asks them wherever org-roam is installed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import builders
import readings
import verdicts

DATA = Path(__file__).resolve().parents[1] / "data" / "org"
NAMES = sorted(path.stem for path in DATA.glob("*.org"))
# org-roam keeps one node of an id; we keep both, so that the copy can be named.
NOT_AS_ORG_ROAM = {"same-id-twice"}
# What org-roam 2.3 makes of titles where 2.2 does as we do; `two-titles` and `no-title` name them.
TITLES_SINCE_2_3 = {"drawer-only": "", "no-title": "", "titles": "First of several Second"}


@pytest.fixture(scope="session")
def roam(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the real org-roam makes of all files."""
    verdicts.need_roam()
    files = {
        name: {**builders.neighbours(), f"{name}.org": (DATA / f"{name}.org").read_bytes()}
        for name in NAMES
    }
    return verdicts.once(tmp_path_factory, "data-org", lambda d: verdicts.ask_roam(files, d))


def test_every_file_has_its_expectation() -> None:
    assert sorted(path.stem for path in DATA.glob("*.json")) == NAMES
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_file_is_read_as_expected(name: str) -> None:
    expected = json.loads((DATA / f"{name}.json").read_text("utf-8"))

    found = readings.reading(f"{name}.org", (DATA / f"{name}.org").read_bytes())

    wrong = readings.compare(expected, found)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_AS_ORG_ROAM])
def test_org_roam_reads_the_same(name: str, roam: dict[str, Any]) -> None:
    data = (DATA / f"{name}.org").read_bytes()
    answer = roam[name]
    if name in TITLES_SINCE_2_3 and verdicts.roam_version() >= (2, 3):
        row = next(row for row in answer["nodes"] if row[0] == f"{name}.org")
        assert row[3] == TITLES_SINCE_2_3[name]
        row[3] = readings.reading(f"{name}.org", data)["titles"][row[1]] or name

    assert verdicts.differences(data, answer, f"{name}.org") == []
