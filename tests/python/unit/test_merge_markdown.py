"""Two versions of a Markdown note made one."""

from __future__ import annotations

import os

import pytest

from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.merge import contested, merge_file
from aikb.tools.git import Git
from aikb.tools.git_merge import text_merger

BASE = """---
title: "A note"
tags:
  - rails
  - old
updated: 2026-01-01
status: current
source: "chat"
---

# A note

First.

Second.
"""


@pytest.fixture(scope="module")
def merge(tmp_path_factory):
    merger = text_merger(Git(str(tmp_path_factory.mktemp("none")), {"PATH": os.environ["PATH"]}))

    def both_ways(base, ours, theirs, favour=""):
        done = merge_file(base.encode(), ours.encode(), theirs.encode(), merger, favour)
        if not done.conflicts and not favour:
            assert merge_file(base.encode(), theirs.encode(), ours.encode(), merger) == done
        return done

    return both_ways


def changed(*pairs, text=BASE):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def clean(done):
    assert done.conflicts == ()
    return done.data.decode()


def test_tags_are_united_updated_is_the_later_and_status_goes_by_rank(merge):
    ours = changed(
        ("  - old\n", "  - mine\n"), ("2026-01-01", "2026-03-01"), ("current", "superseded")
    )
    theirs = changed(
        ("  - old\n", "  - old\n  - hers\n"), ("2026-01-01", "2026-02-01"), ("current", "contested")
    )
    text = clean(merge(BASE, ours, theirs))
    assert "tags:\n  - rails\n  - hers\n  - mine\nupdated: 2026-03-01\nstatus: contested\n" in text


def test_a_list_in_brackets_stays_one(merge):
    base = changed(("tags:\n  - rails\n  - old\n", "tags: [rails, old]\n"))
    text = clean(
        merge(base, base.replace("old]", "old, mine]"), base.replace("old]", "old, hers]"))
    )
    assert "tags: [rails, old, hers, mine]\n" in text


def test_keys_that_each_side_added_both_stay(merge):
    ours, theirs = (
        changed(('source: "chat"\n', f'source: "chat"\n{k}: x\n')) for k in ("mine", "hers")
    )
    text = clean(merge(BASE, ours, theirs))
    assert text.index("hers: x") < text.index("mine: x") < text.index("# A note")


def test_bodies_are_merged_as_text(merge):
    text = clean(merge(BASE, changed(("First.", "One.")), BASE + "\nThird.\n"))
    assert text == changed(("First.", "One.")) + "\nThird.\n"


@pytest.mark.parametrize(
    ("old", "what"), [('"A note"', "title"), ('"chat"', "property source"), ("Second.", "body")]
)
def test_what_clashes_is_named_and_decided_by_a_side(merge, old, what):
    ours, theirs = (changed((old, word)) for word in ("Mine", "Hers"))
    done = merge(BASE, ours, theirs)
    assert [c.what for c in done.conflicts] == [what]
    assert "Mine" in ours.split("\n")[done.conflicts[0].lines[0] - 1]
    assert "Hers" in clean(merge(BASE, ours, theirs, "theirs"))
    assert clean(merge(BASE, ours, theirs, "ours")) == ours


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_are_kept(merge, end, mark):
    ours, theirs = changed(("First.", "One.")), changed(("  - old\n", ""))
    expected = changed(("First.", "One."), ("  - old\n", ""))
    texts = (mark + text.replace("\n", end) for text in (BASE, ours, theirs))
    assert clean(merge(*texts)) == mark + expected.replace("\n", end)


def test_front_matter_that_cannot_be_read_clashes_as_a_whole(merge):
    ours, theirs = changed(("tags:", "tags: [a, {b")), changed(("First.", "One."))
    assert [c.what for c in merge(BASE, ours, theirs).conflicts] == ["file"]


def test_notes_without_front_matter(merge):
    base = "Words.\n\nMore.\n"
    assert clean(merge(base, "Words!\n\nMore.\n", base + "\nEnd.\n")) == "Words!\n\nMore.\n\nEnd.\n"


def test_a_comment_above_the_keys_stays(merge):
    base = changed(("---\ntitle", "---\n# mine\ntitle"))
    text = clean(merge(base, base.replace("First.", "One."), base.replace("current", "superseded")))
    assert text.startswith('---\n# mine\ntitle: "A note"\n')


@pytest.mark.parametrize("text", [BASE, "Words.\n"])
def test_a_contested_note_says_so_and_keeps_its_words(text):
    document = MarkdownDocument("a.md", contested(text.encode(), 'with "[[b]]"'))
    assert document.front.kind == "good"
    assert document.front.first("status") == "contested"
    assert document.front.first("contested") == 'with "[[b]]"'
    assert document.body.endswith(MarkdownDocument("a.md", text.encode()).body)
