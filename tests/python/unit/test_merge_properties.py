"""What holds for every merge of two versions of an Org file."""

from __future__ import annotations

import os
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import builders
from aikb.formats.org.merge import merge_file
from aikb.formats.org.nodes import read_nodes
from aikb.formats.org.parts import split
from aikb.tools.git import Git
from aikb.tools.git_merge import text_merger

MANY = 50
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon"]
PARAGRAPHS = (
    *(f"Paragraph {w}.\nIts second line.\n" for w in WORDS), "- item\n- second item\n",
    "#+begin_src sh\nls\n#+end_src\n", "One line.\n",
)  # fmt: skip
ENTRIES = ("- Changed [2026-02-02] by x: y\n", "- Other [2026-02-03] by z: w\n  in two lines\n")


class State(NamedTuple):
    """What a file says."""

    title: str
    tags: tuple[str, ...]
    projects: tuple[str, ...]
    updated: str
    status: str
    extra: tuple[str, ...]
    log: tuple[str, ...]
    body: tuple[str, ...]
    part: str

    @property
    def data(self) -> bytes:
        """The file."""
        projects = " ".join(f":{p}:" for p in self.projects)
        book = f":LOGBOOK:\n{''.join(self.log)}:END:\n\n" if self.log else ""
        text = builders.drawer(
            f":ID:       {builders.ME}\n:PROJECTS: {projects}\n:CREATED:  2026-01-02\n"
            f":UPDATED:  {self.updated}\n:SOURCE:   chat\n:STATUS:   {self.status}\n"
            + "".join(self.extra)
        )
        text += f"#+title: {self.title}\n#+filetags: :{':'.join(self.tags)}:\n\n{book}"
        text += "\n".join(self.body)
        if self.part:
            text += f"* Part\n:PROPERTIES:\n:ID: {builders.HERS}\n:END:\n{self.part}.\n"
        return text.encode()


def some(*values, least=0):
    return st.lists(st.sampled_from(values), min_size=least, max_size=3, unique=True).map(tuple)


FIELDS = {
    "title": st.sampled_from(["Title", "Another"]),
    "tags": some(*WORDS).map(lambda words: ("reference", *words)),
    "projects": some(*WORDS, least=1),
    "updated": st.sampled_from(["2026-02-01", "2026-03-01", "2026-04-01"]),
    "status": st.sampled_from(["current", "contested", "superseded"]),
    "extra": some(":LAST_CURATED: 2026-05-01\n", ':ROAM_ALIASES: "A b" c\n', ":OTHER: x\n"),
    "log": some(*ENTRIES),
    "body": some(*PARAGRAPHS, least=1),
    "part": st.sampled_from(["", *WORDS]),
}  # fmt: skip
STATES = st.builds(State, **FIELDS)


@st.composite
def sides(draw):
    """A file, and what became of it on two machines."""
    base = draw(STATES)
    return base.data, *(draw(changed(base)).data for _ in range(2))


@st.composite
def changed(draw, base):
    """A file after some edits, most of them such as agents make."""
    state = base
    for name in draw(
        st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=4, unique=True)
    ):
        if name == "body":
            body = list(base.body)
            body.insert(draw(st.integers(0, len(body))), draw(st.sampled_from(PARAGRAPHS)))
            if draw(st.booleans()):
                body.pop(draw(st.integers(0, len(body) - 1)))
            state = state._replace(body=tuple(body))
        else:
            state = state._replace(**{name: draw(FIELDS[name])})
    return state


@pytest.fixture(scope="module")
def merger(tmp_path_factory):
    return text_merger(Git(str(tmp_path_factory.mktemp("nowhere")), {"PATH": os.environ["PATH"]}))


def lines(data: bytes) -> set[str]:
    return set(data.decode().splitlines())


@settings(max_examples=MANY, deadline=None)
@given(sides())
def test_a_merge_is_the_same_from_either_side_and_loses_no_line(merger, versions):
    base, ours, theirs = versions
    one = merge_file(base, ours, theirs, merger)
    other = merge_file(base, theirs, ours, merger)
    assert {c.what for c in one.conflicts} == {c.what for c in other.conflicts}
    assert "file" not in {c.what for c in one.conflicts}
    if one.conflicts:
        return
    assert one.data == other.data
    added = (lines(ours) | lines(theirs)) - lines(base)
    lost = {x for x in added - lines(one.data) if not x.startswith((":", "#+filetags"))}
    assert lost == set()
    wanted = {n.id for v in (ours, theirs) for n in read_nodes(v.decode())}
    gone = {n.id for n in read_nodes(base.decode())} - wanted
    found = [n.id for n in read_nodes(one.data.decode())]
    assert len(found) == len(set(found))
    assert set(found) <= wanted - gone


@settings(max_examples=MANY, deadline=None)
@given(STATES.map(lambda s: s.data), STATES.map(lambda s: s.data))
def test_what_one_side_alone_changed_is_taken(merger, base, other):
    assert merge_file(base, base, other, merger) == (other, ())
    assert merge_file(base, other, base, merger) == (other, ())
    assert merge_file(base, other, other, merger) == (other, ())


@settings(max_examples=MANY, deadline=None)
@given(sides())
def test_a_merge_of_a_merge_brings_nothing_new(merger, versions):
    base, ours, theirs = versions
    merged = merge_file(base, ours, theirs, merger)
    if not merged.conflicts:
        assert merge_file(ours, ours, merged.data, merger).data == merged.data
        assert merge_file(theirs, merged.data, theirs, merger).data == merged.data


@settings(max_examples=MANY, deadline=None)
@given(sides(), st.sampled_from(["ours", "theirs"]))
def test_with_a_favoured_side_nothing_is_left_in_dispute(merger, versions, side):
    base, ours, theirs = versions
    favour = {builders.ME: side, builders.HERS: side}
    assert merge_file(base, ours, theirs, merger, favour).conflicts == ()


@settings(max_examples=MANY, deadline=None)
@given(STATES)
def test_the_parts_of_a_text_are_the_text(state):
    text = state.data.decode()
    assert "".join(part.text for part in split(text)) == text
