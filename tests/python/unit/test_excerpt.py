"""A conflict shows the few lines in which its versions differ."""

from __future__ import annotations

from aikb.formats.threeway import Piece
from aikb.sync.excerpt import excerpt

BASE = "a\nb\nc\nd\n"


def shown(lines):
    return [line.render() for line in lines]


def test_only_lines_that_clash_are_shown_with_their_numbers_in_each_file():
    ours, theirs = Piece(11, "A\nb\nC\nd\n"), Piece(1, "a\nb\nnew\nsee\nd\n")
    found = excerpt(Piece(1, BASE), ours, theirs, [(13, 13)])
    assert shown(found) == ["  ours     13 | C", "  theirs    3 | new", "  theirs    4 | see"]


def test_lines_that_do_not_meet_what_clashes_are_shown_where_no_others_do():
    found = excerpt(None, Piece(1, "x\nb\n"), Piece(1, "y\nb\n"), [(9, 9)])
    assert shown(found) == ["  ours      1 | x", "  theirs    1 | y"]


def test_what_one_side_has_no_more_shows_what_the_other_changed():
    assert shown(excerpt(Piece(1, BASE), None, Piece(5, "a\nB\nc\nd\n"), ())) == [
        "  theirs    6 | B"
    ]
    assert excerpt(None, None, None, ()) == ()


def test_long_lines_and_many_of_them_are_cut():
    many = "".join(f"{n} {'x' * 200}\n" for n in range(1000))
    found = excerpt(Piece(1, ""), Piece(1, many), Piece(1, "end\n"), ())
    assert [line.side for line in found] == ["ours"] * 7 + ["theirs"]
    assert found[5].text.endswith("x…")
    assert len(found[5].text) == 100
    assert found[6].render() == "  ours        | … and 994 more"
