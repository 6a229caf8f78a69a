"""What is said of a Markdown note, and what is not; which notes cover a draft."""

from __future__ import annotations

import pytest

import builders
from aikb.curation.hubs import check_hubs, draft_hub, propose_hubs
from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.write import TYPES, render_note
from aikb.links.names import Names
from aikb.model import Draft, Note
from aikb.rules.vault import check_links, check_note, check_untagged
from aikb.writing.vault_guard import covering, near_notes
from aikb.writing.vault_proposals import slug_of

TEXT = "Migrations are named by what they do, never by a ticket's number. Reviewers read the name."


def said(text: str | bytes) -> list[tuple[int, str, str]]:
    data = text.encode() if isinstance(text, str) else text
    return [(f.line, f.severity, f.code) for f in check_note(MarkdownDocument("a.md", data))]


@pytest.mark.parametrize(
    ("text", "line", "severity", "code"),
    [
        ("a\n\x1b[31m\n", 2, "error", "control-character"),
        ("a\n\u202eb\n", 2, "error", "bidi-control"),
        ("a\u200bb\n", 1, "error", "hidden-character"),
        (
            "---\ntags: a\n---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
            4,
            "error",
            "conflict-marker",
        ),
        ('---\ntitle: "a\\e[31m"\n---\n', 1, "error", "control-character"),
        ('---\ntags: ["a\\u202Eb"]\n---\n', 1, "error", "bidi-control"),
        (b"caf\xe9\n", 1, "error", "not-utf8"),
        (b"a\n\0\n", 2, "error", "nul"),
        (b"x" * (5 << 20), 1, "error", "file-too-large"),
        ("---\na: [\n---\n", 3, "error", "front-matter-invalid"),
        ("---\na: 1\n---\n\n<% tp.date.now() %>\n", 5, "warning", "templater-code"),
        ("text <%* code %>\n", 1, "warning", "templater-code"),
        ("> ```dataviewjs\n> x\n> ```\n", 1, "warning", "dataview-js"),
        ("a `$= dv.current()` b\n", 1, "warning", "dataview-js"),
        ("a\n<SCRIPT src=x>\n", 2, "warning", "script"),
        ("[a]( javascript:alert(1))\n", 1, "warning", "script"),
    ],
)
def test_what_is_said_of_a_note(text: str | bytes, line: int, severity: str, code: str) -> None:
    assert (line, severity, code) in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", b"\xef\xbb\xbf---\r\ntags: a\r\n---\r\nText\r\n", "no line end", "```erb\n<%= x %>\n```\n",
        "Write `<% x %>` in ERB.\n", "```dataview\nLIST\n```\n", "Setext\n=======\n",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f468\u200d\U0001f469\n", "tab\there\n",
    ],
)  # fmt: skip
def test_what_is_usual_is_not_spoken_of(text: str | bytes) -> None:
    assert said(text) == []


def test_links_that_lead_nowhere_are_named_once() -> None:
    text = (
        "[[Here]] [[None]] [[None|x]]\n![[picture.png]] [a](None.md) [b](file.pdf) [[v1.2 plan]]\n"
    )
    document = MarkdownDocument("sub/a.md", text.encode())
    findings = list(check_links(document, Names(["Here.md", "sub/a.md", "v1.2 plan.md"])))
    assert [(f.line, f.severity, f.code) for f in findings] == [
        (1, "warning", "broken-link"), (2, "warning", "broken-link"),
    ]  # fmt: skip


def note(number: int, **values: object) -> Note:
    path = f"n{number}.md"
    return builders.make_note(number, id=path[:-3], path=path, **values)


def test_notes_without_a_tag_are_named_but_superseded_ones() -> None:
    notes = [note(1, tags=()), note(2), note(3, tags=(), status="superseded")]
    assert [f.path for f in check_untagged(notes)] == ["n1.md"]


def test_a_draft_is_covered_by_what_shares_a_tag_and_says_the_same() -> None:
    draft = Draft("Name migrations", "convention", ("lang/ruby",), body=TEXT)
    same = note(1, title="How migrations are named", tags=("Lang",), summary=TEXT)
    other_tag = note(2, title="Other words", tags=("food",), summary=TEXT)
    other = note(
        3, title="Bread", tags=("lang/ruby",), summary="Knead it, let it rest, bake it hot."
    )

    assert [near.note for near in covering(draft, [other, other_tag, same])] == [same]
    assert covering(draft, [other, other_tag]) == []


def test_the_text_itself_decides_where_it_can_be_read() -> None:
    draft = Draft("Name migrations", "convention", ("rails",), body=TEXT)
    one = note(1, title="Names", tags=("rails",), summary="See below.")
    assert covering(draft, [one]) == []
    assert [near.note for near in covering(draft, [one], lambda _: TEXT)] == [one]


def test_one_title_under_one_tag_is_one_thing_and_superseded_notes_count() -> None:
    draft = Draft("name  Migrations", "howto", ("rails",))
    old = note(1, title="Name migrations", tags=("rails",), status="superseded", summary="")
    elsewhere = note(2, title="Name migrations", tags=("geese",), summary="They fly south.")
    assert [near.note for near in covering(draft, [old, elsewhere])] == [old]
    assert old in [near.note for near in near_notes(draft, [old, elsewhere])]


@pytest.mark.parametrize("type_", TYPES)
def test_every_template_reads_as_it_was_meant(type_: str) -> None:
    draft = Draft('A: "b" #c', type_, ("x/y", "2024a", "no"), ("alpha",), source="https://x.org")
    for body in ("", "Words.\n", "Intro.\n\n## Own\n\nWords.\n"):
        text = render_note(draft._replace(body=body), "2026-01-02")
        document = MarkdownDocument("a.md", text.encode())
        assert check_note(document) == []
        assert document.title == 'A: "b" #c'
        front = document.front
        assert (front.values["tags"], front.first("type")) == (("x/y", "2024a", "no"), type_)
        assert (front.first("created"), front.values["projects"]) == ("2026-01-02", ("alpha",))
        assert text.count("## Own") == body.count("## Own")
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Name migrations!", "name-migrations"),
        ("C++ / snake_case: a.b", "c-snake-case-a-b"),
        ("\u5907\u4efd\u6062\u590d", "\u5907\u4efd\u6062\u590d"),
        ("../../etc/passwd", "etc-passwd"),
        ("???", "note"),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 500, "x" * 30),
    ],
)
def test_a_file_is_named_after_its_title(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_hubs_are_proposed_for_three_to_forty_related_notes() -> None:
    few = [note(n, tags=("few",)) for n in range(2)]
    some = [note(n, tags=("some/deep",), title=f"T{n}") for n in range(10, 13)]
    many = [note(n, tags=("many",)) for n in range(100, 150)]

    clusters = propose_hubs([*few, *some, *many], {})

    assert [(c.name, len(c.members)) for c in clusters] == [("some/deep", 3)]
    hub = note(9, type="hub", tags=("Some/Deep",))
    assert propose_hubs([*some, hub], {}) == []
    linking = {hub.path: [(n.id, 1, n.path) for n in some[:2]]}
    assert propose_hubs([*some, hub._replace(tags=("x",))], linking) == []


def test_a_hubs_draft_lists_its_notes_and_stays_fresh() -> None:
    some = [note(n, tags=("t",), title=f"T{n}", summary="S [x].") for n in range(3)]
    (cluster,) = propose_hubs(some, {})
    draft = draft_hub(cluster, Names(n.path for n in some), purpose="What for.")
    assert draft.body.splitlines() == [
        "What for.", "", "## Notes", "", "- [[n0|T0]]: S  x .", "- [[n1|T1]]: S  x .",
        "- [[n2|T2]]: S  x .",
    ]  # fmt: skip
    hub = note(9, type="hub", tags=("t",))
    links = {hub.path: [(n.id, 4, n.path) for n in some]}
    assert check_hubs([*some, hub], links) == []
    gone = {hub.path: [("n0", 4, None), ("n1", 5, "n1.md")]}
    codes = [(f.line, f.code) for f in check_hubs([some[1], some[2], hub], gone)]
    assert codes == [(1, "hub-lacks"), (4, "stale-hub-entry")]
