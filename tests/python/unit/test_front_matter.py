"""Front matter is read as text, whatever it holds, and what is wrong with it has a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikb.formats.markdown import pairs
from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.front import read_front_matter
from aikb.formats.markdown.notes import read_note
from aikb.index.summary import summarise
from aikb.model import Note


def note(text: str | bytes, path: str = "folder/The file.md") -> Note:
    data = text.encode() if isinstance(text, str) else text
    return read_note(MarkdownDocument(path, data), summarise)


def problems(text: str) -> list[tuple[int, str, str]]:
    return [(p.line, p.severity, p.code) for p in read_front_matter(text).problems]


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("tags: [a, b/c]", ("a", "b/c")),
        ("tags:\n  - a\n  - 'b'\n  - \"#c\"", ("a", "b", "c")),
        ("tags:\n- a\n- b", ("a", "b")),
        ("tags: a, b c", ("a", "b", "c")),
        ("tags: a", ("a",)),
        ("Tags: A", ("A",)),
        ("tag: a\ntags: [b]", ("b", "a")),
        ("tags: '#a #b'", ("a", "b")),
        ('tags: \'["x", "y z"]\'', ("x", "y-z")),
        ("tags: [two words]", ("two-words",)),
        ("tags: [2024, true, 1.5, 2026-01-02, no]", ("2024", "true", "1.5", "2026-01-02", "no")),
        ("tags: 2024", ("2024",)),
        ("tags:\n  -\n  - a\n  - ~\n  - null", ("a",)),
        ("tags:", ()),
        ("tags: []", ()),
        ("tags: [a, A, a]", ("a",)),
        ("tags: /a//b/", ("a/b",)),
        ("tags: {a: b}", ()),
        ("tags: [[a]]", ("a",)),
        ("tags: [cafe\u0301]", ("caf\u00e9",)),
        ("tags: >\n  a\n  b", ("a", "b")),
        ("tags: \u6587\u7ae0/\u5f85\u5199", ("\u6587\u7ae0/\u5f85\u5199",)),
    ],
)
def test_tags_in_every_form(lines: str, tags: tuple[str, ...]) -> None:
    assert note(f"---\n{lines}\n---\n").tags == tags


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("title: 2026-01-02", "2026-01-02"),
        ("title: 12:30", "12:30"),
        ("title: 007", "007"),
        ("title: yes", "yes"),
        ("title: 1e3", "1e3"),
        ('title: "a: \\"b\\""', 'a: "b"'),
        ("title: 'it''s'", "it's"),
        ("title: a, [b] & #c", "a, [b] &"),
        ("title: |\n  two\n  lines", "two lines"),
        ("title: one\n  two", "one two"),
        ("TITLE : Shouted", "Shouted"),
        ('title: "a\\e[31m\\x07b"', "a[31mb"),
        (
            "title: \u0645\u06cc\u200c\u062e \U0001f468\u200d\U0001f469",
            "\u0645\u06cc\u200c\u062e \U0001f468\u200d\U0001f469",
        ),
        ("title: ~", "First"),
        ("title:", "First"),
        ("title: ''", "First"),
    ],
)
def test_a_title_stays_the_text_that_it_is(line: str, title: str) -> None:
    read = note(f"---\n{line}\n---\n# First\n# Second\n")
    assert read.title == title.partition(" #")[0]


def test_the_title_is_the_first_heading_else_the_name() -> None:
    assert note("Words\n## Two\n\n# One `x` [[a|b]] #t ##\n").title == "One x b t"
    assert note("```\n# code\n```\n\nUnder\nWords\n=====\n").title == "Words"
    assert note("    # code\n#tag\n").title == "The file"
    assert note("").title == "The file"


def test_all_fields_are_read() -> None:
    read = note(
        "---\ntitle: T\ntype: Howto\nproject: [alpha, beta]\ndate created: 2026-01-02T10:00:00\n"
        "updated: 2026-02-03 10:00\nstatus: Superseded (see b)\nsource: https://example.org/a\n---\nB.\n"
    )
    assert read == Note(
        "folder/The file", "folder/The file.md", 1, 0, "T", (), ("alpha", "beta"), "superseded",
        "2026-01-02", "2026-02-03", "https://example.org/a", "B.", "", "howto",
    )  # fmt: skip


def test_a_mark_and_foreign_line_ends_do_not_hide_it() -> None:
    for data in (
        b"\xef\xbb\xbf---\r\ntitle: T\r\ntags: [a]\r\n---\r\nText #b.\r\n",
        b"---\rtitle: T\rtags: [a]\r---\rText #b.\r",
        b"---\r\ntitle: T\ntags: [a]\r\n---\nText #b.\n",
        b"--- \ntitle: T\ntags: [a]\n---\t\nText #b.",
    ):
        read = note(data)
        assert (read.title, read.tags, read.summary) == ("T", ("a", "b"), "Text b.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Text\n", []),
        ("---\n---\nText\n", []),
        ("---\n# only a comment\n---\n", []),
        ("---\nwords\n\n---\nmore\n", [(2, "error", "front-matter-invalid")]),
        ("---\n- a\n- b\n---\n", [(2, "error", "front-matter-invalid")]),
        ("---\nkey: 1\ntitle: `x`\n---\n", [(3, "error", "front-matter-invalid")]),
        ("---\na: \x07\n---\n", [(2, "error", "front-matter-invalid")]),
        ("---\ntitle: T\n\nNever closed\n", [(1, "error", "front-matter-unclosed")]),
        ("---\n\nA rule at the top\n", []),
        ("---\na: &x [1]\nb: *x\n---\n", [(3, "error", "front-matter-alias")]),
        ("---\na: 1\na: 2\n---\n", [(3, "warning", "front-matter-key-twice")]),
        ("---\na: 1\n---\n\n---\nb: 2\n---\n", [(5, "warning", "front-matter-twice")]),
        ("---\na: 1\n---\n\n---\nA rule, then text: more.\n\n---\n", []),
        ("\n\n---\na: 1\n---\n", [(3, "warning", "front-matter-not-first")]),
        ("---\n" + "a: b\n" * 20_000 + "---\n", [(1, "error", "front-matter-too-large")]),
        ("---\ntags: [#a, b]\n---\n", [(2, "warning", "front-matter-invalid")]),
    ],
)
def test_what_is_wrong_has_its_line(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert problems(text) == expected


def test_of_two_values_the_first_counts_and_no_tag_is_lost() -> None:
    read = note("---\ntitle: A\ntags: [a]\ntitle: B\ntags: b\n---\n")
    assert (read.title, read.tags) == ("A", ("a", "b"))


def test_a_block_that_is_not_read_hides_no_inline_tag() -> None:
    for text in ("---\nt: `x`\n---\nBody #real\n", "---\ntitle: x\n\nBody #real\n"):
        assert note(text).tags == ("real",)


@pytest.mark.parametrize(
    "inside",
    [
        "tags: " + "[" * 30_000,
        "tags:\n" + "- " * 30_000 + "x",
        "? " * 30_000,
        "{a: " * 10_000,
        "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(2_000)),
        "a: !!python/object/apply:os.system [true]",
        "tags: [#" + "a" * 30_000 + ":",
        "tags: [" + "#a " * 10_000,
    ],
)
def test_nothing_nested_aliased_or_tagged_is_built(inside: str) -> None:
    read = note(f"---\n{inside}\n---\nBody #real\n")
    assert read.tags == ("real",)


SCALARS = st.text(st.sampled_from("ab1 -:#'\"[],{}&*!|>%@`~.?/\\\u00e9\u6587"), max_size=12)
LINES = st.one_of(
    st.builds("{}: {}".format, st.sampled_from(["title", "tags", "a b", "x-y"]), SCALARS),
    st.builds("{}:".format, st.sampled_from(["title", "tags", "a b"])),
    st.builds("{}- {}".format, st.sampled_from(["", " ", "  ", "    "]), SCALARS),
    st.builds("tags: [{}]".format, SCALARS),
    st.just(""),
    SCALARS,
)


@given(st.lists(LINES, max_size=6).map("\n".join))
def test_the_quick_way_reads_what_the_parser_reads(block: str) -> None:
    found = pairs.quick(block)
    if found is not None:
        assert (found, []) == pairs.thorough(block)


@given(st.text(max_size=300), st.sampled_from(["", "---\n", "---\na: b\n---\n"]))
def test_no_text_is_too_odd(text: str, before: str) -> None:
    document = MarkdownDocument("a.md", (before + text).encode("utf-8", "replace"))
    read = read_note(document, summarise)
    assert len(document.masked) == len(document.body)
    assert "\n" not in read.title + read.summary + "".join(read.tags)
    assert all(link.target for link in document.links)
