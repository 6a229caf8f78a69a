"""Small inputs after public bug reports, with the values that are right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import readings
import truths
import verdicts
from aikb.config import Settings
from aikb.provision.check import Checker
from aikb.sources.org_store import OrgStore
from aikb.tools.emacs import Emacs
from aikb.tools.git import Git

if TYPE_CHECKING:
    from pathlib import Path

    from aikb.model import Finding

pytestmark = pytest.mark.corpora
CASES = sorted(
    p.name.removesuffix(".org") for p in (truths.CORPORA / "cases").glob("[0-9][0-9].org")
)
if not CASES:
    pytest.skip(
        f"no cases in {truths.CORPORA}: those of public bug reports were not tried "
        "(set AI_KB_CORPORA)",
        allow_module_level=True,
    )
# What the case's diagnostic is called here, and the line it names.
FINDINGS = {
    "01": ("duplicate-id", 1),
    "02": ("no-node", 3),
    "04": ("no-node", 4),
    "10": ("unclosed-drawer", 2),
    "14": ("heading-tag", 1),
    "16": ("bad-tag", 5),
    "24": ("heading-in-block", 3),
    "26": ("dangling-link", 6),
    "27": ("link-without-id", 6),
    "34": ("id-twice", 6),
}


def _expected(name: str) -> dict[str, Any]:
    values = json.loads((truths.CORPORA / "cases" / f"{name}.expect.txt").read_text("utf-8"))
    renamed = {"tags_emacs": "tags", "titles_emacs_org_roam_2.2.2": "titles"}
    return {
        renamed.get(key, key): value
        for key, value in values.items()
        if key not in {"diagnostics", "note", "id_links_with_source"}
    }


def _check(name: str, folder: Path) -> list[Finding]:
    for path in (truths.CORPORA / "cases").glob(f"{name}*.org"):
        (folder / path.name).write_bytes(path.read_bytes())
    store = OrgStore(str(folder))
    checker = Checker(store, Git(store.root, {}), lambda: Emacs({}, 20.0), Settings(), lambda _: ())
    return checker.paths([str(folder)])


@pytest.mark.parametrize("name", CASES)
def test_case_is_read_as_it_should_be(name: str) -> None:
    data = (truths.CORPORA / "cases" / f"{name}.org").read_bytes()

    wrong = readings.compare(_expected(name), readings.reading(f"{name}.org", data))

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in FINDINGS if name in CASES])
def test_case_is_diagnosed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checker, "_ask_emacs", lambda *_: [])

    findings = _check(name, tmp_path)

    said = {(f.code, f.line) for f in findings}
    assert FINDINGS[name] in said, "\n".join(f.render() for f in findings)


def test_conflict_copy_is_named_with_its_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Checker, "_ask_emacs", lambda *_: [])

    findings = [f for f in _check("01", tmp_path) if f.code == "duplicate-id"]

    assert {f.path for f in findings} == {"01.org", "01.sync-conflict-20240102.org"}
    for finding in findings:
        other = {"01.org", "01.sync-conflict-20240102.org"} - {finding.path}
        assert other.pop() in finding.message
    notes = OrgStore(str(tmp_path)).snapshot().notes
    assert [note.id for note in notes] == ["c01-aaaa", "c01-aaaa"], "neither may be lost"


def test_every_diagnostic_is_tested() -> None:
    told = {
        name
        for name in CASES
        if "diagnostics" in (truths.CORPORA / "cases" / f"{name}.expect.txt").read_text("utf-8")
    }
    assert told == set(FINDINGS) & set(CASES)
    assert len(CASES) == 25, CASES


def test_broken_nodes_of_the_facts_are_judged(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """The 95 of make-broken-nodes.py: harmless ones pass, all others are refused."""
    script = truths.CORPORA / "make-broken-nodes.py"
    passing = _judge(script, tmp_path)
    assert passing == HARMLESS


HARMLESS = {
    "00-control", "08-comment-before-drawer", "09-indented-drawer", "36-link-search-suffix",
    "37-link-wrapped-desc", "38-link-in-verbatim+src+comment", "39-plain-link",
    "41-trailing-ws-id", "42-crlf", "46-no-final-newline", "56-filetags-no-colons", "66-roam-refs-garbage",
    "67-roam-refs-cite-bad", "68-roam-exclude-nil", "75-todo-seq-override", "76-startup-weird",
    "84-id-lowercase-key", "86-long-line", "90-unbalanced-emph+footnote", "93-table-formula-bad",
}  # fmt: skip


def _judge(script: Path, folder: Path) -> set[str]:
    import subprocess
    import sys

    out = folder / "broken"
    subprocess.run([sys.executable, str(script), str(out)], check=True, capture_output=True)
    texts = {p.name: (p / "broken.org").read_bytes() for p in out.iterdir()}
    asked = [data for data in texts.values() if verdicts.worth_asking(data)]
    (folder / "emacs").mkdir()
    known = verdicts.ask_emacs(asked, folder / "emacs")
    passing = set()
    for name, data in texts.items():
        checker = Checker(
            OrgStore(str(out / name)),
            Git(str(out / name), {}),
            lambda data=data: (  # type: ignore[misc]
                verdicts._Recorded(known) if data in known else Emacs({}, 20.0)
            ),
            Settings(),
            lambda _: (),
        )
        findings = checker.paths([str(out / name / "broken.org")])
        if not any(f.severity == "error" for f in findings):
            passing.add(name)
    return passing
