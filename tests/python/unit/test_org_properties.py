"""Properties of reading and changing Org text that hold for any text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import builders
from aikb.config import TYPES
from aikb.formats.org.decode import decode
from aikb.formats.org.document import Document
from aikb.formats.org.links import find_id_links
from aikb.formats.org.nodes import read_nodes
from aikb.formats.org.notes import read_notes
from aikb.formats.org.plain import opening, plain_text
from aikb.formats.org.roam import read_refs, split_and_unquote
from aikb.formats.org.structure import Structure
from aikb.formats.org.write import Edit, render_node
from aikb.links.graph import links_of
from aikb.model import Draft
from aikb.rules import check_document

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = (
    ":PROPERTIES:\n", ":END:\n", f":ID: {builders.ME}\n", ":ID:", ":ROAM_ALIASES: \"a\n", "#+title:",
    "#+filetags: :a:b:", "#+TODO: A | B\n", "#+begin_src sh\n", "#+end_src\n", "#+begin_quote\n",
    "#+end_quote\n", "* ", "** TODO ", "[#A] ", ":tag:\n", f"[[id:{builders.ONE}][one]]", "[[id:",
    "]]", "][", "id:", "=", "~", "\\[", "\\(", "{{{", "@@", "<", ">", "| a | b |\n", "- item\n",
    "  indented ", "SCHEDULED: <2026-01-02>\n", "CLOCK: [2026-01-02]\n", "# c\n", ": f\n", "%%(", "\n",
    "\r\n", "\r", "\t", "\u200b", "\u00a0", "\u2028", "\u77e5", "words ", "src_sh{", "call_f(",
    "[fn:1]", "-----\n", "\\begin{x}\n", "\\end{x}\n", "elisp:", "<<<<<<< a\n", "=======\n",
)  # fmt: skip
ORG = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=40).map("".join)
NODE = ORG.map(lambda body: builders.node(body.replace("\r", "")))
WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20
)
SLUGS = st.text("abcdefghij_12", min_size=1, max_size=8)
quickly = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quickly
@given(ORG)
@example(":PROPERTIES:\n:ID: x")
@example("* \n:PROPERTIES:\n:ID: x\n:END:")
def test_reading_any_text_raises_nothing(text: str) -> None:
    document = Document("any.org", text.encode("utf-8", "surrogatepass"))

    check_document(document, TYPES)
    list(links_of(document))
    read_notes("any.org", document.data, str)


@quickly
@given(st.binary(max_size=200))
def test_reading_any_bytes_raises_nothing(data: bytes) -> None:
    document = Document("any.org", data)

    assert decode(data).text is not None
    check_document(document, TYPES)
    read_notes("any.org", data, str)


@quickly
@given(ORG)
def test_structure_has_a_kind_for_each_line(text: str) -> None:
    structure = Structure(text)

    assert len(structure.kinds) == len(structure.lines) == text.count("\n") + 1
    assert set(structure.kinds) <= set("hgpPckbodfltsix-")
    assert "\n".join(structure.lines) == text
    for number, start in enumerate(structure.starts):
        assert structure.line_of(start) == number


@quickly
@given(ORG)
def test_id_links_are_where_they_say(text: str) -> None:
    rough = {m.end() for m in re.finditer("id:", text)}

    before = -1
    for link in find_id_links(text):
        assert any(link.pos < at <= link.end + 1 for at in rough)
        assert link.pos > before
        assert "\n" not in link.target
        if "\\" not in link.target and " " not in link.target:
            assert f"id:{link.target}" in text[link.pos : link.end]
        before = link.pos


@quickly
@given(ORG, ORG)
def test_what_follows_a_node_does_not_change_it(first: str, more: str) -> None:
    text = builders.node(first.replace("\r", "").replace("#+", "")) + "\n"
    more = more.replace("#+", "")

    assert read_nodes(text)[0] == read_nodes(text + more)[0]


@quickly
@given(ORG)
def test_plain_words_have_no_line_ends_and_end(text: str) -> None:
    words = plain_text(text)

    assert words == " ".join(words.split())
    assert len(opening(builders.node(text), 0, 0)) <= 4 + 20 * 600


@given(WORDS)
def test_quoted_words_never_raise(value: str) -> None:
    split_and_unquote(value)
    read_refs(value)


@quickly
@given(
    title=WORDS.map(str.strip).filter(lambda t: t and "[[" not in t),
    kind=st.sampled_from(TYPES),
    tags=st.lists(SLUGS, max_size=3),
    projects=st.lists(SLUGS, min_size=1, max_size=3),
    body=ORG.map(lambda t: t.replace("\r", "").replace("#+t", "")),
)
def test_a_drafts_text_reads_as_the_draft(
    title: str, kind: str, tags: list[str], projects: list[str], body: str
) -> None:
    draft = Draft(title, kind, tuple(tags), tuple(projects), "chat", "", body)
    text = render_node(draft, builders.ME, "2026-01-02")

    note = read_notes("a.org", text.encode("utf-8", "surrogatepass"), str)[0]

    assert (note.id, note.title, note.level) == (builders.ME, title, 0)
    assert note.tags[: len({kind, *tags})] == tuple(dict.fromkeys([kind, *tags]))
    assert note.projects == tuple(dict.fromkeys(projects))
    assert (note.created, note.updated, note.status) == ("2026-01-02", "2026-01-02", "current")
    assert render_node(draft, builders.ME, "2026-01-02") == text


EDITS: dict[str, Callable[[Edit], None]] = {
    "updated": lambda edit: edit.set_property("UPDATED", "2026-05-06"),
    "new": lambda edit: edit.set_property("LAST_CURATED", "2026-05-06"),
    "title": lambda edit: edit.set_title("Another name"),
    "tags": lambda edit: edit.change_tags(["kb"], ["observation"]),
    "projects": lambda edit: edit.change_projects(["emacs"], ["general"]),
}


@quickly
@given(NODE, st.sampled_from(sorted(EDITS)))
def test_an_edit_keeps_every_other_line(text: str, what: str) -> None:
    edit = Edit(text, read_nodes(text)[0])

    EDITS[what](edit)

    before, after = text.split("\n"), edit.text.split("\n")
    added = [line for line in after if line not in before]
    lost = [line for line in before if line not in after]
    assert len(added) <= 1, added
    assert len(lost) <= 1, lost
    assert len(after) - len(before) == (1 if what == "new" else 0)
    assert (
        after[after.index(":END:") :][2:] == before[before.index(":END:") :][2:] or what == "tags"
    )


@quickly
@given(NODE, st.sampled_from(sorted(EDITS)))
def test_an_edit_made_twice_is_made_once(text: str, what: str) -> None:
    once = Edit(text, read_nodes(text)[0])
    EDITS[what](once)
    twice = Edit(once.text, read_nodes(once.text)[0])
    EDITS[what](twice)

    assert twice.text == once.text
    node = read_nodes(once.text)[0]
    assert node.id == builders.ME
    expected = {
        "updated": node.properties.get("UPDATED") == "2026-05-06",
        "new": node.properties.get("LAST_CURATED") == "2026-05-06",
        "title": node.title == "Another name",
        "tags": "kb" in node.tags and "observation" not in node.tags,
        "projects": node.properties["PROJECTS"] == ":emacs:",
    }
    assert expected[what]


@quickly
@given(NODE, WORDS.map(str.strip).filter(bool))
def test_an_appended_paragraph_is_behind_all_that_was_there(text: str, words: str) -> None:
    edit = Edit(text, read_nodes(text)[0])

    edit.append(words)

    assert edit.text.startswith(text.rstrip("\n"))
    assert edit.text.rstrip("\n").endswith(words.strip("\n"))
    assert edit.text.endswith("\n")
