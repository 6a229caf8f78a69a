"""Four public collections, read exactly as Emacs and org-roam read them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

import truths
import verdicts
from aikb.app import App

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.corpora
NAMES = truths.names()
if not NAMES:
    pytest.skip(
        f"no public collections in {truths.CORPORA}: nothing was compared with Emacs's truth "
        "(set AI_KB_CORPORA)",
        allow_module_level=True,
    )
KINDS = (
    ("node", "level"),
    ("title",),
    ("tags",),
    ("properties", "stored properties"),
    ("headings", "heading tags", "heading properties"),
    ("link",),
)


def test_all_four_collections_are_there() -> None:
    assert len(NAMES) == 4, f"{truths.CORPORA} has {NAMES}"


def _read(name: str, folder: Path) -> tuple[Path, dict[str, Any], list[truths.Difference]]:
    root, truth = truths.unpack(name, folder), truths.load(name)
    differences = truths.compare(root, truth)
    return root, {"links": truth["roam"]["links"], "count": len(truth["element"])}, differences


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kinds", KINDS, ids=[kinds[0] for kinds in KINDS])
def test_reading_equals_emacs(
    name: str, kinds: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, truth, all_differences = verdicts.once(tmp_path_factory, name, lambda d: _read(name, d))
    differences = [d for d in all_differences if d.what in kinds]

    report = [f"{d.what} {d.where}: ours {d.ours!r}, Emacs {d.emacs!r}" for d in differences[:40]]
    assert not differences, "\n".join([f"{len(differences)} differences", *report])
    assert truth["count"] >= 50


@pytest.mark.parametrize("name", NAMES)
def test_backlinks_equal_org_roam_with_and_without_ripgrep(
    name: str, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    root, truth, _ = verdicts.once(tmp_path_factory, name, lambda d: _read(name, d))
    expected: dict[str, set[str]] = {}
    for source, target, _, kind in truth["links"]:
        if kind == "id":
            expected.setdefault(target.partition("::")[0], set()).add(source)
    busiest = sorted(expected, key=lambda target: (-len(expected[target]), target))
    sample = busiest[:5] + busiest[5 :: max(1, len(busiest) // 10)]

    with_rg = App({**os.environ, "AI_KB_HOME": str(root)})
    without = App({**os.environ, "AI_KB_HOME": str(root), "PATH": str(tmp_path)})
    for target in sample:
        found = list(with_rg.backlinks(target))
        assert {link.source for link in found if link.source} == expected[target]
        assert list(without.backlinks(target)) == found
