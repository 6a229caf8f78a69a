"""Names, summaries, cells and the order of an index, for any notes."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import builders
from aikb.config import TYPES
from aikb.formats.org.links import find_id_links
from aikb.index.group import build_index, concerns, type_of
from aikb.index.prefix import unique_prefixes
from aikb.index.summary import LIMIT, summarise
from aikb.sources import org_index

quickly = settings(max_examples=100, deadline=None)
HEX = st.text("0123456789abcdef", min_size=8, max_size=8)
IDS = st.one_of(
    st.uuids().map(str),
    st.builds(lambda head, tail: f"{head}-{tail}", HEX, HEX),
    st.builds(
        lambda head, n: f"{head}-0000-4000-8000-{n:012x}",
        st.sampled_from(["aaaa1111", "b"]),
        st.integers(0, 99),
    ),
)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)
ODD = st.lists(
    st.sampled_from(
        ["|", "\n", "[[", "]]", "][", "id:", f"[[id:{builders.ONE}][x]]", "<2026-01-02>", "[2026-01-02]",
         "<3>", "src_sh{ls}", "call_f(1)", "{{{m}}}", "[fn:1]", "\\", "\\\\", "\t", "a", " ", "#", "*b*",
         "=v=", "<<t>>", "<%%(x)>", "%%(", "@@html:x@@", "-", "\u77e5", ".", "? ", "\u2026", "$x$"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@quickly
@given(st.lists(IDS, unique=True, max_size=40))
def test_names_are_unique_and_as_short_as_can_be(ids: list[str]) -> None:
    names = unique_prefixes(ids)

    assert set(names) == set(ids)
    for this, name in names.items():
        assert this.startswith(name)
        assert len(name) >= min(8, len(this))
        others = [other for other in ids if other != this]
        if name != this:
            assert not any(other.startswith(name) for other in others)
        if len(name) > 8:
            assert any(other.startswith(name[:-1]) for other in others)


@quickly
@given(st.one_of(TEXT, st.lists(TEXT, max_size=12).map(". ".join), ODD))
@example("x" * 141)
@example("word " * 40)
@example("A. " * 100)
def test_a_summary_fits_and_is_cut_at_a_word(text: str) -> None:
    text = " ".join(text.split())

    summary = summarise(text)

    assert len(summary) <= LIMIT
    kept = summary.removesuffix("\u2026").rstrip()
    assert text.startswith(kept)
    rest = text[len(kept) :]
    spaces = " " in text[LIMIT // 2 : LIMIT]
    if rest and spaces and not rest.startswith("\u2026"):
        assert not (kept[-1:].isalnum() and rest[0].isalnum()), (kept, rest)


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("", ""),
        ("One sentence only", "One sentence only"),
        ("First. Second. Third.", "First. Second."),
        ("See e.g. this. And that. No more.", "See e.g. this. And that."),
        ("Version 3.11 is old. Take 3.13! Or not?", "Version 3.11 is old. Take 3.13!"),
        (
            "\u4f60\u597d\u3002\u518d\u89c1\u3002\u5b8c\u3002",
            "\u4f60\u597d\u3002\u518d\u89c1\u3002",
        ),
        ("Short. " + "long " * 40, "Short."),
        ('He said "yes." Then he left. Gone.', 'He said "yes." Then he left.'),
    ],
)
def test_a_summary_is_the_first_sentences(text: str, summary: str) -> None:
    assert summarise(text) == summary


@quickly
@given(st.one_of(TEXT, ODD))
@example("a\\|b")
@example("\\")
def test_a_cell_breaks_no_table(text: str) -> None:
    cell = org_index.cell(text)

    assert "|" not in cell
    assert "\n" not in cell
    assert not cell.endswith("\\")
    row = f"| {cell} | other |"
    assert [part.strip() for part in row.split("|")[1:-1]] == [cell.strip(), "other"]
    assert find_id_links(row + "\n") == []


@quickly
@given(st.one_of(TEXT, ODD), st.one_of(TEXT, ODD))
def test_a_row_has_six_cells(title: str, summary: str) -> None:
    note = builders.make_note(title=title, summary=summary)
    index = build_index([note], TYPES)

    row = org_index.render_row(index.sections[0].rows[0])

    assert row.count("\n") == 1
    assert row.count("|") == 7


@quickly
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_an_index_is_the_same_whatever_the_order(seed: int, count: int) -> None:
    chooser = random.Random(seed)
    notes = [
        builders.make_note(
            number,
            title=chooser.choice(["A", "a", "B", f"N{number}"]),
            tags=(chooser.choice([*TYPES, "other"]),),
            status=chooser.choice(["current", "contested", "superseded"]),
            created=chooser.choice(["2026-01-02", "2026-02-03", ""]),
        )
        for number in range(count)
    ]
    shuffled = chooser.sample(notes, len(notes))

    first = org_index.render(build_index(notes, TYPES), builders.ME, 2_000)
    second = org_index.render(build_index(shuffled, TYPES), builders.ME, 2_000)

    assert list(first.items()) == list(second.items())


def test_superseded_nodes_are_left_out_and_contested_ones_stand_in_both_places() -> None:
    notes = [
        builders.make_note(1),
        builders.make_note(2, status="superseded"),
        builders.make_note(3, status="contested"),
    ]

    index = build_index(notes, TYPES)

    assert [row.note.title for row in index.contested] == ["Note 3"]
    assert [row.note.title for row in index.sections[0].rows] == ["Note 1", "Note 3"]


def test_a_name_stays_unique_beside_what_is_left_out() -> None:
    hidden = builders.make_note(1)._replace(status="superseded")
    shown = builders.make_note(2)._replace(id=hidden.id[:-1] + "f")

    row = build_index([hidden, shown], TYPES).sections[0].rows[0]

    assert row.name == shown.id
    assert not hidden.id.startswith(row.name)


def test_types_of_the_store_have_sections_in_their_order() -> None:
    notes = [
        builders.make_note(1, tags=("recipe",)),
        builders.make_note(2, tags=("untold",)),
        builders.make_note(3, tags=("kb", "procedure", "principle")),
    ]

    keys = [section.key for section in build_index(notes, (*TYPES, "recipe")).sections]

    assert keys == ["procedure", "recipe", "untyped"]
    assert type_of(notes[0], TYPES) == "untyped"


def test_a_projects_index_has_its_own_and_general_nodes() -> None:
    own = builders.make_note(1, projects=("emacs",))
    general = builders.make_note(2, projects=("general", "other"))
    other = builders.make_note(3, projects=("other",))

    assert [concerns(note, "emacs") for note in (own, general, other)] == [True, True, False]
