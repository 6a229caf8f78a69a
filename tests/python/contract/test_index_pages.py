"""The generated pages: within their budget, stable, and nothing but tables to Emacs and org-roam."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import builders
import verdicts
from aikb.config import TYPES
from aikb.formats.org.document import Document
from aikb.index.group import build_index
from aikb.rules import emacs as emacs_rules
from aikb.sources import org_index

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from aikb.model import Note

BUDGET = 4_000


def render(notes: Iterable[Note], budget: int = BUDGET) -> dict[str, str]:
    return org_index.render(build_index(notes, TYPES), builders.ME, budget)


def procedures(count: int, months: int = 6) -> list[Note]:
    return [
        note._replace(tags=("procedure",), created=f"2026-{number % months + 1:02d}-03")
        for number, note in enumerate(builders.many(count))
    ]


def rewritten(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def test_everything_is_on_one_page_within_the_budget() -> None:
    pages = render([builders.make_note(1), builders.make_note(2, tags=("principle",))])

    assert list(pages) == ["index.org"]
    text = pages["index.org"]
    assert text.index("* Contested / needs review") < text.index("* Principles")
    assert text.index("* Principles") < text.index("* Observations")
    assert "| Title | ID | Summary | Projects | Updated | Status |" in text
    assert "| Note 1 | 9e3779b1 | What it says. | general | 2026-01-03 |  |" in text


def test_what_is_contested_with_each_other_stands_together() -> None:
    notes = [
        builders.make_note(n, status="contested", title=title)
        for n, title in enumerate("ABCDEF", 1)
    ]
    for one, other in ((0, 4), (4, 2), (1, 5)):
        issue = f"against {notes[other].id[:8]}: both cannot hold"
        notes[one] = notes[one]._replace(issue=issue)
    text = render(notes)["index.org"]
    assert re.findall(r"^\| ([A-F]) \|", text, re.MULTILINE)[:6] == ["A", "E", "C", "B", "F", "D"]


def test_contested_notes_come_first_with_their_day() -> None:
    text = render([builders.make_note(1, status="contested", title="Doubtful")])["index.org"]

    contested = text[text.index("* Contested") : text.index("* Observations")]
    assert "| Title | Issue | Last touched |" in contested
    assert "| Doubtful |" in contested
    assert "2026-01-03" in contested


def test_over_the_budget_the_largest_section_moves() -> None:
    few = [builders.make_note(1000 + n, tags=("principle",)) for n in range(20)]

    pages = render([*procedures(60, months=1), *few], 5_000)

    assert set(pages) == {"index.org", "index-procedures.org"}
    assert "* Principles\n| Title" in pages["index.org"]
    assert "60 nodes, in index-procedures.org" in pages["index.org"]
    assert pages["index-procedures.org"].count("| Note ") == 60
    assert "Note 1 " not in pages["index.org"]


@pytest.mark.parametrize("count", [10, 60, 200, 600])
def test_every_page_is_within_the_budget(count: int) -> None:
    pages = render(procedures(count))

    sizes = {path: len(text.encode()) for path, text in pages.items()}
    assert max(sizes.values()) <= BUDGET + 400, sizes
    shown = sum(text.count("\n| Note ") for text in pages.values())
    assert shown == count


def test_a_change_to_one_note_rewrites_one_page() -> None:
    notes = procedures(200)
    before = render(notes)
    notes[77] = notes[77]._replace(summary="Another.", updated="2026-09-09", title="Note 77 b")

    pages = rewritten(before, render(notes))

    assert len(pages) == 1, pages
    assert pages.pop().startswith("index-procedures-2026-")


def test_a_new_note_rewrites_its_page_and_the_counts_above() -> None:
    notes = procedures(200)
    before = render(notes)

    pages = rewritten(before, render([*notes, builders.make_note(999, tags=("procedure",))]))

    assert pages <= {"index.org", "index-procedures.org", "index-procedures-2026-01.org"} | {
        page for page in pages if page.startswith("index-procedures-2026-01")
    }
    assert "index.org" in pages


def test_pages_without_dates_are_split_all_the_same() -> None:
    pages = render([note._replace(created="") for note in procedures(200)])

    assert max(len(text.encode()) for text in pages.values()) <= BUDGET + 400


def test_only_the_main_page_is_a_node() -> None:
    pages = render(procedures(200))

    nodes = {path: Document(path, text.encode()).nodes for path, text in pages.items()}
    assert [path for path, found in nodes.items() if found] == ["index.org"]
    assert [node.id for node in nodes["index.org"]] == [builders.ME]
    assert all(org_index.is_generated(text.encode()) for text in pages.values())
    assert all(org_index.is_index_page(path) for path in pages)


ODD_WORDS = (
    "a | b", f"See [[id:{builders.ONE}][one]]", f"id:{builders.ONE}", f"<id:{builders.ONE}>",
    "[fn:1] and [fn::x]", "{{{macro(x)}}}", "<2026-01-02 Fri> [2026-13-45]", "<%%(diary-float t 4 2)>",
    "src_sh{ls} call_f(1)", "=verb= ~code~ *b* /i/ +s+ _u_", "\\alpha \\(x\\) \\[y\\] $z$", "a \\", "\\",
    "<<target>> <<<radio>>>", "@@html:<b>@@", "-", "+", "#", "/", "!", "$", "<10>", "<l>", "#+title: x",
    ":PROPERTIES:", "* star", "[cite:@key] [cite:@", "[[", "]]", "[[a][b", "\u77e5\u8bc6 \U0001f331",
    "=[[id:x]]=", "%%(x)", "|-", "a\nb", "TBLFM: $1=1", "[[elisp:(x)][run]]", "elisp:(x)",
)  # fmt: skip


@pytest.fixture(scope="module")
def odd_pages() -> dict[str, str]:
    """The pages of a store whose titles and summaries try to break its tables."""
    notes = [
        builders.make_note(number, title=words, summary=f"{words} end", projects=("general", "x"))
        for number, words in enumerate(ODD_WORDS, 1)
    ]
    notes += [n._replace(tags=("principle",)) for n in builders.many(120)][60:]
    notes[0] = notes[0]._replace(status="contested")
    return render(notes, 6_000)


def test_pages_are_lint_clean_and_read_alike(odd_pages: dict[str, str], tmp_path: Path) -> None:
    assert len(odd_pages) > 1
    readings = verdicts.ask_emacs([text.encode() for text in odd_pages.values()], tmp_path)

    for path, text in odd_pages.items():
        reading = readings[text.encode()]
        assert not reading.error, path
        assert reading.lint == (), path
        assert reading.links == (), path
        document = Document(path, text.encode())
        assert list(emacs_rules.check_agreement(document, reading.nodes, reading.links)) == []


def test_org_roam_reads_one_node_and_no_link(odd_pages: dict[str, str], tmp_path: Path) -> None:
    verdicts.need_roam()
    files = {path: text.encode() for path, text in odd_pages.items()}

    answer = verdicts.ask_roam({"store": {**builders.neighbours(), **files}}, tmp_path)["store"]

    mine = [row for row in answer["nodes"] if row[0].startswith("index")]
    assert mine == [["index.org", builders.ME, 0, "ai-kb index"]]
    assert not answer["error"]
    assert not answer["warnings"]
    assert not [link for link in answer["links"] if link[0] == builders.ME and link[3] == "id"]
    assert not [link for link in answer["links"] if link[3] in {"elisp", "shell"}]
