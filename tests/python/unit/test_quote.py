"""Outside text in a block: nothing in it is Org, and it comes back as it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aikb.formats.org import capture
from aikb.formats.org.document import Document
from aikb.formats.org.quote import block, escape, is_plain, one_line, unescape, visible
from aikb.rules import hostile

LINES = st.sampled_from([
    "* head", "** TODO x", ",* escaped", ",,#+x", "  #+end_example", "#+END_EXAMPLE", "#+begin_src sh",
    "#+SETUPFILE: /etc/passwd", "#+include: /dev/zero", ":PROPERTIES:", ":ID: x", ":END:", "", "\f",
    "# Local Variables:", "# eval: (error)", "# End:", "-*- mode: sh -*-", "\t*", "a,*b", ",", "#+", "*",
    "[[elisp:(x)]]", "| a |", "%%(x)", "\\end{x}", "é", "\u2003* x",
])  # fmt: skip
HOSTILE = st.lists(LINES).map("\n".join)
TEXTS = st.text() | HOSTILE
SYNTAX = re.compile(r"^[ \t]*(?:\*|#\+)", re.MULTILINE)


@given(TEXTS)
@example("#+end_example")
def test_escaping_comes_back_and_leaves_no_syntax(text):
    assert unescape(escape(text)) == text
    assert not SYNTAX.search(escape(text))


@given(TEXTS)
def test_a_block_holds_one_block_and_no_heading_or_keyword(text):
    if "\r" in text:
        return
    document = Document("raw/x.org", block(text).encode("utf-8", "replace"))
    kinds = document.structure.kinds
    assert kinds[0] == kinds[-2] == "b"
    assert set(kinds[1:-2]) <= {"o"}
    assert not document.headings
    assert not document.links


@given(TEXTS)
def test_what_is_made_visible_is_plain_and_stays_so(text):
    once = visible(text)
    assert is_plain(once)
    assert visible(once) == once


def test_terminal_and_bidi_characters_are_spelled_out():
    assert visible("a\x1b[31m\u202eb\r\nc\U000e0041") == "a\\u001b[31m\\u202eb\nc\\U000e0041"


@given(
    st.text()
    | st.lists(st.sampled_from(["@@", "-*-", "%%", "src_", "call_", ":", "[[", "x"])).map("".join)
)
def test_a_line_of_outside_words_is_stable_and_harmless(text):
    once = one_line(text)
    assert one_line(once) == once
    assert "\n" not in once
    document = Document("x.org", f"#+title: {once}\n".encode())
    assert list(hostile.check(document)) == []


@pytest.mark.parametrize(
    "words", ["[[elisp:(x)][y]]", "<elisp:x>", "elisp:(x)", "{{{x}}}", "src_sh{x}", "call_x(y)",
              "@@html:x@@", "-*- mode: x -*-", "%%(x)"],
)  # fmt: skip
def test_no_markup_survives_in_a_title(words):
    assert words not in one_line(words)
    assert not re.search(r"elisp:\S|\[\[|\{|(?:src|call)_|@@|-\*-|%%", one_line(words))


RECORDS = st.builds(
    capture.Record,
    title=st.text().map(one_line),
    properties=st.just({"URL": "https://example.org/", "SHA256": "0"}),
    excerpts=st.lists(TEXTS.map(visible), max_size=3).map(tuple),
    text=TEXTS.map(visible),
    original=st.none() | st.binary() | TEXTS.map(lambda t: t.encode("utf-8", "replace")),
)


@given(RECORDS)
def test_a_record_is_read_as_it_was_written(record):
    assert capture.parse(capture.render(record).encode()) == record


@given(RECORDS, st.data())
def test_a_record_that_was_changed_anywhere_is_none_or_damaged(record, data):
    sealed = record._replace(
        original=None, properties={"URL": "https://example.org/", "SHA256": record.content_digest}
    )
    text = capture.render(sealed)
    assert capture.damage(sealed) == ""
    quoted = [m.start() for m in re.finditer("#\\+begin_example\n", text)]
    if not quoted:
        return
    at = data.draw(st.sampled_from(quoted)) + len("#+begin_example\n")
    changed = capture.parse((text[:at] + "z" + text[at:]).encode())
    assert changed is None or capture.damage(changed)
