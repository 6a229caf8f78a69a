"""Three real vaults: indexed twice alike, every note under its tags or named, nothing else touched."""

from __future__ import annotations

import json
import os
import tarfile
from typing import TYPE_CHECKING

import pytest

import truths
from aikb.app import VaultApp
from aikb.config import Settings
from aikb.formats.markdown import pairs
from aikb.rules.vault import check_untagged
from aikb.sources.markdown_vault import MarkdownVault
from aikb.writing.gate import Proposal

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


def _state(vault: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        str(path.relative_to(vault)): (
            path.stat().st_mtime_ns,
            path.stat().st_mode,
            path.read_bytes(),
        )
        for path in vault.rglob("*")
        if path.is_file() and ".ai-kb" not in path.parts
    }


def test_the_index_is_the_same_each_time_and_nothing_else_is_touched(
    vault: Path, tmp_path: Path
) -> None:
    before = _state(vault)
    texts = []
    for number in range(2):  # each time without a cache
        env = {
            **os.environ,
            "AI_KB_VAULT": str(vault),
            "XDG_CACHE_HOME": str(tmp_path / str(number)),
        }
        app = VaultApp(env)
        written = app.write_path.write(lambda _: Proposal((), "index: regenerate"))
        texts.append((vault / "vault-index.json").read_bytes())
        assert list(written.paths) == ([] if number else ["vault-index.json"])
        assert app.write_path.stale_pages() == []
    after = _state(vault)
    (vault / "vault-index.json").unlink()

    assert texts[0] == texts[1] == _index(vault).encode()
    assert set(after) - set(before) == {"vault-index.json"}
    assert {path: after[path] for path in before} == before


def test_the_quick_way_reads_each_front_matter_as_the_parser_does(vault: Path) -> None:
    source = MarkdownVault(str(vault))
    quick = 0
    for state in source.scan().files:
        text = source.document(state.path).text
        if text.startswith("---\n") and (end := text.find("\n---\n", 3)) > 0:
            found = pairs.quick(text[4 : end + 1])
            quick += found is not None
            assert found is None or (found, []) == pairs.thorough(text[4 : end + 1])
    assert quick > 400
