"""Two versions of a node made one, each piece by its meaning."""

from __future__ import annotations

import os

import pytest

import builders
from aikb.formats.org.merge import merge_file
from aikb.formats.org.nodes import read_nodes
from aikb.tools.git import Git
from aikb.tools.git_merge import read_pieces, text_merger

OTHER = builders.HERS
BODY = "First.\n\nSecond.\n\nThird.\n"
BASE = builders.node(BODY)


@pytest.fixture(scope="module")
def merge(tmp_path_factory):
    merger = text_merger(Git(str(tmp_path_factory.mktemp("none")), {"PATH": os.environ["PATH"]}))

    def both_ways(base, ours, theirs, favour=None):
        """The merge, which must be the same from the other side."""
        done = merge_file(base and base.encode(), ours.encode(), theirs.encode(), merger, favour)
        if not done.conflicts and not favour:
            swapped = merge_file(base and base.encode(), theirs.encode(), ours.encode(), merger)
            assert swapped == done
        return done

    return both_ways


def changed(*pairs, text=BASE):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def clean(done) -> str:
    assert done.conflicts == ()
    return done.data.decode()


def property_of(text, key):
    return read_nodes(text)[0].properties.get(key)


def test_updated_is_the_later(merge):
    text = clean(
        merge(BASE, changed(("2026-01-03", "2026-05-01")), changed(("2026-01-03", "2026-04-01")))
    )
    assert property_of(text, "UPDATED") == "2026-05-01"


def test_projects_and_tags_are_united_and_what_one_took_away_is_gone(merge):
    base = changed((":general:", ":general: :old:"), (":observation:", ":observation:gone:"))
    ours = changed((":general: :old:", ":general: :mine:"), (":gone:", ":gone:mine:"), text=base)
    theirs = changed((":old:", ":old: :hers:"), (":gone:", ":hers:"), text=base)
    text = clean(merge(base, ours, theirs))
    assert property_of(text, "PROJECTS") == ":general: :hers: :mine:"
    assert read_nodes(text)[0].tags == ("observation", "hers", "mine")


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [("contested", "superseded", "contested"), ("superseded", "current", "superseded"),
     ("contested", "current", "contested")],
)  # fmt: skip
def test_status_goes_by_rank_where_both_changed_it(merge, one, other, winner):
    base = changed(("   current", "   odd"))
    text = clean(
        merge(
            base, changed((" odd", f" {one}"), text=base), changed((" odd", f" {other}"), text=base)
        )
    )
    assert property_of(text, "STATUS") == winner


ONE = f"2026-02-01 by x against [[id:{builders.ONE}][One]]: no"
TWO = f"2026-03-01 by y against [[id:{builders.TWO}][Two]]: never"


def test_conflicts_are_united(merge):
    ours = changed(("current\n", f"contested\n:CONTESTED: {ONE}\n"))
    theirs = changed(("current\n", f"contested\n:CONTESTED: {TWO}\n"))
    text = clean(merge(BASE, ours, theirs))
    assert property_of(text, "CONTESTED") == f"{ONE} {TWO}"
    assert f":CONTESTED+: {TWO}" in text


def test_a_node_stays_contested_while_a_conflict_is_left(merge):
    base = changed(("current\n", f"contested\n:CONTESTED: {ONE}\n"))
    theirs = changed((f"{ONE}\n", f"{ONE}\n:CONTESTED+: {TWO}\n"), text=base)
    text = clean(merge(base, BASE, theirs))
    assert property_of(text, "CONTESTED") == TWO
    assert property_of(text, "STATUS") == "contested"


def test_other_properties_clash_and_name_themselves(merge):
    ours, theirs = (changed(("chat 2026-01-02", said)) for said in ("chat a", "chat b"))
    done = merge(BASE, ours, theirs)
    assert [(c.node, c.what) for c in done.conflicts] == [(builders.ME, "property SOURCE")]
    assert ":SOURCE:" in ours.split("\n")[done.conflicts[0].lines[0] - 1]
    assert "chat b" in merge(BASE, ours, theirs, {builders.ME: "theirs"}).data.decode()


def test_a_title_clashes_as_one_value(merge):
    ours, theirs = (changed(("title: Tried", f"title: {t}")) for t in ("Mine", "Hers"))
    assert [c.what for c in merge(BASE, ours, theirs).conflicts] == ["title"]
    renamed = clean(merge(BASE, ours, changed((":observation:", ":observation:new:"))))
    assert (read_nodes(renamed)[0].title, read_nodes(renamed)[0].tags) == (
        "Mine",
        ("observation", "new"),
    )


def test_history_has_every_entry_once_newest_first(merge):
    book = ":LOGBOOK:\n- Old [2026-01-05]\n:END:\n\n"
    base = changed(("First", book + "First"))
    ours = changed((":LOGBOOK:\n", ":LOGBOOK:\n- Mine [2026-02-05]\n"), text=base)
    theirs = changed((":LOGBOOK:\n", ":LOGBOOK:\n- Hers [2026-03-05]\n"), text=base)
    text = clean(merge(base, ours, theirs))
    assert (
        ":LOGBOOK:\n- Hers [2026-03-05]\n- Mine [2026-02-05]\n- Old [2026-01-05]\n:END:\n\nFirst"
        in text
    )


def test_both_append_and_both_are_kept_apart(merge):
    text = clean(merge(BASE, BASE + "\nMine.\n", BASE + "\nHers.\n"))
    assert text == BASE + "\nHers.\n\nMine.\n"


def test_equal_additions_stand_once(merge):
    one = BASE + "\nShared.\n"
    assert clean(merge(BASE, one, one + "\nMore.\n")) == one + "\nMore.\n"
    text = clean(merge(BASE, one + "\nMine.\n", one + "\nHers.\n"))
    assert text == one + "\nHers.\n\nMine.\n"


def test_the_same_lines_changed_clash_with_their_numbers(merge):
    ours, theirs = changed(("Second.", "Two.")), changed(("Second.", "Zwei."))
    (conflict,) = merge(BASE, ours, theirs).conflicts
    assert (conflict.node, conflict.what) == (builders.ME, "body")
    assert ours.split("\n")[conflict.lines[0] - 1] == "Two."
    assert conflict.lines[0] == conflict.lines[1]


def test_lines_added_inside_a_block_of_code_clash(merge):
    code = "#+begin_src sh\nset -e\n#+end_src\n"
    base = changed(("Second.\n", code))
    ours, theirs = (changed(("set -e\n", f"set -e\n{x}\n"), text=base) for x in ("rm a", "cp a b"))
    assert [c.what for c in merge(base, ours, theirs).conflicts] == ["body"]


PART = f"* Part\n:PROPERTIES:\n:ID: {OTHER}\n:END:\nWords of the part.\n"


def test_nodes_of_one_file_are_merged_one_by_one(merge):
    base = BASE + PART
    ours = changed(("First.", "Mine."), text=base)
    theirs = changed(("* Part", "* Part :tag:"), ("Words of", "Other words of"), text=base)
    text = clean(merge(base, ours, theirs))
    assert "Mine." in text
    assert "* Part :tag:\n" in text
    assert "Other words of" in text


def test_parts_added_by_both_are_both_kept(merge):
    theirs = BASE + PART.replace(OTHER, builders.TWO).replace("Part", "Second part")
    assert [n.id for n in read_nodes(clean(merge(BASE, BASE + PART, theirs)))] == [
        builders.ME, OTHER, builders.TWO
    ]  # fmt: skip


def test_an_edit_against_a_delete_clashes(merge):
    base = BASE + PART
    theirs = changed(("Words of", "Other words of"), text=base)
    (conflict,) = merge(base, BASE, theirs).conflicts
    assert (conflict.node, conflict.what) == (OTHER, "deleted")
    assert clean(merge(base, BASE, theirs, {OTHER: "ours"})) == BASE
    assert clean(merge(base, BASE, theirs, {OTHER: "theirs"})) == theirs
    assert clean(merge(base, BASE, theirs, {OTHER: "both"})) == theirs
    assert clean(merge(base, BASE, base)) == BASE


def test_the_same_id_made_twice_clashes(merge):
    (conflict,) = merge(None, BASE, changed(("First", "Other"))).conflicts
    assert (conflict.node, conflict.what) == (builders.ME, "made twice")
    assert clean(merge(None, BASE, BASE)) == BASE


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_are_kept(merge, end, mark):
    base, ours, theirs = (
        mark + text.replace("\n", end)
        for text in (BASE, changed(("First.", "Mine.")), changed(("Third.", "Hers.")))
    )
    expected = changed(("First.", "Mine."), ("Third.", "Hers."))
    assert clean(merge(base, ours, theirs)) == mark + expected.replace("\n", end)


def test_a_last_line_without_an_end_is_not_glued_to_what_follows(merge):
    bare = BASE.removesuffix("\n")
    assert (
        clean(merge(BASE, bare + "\n\nMine.", BASE + "\nHers.\n")).count("\n\nHers.\n\nMine.") == 1
    )


def test_what_looks_like_a_mark_is_text(merge):
    base = changed(("Second.", "<<<<<<< a\n=======\n>>>>>>> b"))
    text = clean(
        merge(base, changed(("First", "Mine"), text=base), changed(("Third", "Hers"), text=base))
    )
    assert "<<<<<<< a\n=======\n>>>>>>> b" in text
    assert list(read_pieces("<<<<<<< a\n", 9)) == ["<<<<<<< a\n"]


def test_what_is_no_text_clashes_as_a_whole(merge):
    merger = text_merger(Git("/", {"PATH": os.environ["PATH"]}))
    done = merge_file(
        BASE.encode(), BASE.encode() + b"\xff\n", BASE.encode() + b"\nHers.\n", merger
    )
    assert [c.what for c in done.conflicts] == ["file"]
