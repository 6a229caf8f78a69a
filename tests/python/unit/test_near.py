"""What counts as the same and as related: the pure part."""

# ruff: noqa: RUF001 - Chinese sentences have Chinese commas

from __future__ import annotations

import sqlite3

import pytest

from aikb.model import Note
from aikb.rules.near import Postings, Weights, likeness, plain, terms, words_of
from aikb.sources.org_store import OrgStore
from aikb.tools.sqlite import NoteCache
from aikb.writing.guard import find_near

BODY = (
    "Commit named paths only, so that nobody's half-done work goes along. A pathspec limits what "
    "git stages, and what another session left in the tree stays there untouched."
)
EVEN = Weights({}, 100)


def like(a, b, weights=EVEN):
    return likeness(words_of(*a), words_of(*b), weights)


def note(title, summary="", tags=()):
    return Note(
        title[:8], f"{title[:8]}.org", 1, 0, title, tags, (), "current", "", "", "", summary
    )


def test_the_same_words_in_another_order_are_the_same():
    other = ". ".join(reversed(BODY.split(". ")))
    assert like(("Name the paths", (), BODY), ("Paths, named", (), other)).is_duplicate


def test_another_matter_is_not_even_related():
    other = "Bread rises slower in a cold room; give the dough a night in the fridge before baking."
    found = like(("Name the paths", (), BODY), ("Cold dough", (), other))
    assert (found.is_duplicate, found.is_related) == (False, False)


def test_the_same_subject_is_related_and_not_the_same():
    other = (
        "A pathspec can exclude files too. Magic words stand before the pattern, and git stages "
        "everything else of the tree, which helps where generated output is tracked by mistake."
    )
    found = like(("Name the paths", ("git",), BODY), ("Exclude paths", ("git",), other))
    assert (found.is_duplicate, found.is_related) == (False, True)


def test_few_words_prove_nothing_unless_the_titles_are_the_same():
    assert not like(("Node 1", (), "Some words."), ("Node 2", (), "Some words.")).is_duplicate
    assert like(("Node 1", (), "Some words."), ("node 1", (), "Some words.")).is_duplicate


def test_a_short_note_in_a_long_one_is_not_the_same():
    long = BODY + " ".join(f"word{number}" for number in range(400))
    assert not like(("Name the paths", (), BODY), ("Everything on git", (), long)).is_duplicate


def test_rare_words_weigh_more_than_common_ones():
    weights = Weights({"pathspec": 0, "which": 90}, 100)
    assert weights.of("pathspec") > 5 * weights.of("which")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Redis Persistence", ["redis", "persistence"]),
        ("持久化", ["持 久", "久 化"]),
        ("用redis做缓存", ["用", "redis", "做 缓", "缓 存"]),
        ("データ", ["デ ー", "ー タ"]),
        ("ก็ไทย", ["ก ไ", "ไ ท", "ท ย"]),
        ("Café ÉTÉ", ["cafe", "ete"]),
        ("Право на ошибку", ["право", "на", "ошибку"]),
        ("port 8080, snake_case", ["port", "8080", "snake", "case"]),
        ("", []),
    ],
)
def test_terms_of_any_script(text, expected):
    assert list(terms(text)) == expected


def test_chinese_reworded_is_the_same_and_another_subject_is_not():
    body = "Redis 提供了两种持久化方式来支持将数据保存到磁盘，内存快照会损耗性能，也存在数据丢失的可能。"
    other = (
        "内存快照会损耗性能，也存在数据丢失的可能。Redis 有两种持久化方式，支持将数据保存到磁盘。"
    )
    far = "价格控制会造成短缺，因为在限价之下供给者不愿意生产，而需求者愿意购买更多的商品。"
    assert like(("Redis 持久化", (), body), ("Redis 的持久化方式", (), other)).is_duplicate
    assert not like(("Redis 持久化", (), body), ("价格控制", (), far)).is_related


def test_drawers_keywords_and_addresses_say_nothing():
    text = (
        ":LOGBOOK:\n- Contested [2026-01-01] by x: why\n:END:\n#+begin_src sh\nls -l\n#+end_src\n"
        "See [[id:1a2b3c4d][the other]] at https://example.org/some/page.\n"
    )
    assert list(terms(plain(text))) == ["ls", "l", "see", "the", "other", "at"]


def test_postings_give_rows_by_title_tag_and_summary_up_to_a_bound():
    notes = [note("Git paths"), note("Other", summary="about git"), note("Third", tags=("git",))]
    found = Postings(notes)
    assert found.holders(["git", "paths", "nowhere"], 5) == {
        "git": [0, 1, 2], "paths": [0], "nowhere": []
    }  # fmt: skip
    assert found.holders(["git"], 1) == {"git": [0, 1]}
    assert found.places([2, 0]) == [("Third", "Third.org"), ("Git path", "Git path.org")]


def test_a_row_that_is_damaged_makes_the_notes_themselves_answer(tmp_path):
    root = tmp_path / "store"
    root.mkdir()
    (root / "a.org").write_text(f":PROPERTIES:\n:ID: a\n:END:\n#+title: Name the paths\n\n{BODY}\n")
    store = OrgStore(str(root), NoteCache(str(tmp_path / "cache.db")))
    snapshot = store.snapshot()
    draft = words_of("Named paths", (), BODY)
    assert [n.note.id for n in find_near(store, snapshot, draft)] == ["a"]
    with sqlite3.connect(tmp_path / "cache.db") as db:
        db.execute("UPDATE note SET crc = 1")
    assert [n.note.id for n in find_near(store, snapshot, draft)] == ["a"]
    assert [n.note.id for n in find_near(store, snapshot, draft)] == ["a"]


def test_where_all_words_are_common_the_title_finds_its_like(tmp_path):
    root = tmp_path / "store"
    root.mkdir()
    for number in range(60):
        words = ("alpha", "beta", "gamma", "delta")[: 2 + number % 3]
        (root / f"{number}.org").write_text(
            f":PROPERTIES:\n:ID: {number}\n:END:\n#+title: {' '.join(words)}\n\nalpha beta gamma delta\n"
        )
    store = OrgStore(str(root), NoteCache(str(tmp_path / "cache.db")))
    near = find_near(store, store.snapshot(), words_of("Delta gamma beta alpha", (), ""))
    assert near
    assert near[0].note.title == "alpha beta gamma delta"
    assert near[0].likeness.is_related


def test_a_number_in_the_title_tells_two_notes_apart():
    body = "The quick brown fox jumps over the lazy dog while nobody in the yard looks on."
    one, two = words_of("Run 17", (), body), words_of("Run 18", (), body)
    weights = Weights({}, 10)
    assert likeness(one, one, weights).is_duplicate
    assert not likeness(one, two, weights).is_duplicate
    assert likeness(one, two, weights).is_related
