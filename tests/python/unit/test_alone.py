"""A heading that is a node becomes a file of its own."""

from __future__ import annotations

import pytest

import builders
from aikb.formats.org.alone import alone, without
from aikb.formats.org.nodes import read_nodes

HEAD = "*** TODO [#A] See [[https://x.org][it]] :mine:\nSCHEDULED: <2026-05-01 Fri>\n"
DRAWER = f":PROPERTIES:\n:ID:       {builders.HERS}\n:CREATED:  2025-01-01\n:END:\n"
LOG = ":LOGBOOK:\n- Made.\n:END:\n"
TEXT = builders.node(
    f"Words.\n\n* Above\n{HEAD}{DRAWER}{LOG}Inside.\n\n**** Below\nMore.\n* After\n"
)


def test_heading_tags_history_and_subheadings_are_those_of_a_file():
    text = alone(TEXT, builders.HERS)
    (node,) = read_nodes(text)
    assert (node.id, node.level) == (builders.HERS, 0)
    assert node.title.startswith("TODO [#A] See ")
    assert set(node.tags) == {*read_nodes(TEXT)[0].tags, "mine"}
    assert node.properties["CREATED"] == "2025-01-01"
    assert node.properties["SOURCE"] == read_nodes(TEXT)[0].properties["SOURCE"]
    assert text.endswith(f"{LOG}SCHEDULED: <2026-05-01 Fri>\nInside.\n\n* Below\nMore.\n* After\n")


def test_what_is_left_is_the_rest():
    assert without(TEXT, builders.HERS) == builders.node("Words.\n\n* Above\n* After\n")
    assert alone(TEXT, builders.HERS, further=False).endswith("\n* Below\nMore.\n")


def test_a_file_is_one_already_and_a_stranger_is_none():
    assert alone(TEXT, read_nodes(TEXT)[0].id) == builders.node("Words.\n\n* Above\n")
    with pytest.raises(LookupError):
        alone(TEXT, "nobody")
