"""Three real vaults: indexed twice alike, every note under its tags or named, nothing else touched."""

from __future__ import annotations

import json
import tarfile
from typing import TYPE_CHECKING

import pytest

import truths
from aikb.config import Settings
from aikb.formats.markdown import front
from aikb.rules.vault import check_untagged
from aikb.sources.markdown_vault import MarkdownVault

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.corpora
ARCHIVES = sorted((truths.CORPORA / "markdown").glob("*.tar.xz"))
if not ARCHIVES:
    pytest.skip(
        f"no vaults in {truths.CORPORA} (set AI_KB_CORPORA): no real vault was tried",
        allow_module_level=True,
    )
NAMES = [path.name.split(".")[0] for path in ARCHIVES]
# Notes, tags, and notes without a tag: what a change must not alter unseen.
SIZES = {"jackyzha0": (791, 22, 41), "oldwinter": (3128, 40, 1749), "rowandish": (661, 100, 99)}


@pytest.fixture(scope="session", params=NAMES)
def vault(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vault")
    with tarfile.open(truths.CORPORA / "markdown" / f"{request.param}.tar.xz") as archive:
        archive.extractall(folder)  # our own archives; Python 3.11.2 has no filter
    return folder / request.param


def _index(vault: Path) -> str:
    source = MarkdownVault(str(vault))
    pages = source.render_index(source.build_index(source.snapshot(), Settings()), Settings(), "")
    return pages["vault-index.json"]


def test_every_note_is_under_its_tags_or_named(vault: Path) -> None:
    snapshot = MarkdownVault(str(vault)).snapshot()
    listed = json.loads(_index(vault))

    named = {f.path for f in [*snapshot.findings, *check_untagged(snapshot.notes)]}
    on_disk = {
        str(path.relative_to(vault))
        for path in vault.rglob("*.md")
        if not any(
            part[0] == "." or part in {"templates", "Templates"}
            for part in path.relative_to(vault).parts[:-1]
        )
    }
    assert {note.path for note in snapshot.notes} == on_disk
    for note in snapshot.notes:
        for tag in note.tags:
            assert note.path in {entry["path"] for entry in listed[tag]}, note
        assert note.tags or note.path in named
    assert list(listed) == sorted(listed)
    for entries in listed.values():
        assert entries == sorted(entries, key=lambda e: (e["title"].casefold(), e["path"][:-3]))
        for entry in entries:
            assert list(entry) == ["path", "title", "summary"]
            assert len(entry["summary"]) <= 140
    sizes = (len(snapshot.notes), len(listed), len(list(check_untagged(snapshot.notes))))
    assert sizes == SIZES[vault.name]


def test_the_index_is_the_same_each_time(vault: Path) -> None:
    assert _index(vault) == _index(vault)


def test_the_quick_way_reads_each_front_matter_as_the_parser_does(vault: Path) -> None:
    source = MarkdownVault(str(vault))
    quick = 0
    for state in source.scan().files:
        text = source.document(state.path).text
        if text.startswith("---\n") and (end := text.find("\n---\n", 3)) > 0:
            pairs = front._quick(text[4 : end + 1])
            quick += pairs is not None
            assert pairs is None or (pairs, []) == front._thorough(text[4 : end + 1])
    assert quick > 400
