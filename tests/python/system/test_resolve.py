"""Contradictions: decided by a person, and settled on both sides."""

from __future__ import annotations

import os
import pty
import re

import pytest
from test_contest import (
    DECIDED,
    GAMMA,
    add_third,
    contest,
    contested_rows,
    drawer,
    statuses,
)
from world import ALPHA, BETA


def test_keep_supersedes_the_other_side_and_lists_the_links_to_it(world):
    add_third(world)
    world.ok("edit", GAMMA, "--append-file", "-", stdin="See [[id:bbbbbbbb]].\n")
    contest(world, ALPHA, BETA)
    before = world.head()
    ran = world.ok("resolve", ALPHA, "--keep", *DECIDED, "--json")
    assert world.git("rev-parse", "HEAD^").strip() == before
    assert statuses(world) == {"alpha": "current", "beta": "superseded", "gamma": "current"}
    beta = world.at_head("beta.org")
    assert drawer(beta, "SUPERSEDED_BY") == f"[[id:{ALPHA}][Alpha]]"
    assert "CONTESTED:" not in world.at_head("alpha.org") + beta
    assert "decided by Craig: it is better so" in beta
    assert "- Contested [" in beta, "history keeps everything"
    assert f"supersedes [[id:{BETA}][Beta]]" in world.at_head("alpha.org")
    assert contested_rows(world) == []
    assert "Beta" not in world.at_head("index.org")
    answer = ran.json
    assert answer["verdict"] == "kept"
    assert [n["id"] for n in answer["superseded"]] == [BETA]
    assert [n["id"] for n in answer["current"]] == [ALPHA]
    assert answer["contested"] == []
    lines = world.at_head("gamma.org").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "[[id:bbbb" in text)
    assert answer["links"] == [{"path": "gamma.org", "line": line, "id": GAMMA, "target": BETA}]
    message = world.git("log", "-1", "--format=%B")
    assert "ecided by Craig: it is better so" in message
    world.assert_sound()


def test_supersede_by_the_other_side(world):
    contest(world, ALPHA, BETA)
    ran = world.ok("resolve", ALPHA, "--supersede-by", "Beta", *DECIDED)
    assert statuses(world) == {"alpha": "superseded", "beta": "current"}
    assert "superseded aaaaaaaa Alpha" in ran.out
    assert "link beta.org:11 leads to aaaaaaaa" not in ran.out, "the line moved with the history"
    assert re.search(r"link beta\.org:\d+ leads to aaaaaaaa\n", ran.out)
    assert ran.out.count("link ") == 1, "the history's own links are not listed"
    world.assert_sound()


def test_supersede_by_a_third_ends_the_conflict_for_both(world):
    add_third(world)
    contest(world, ALPHA, BETA)
    answer = world.ok("resolve", ALPHA, "--supersede-by", GAMMA, *DECIDED, "--json").json
    assert {node["path"] for node in answer["current"]} == {"beta.org", "gamma.org"}
    assert statuses(world) == {"alpha": "superseded", "beta": "current", "gamma": "current"}
    assert f"supersedes [[id:{ALPHA}][Alpha]]" in world.at_head("gamma.org")
    world.assert_sound()


def test_rewrite_gives_a_new_body_and_keeps_the_history(world):
    contest(world, ALPHA, BETA)
    world.ok(
        "resolve",
        ALPHA,
        "--rewrite-body-file",
        "-",
        *DECIDED,
        stdin="What holds: both, by turns.\n",
    )
    alpha = world.at_head("alpha.org")
    assert alpha.endswith(":END:\n\nWhat holds: both, by turns.\n")
    assert "- Rewritten; supersedes" in alpha
    assert "- Contested [" in alpha
    assert statuses(world) == {"alpha": "current", "beta": "superseded"}
    world.assert_sound()


def test_both_can_hold(world):
    contest(world, ALPHA, BETA)
    world.ok("resolve", ALPHA, "--keep", "--both", *DECIDED)
    assert statuses(world) == {"alpha": "current", "beta": "current"}
    assert f"- Conflict with [[id:{ALPHA}][Alpha]] ended" in world.at_head("beta.org")
    assert contested_rows(world) == []


def test_who_has_another_conflict_stays_contested(world):
    add_third(world)
    contest(world, ALPHA, BETA)
    contest(world, BETA, GAMMA, why="Another thing")
    ran = world.ok("resolve", ALPHA, "--supersede-by", BETA, *DECIDED)
    assert statuses(world) == {"alpha": "superseded", "beta": "contested", "gamma": "contested"}
    assert "still contested bbbbbbbb Beta" in ran.out
    assert [row[0] for row in contested_rows(world)] == ["Beta", "Gamma"]
    world.ok("resolve", BETA, "--supersede-by", GAMMA, *DECIDED)
    assert statuses(world)["gamma"] == "current"
    world.assert_sound()


def test_what_loses_takes_all_its_conflicts_with_it(world):
    add_third(world)
    contest(world, ALPHA, BETA)
    contest(world, BETA, GAMMA, why="Another thing")
    world.ok("resolve", ALPHA, "--keep", *DECIDED)
    assert statuses(world) == {"alpha": "current", "beta": "superseded", "gamma": "current"}
    assert contested_rows(world) == []


def test_a_settled_conflict_can_be_opened_again(world):
    contest(world, ALPHA, BETA)
    world.ok("resolve", ALPHA, "--keep", "--both", *DECIDED)
    contest(world, ALPHA, BETA)
    assert len(contested_rows(world)) == 2
    assert world.at_head("alpha.org").count("- Contested [") == 2


def test_a_mark_without_a_record_can_be_resolved(world):
    world.ok("edit", ALPHA, "--status", "contested")
    assert contested_rows(world)[0][1] == "aaaaaaaa is contested"
    world.ok("resolve", ALPHA, "--keep", *DECIDED)
    assert statuses(world)["alpha"] == "current"


def test_without_a_terminal_a_person_must_be_named(world):
    contest(world, ALPHA, BETA)
    ran = world.refused("resolve", ALPHA, "--keep", "--because", "x", code=2)
    assert "a person decides" in ran.err
    assert "--decided-by" in ran.err
    json_ = world.refused("resolve", ALPHA, "--keep", "--because", "x", "--json", code=2).json
    assert json_["error"]["code"] == "usage"


def test_at_a_terminal_the_person_is_gits_user(world):
    contest(world, ALPHA, BETA)
    world.git("config", "user.name", "Jane Doe")
    ours, theirs = pty.openpty()
    process = world.start("resolve", ALPHA, "--keep", "--because", "x", stdin=theirs)
    os.close(theirs)
    ran = world.end(process)
    os.close(ours)
    assert ran.code == 0, ran.err
    assert "decided by Jane Doe: x" in world.at_head("alpha.org")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--keep",), 2, "--because"),
        (DECIDED, 2, "name one of --keep"),
        (("--keep", "--supersede-by", BETA, *DECIDED), 2, "name one of --keep"),
        (("--both", "--supersede-by", BETA, *DECIDED), 2, "--both contradicts"),
        (("--supersede-by", ALPHA, *DECIDED), 2, "cannot supersede itself"),
        (("--supersede-by", "nobody", *DECIDED), 1, "no node is called"),
        (("--rewrite-body-file", "nowhere.org", *DECIDED), 2, "cannot be read"),
        (("--keep", "--decided-by", " ", "--because", "x"), 2, "--decided-by must not be empty"),
    ],
)
def test_resolve_wrongly_called(world, words, code, sentence):
    contest(world, ALPHA, BETA)
    assert sentence in world.refused("resolve", ALPHA, *words, code=code).err


def test_a_bad_body_is_refused_and_everything_stays_contested(world):
    contest(world, ALPHA, BETA)
    ran = world.refused(
        "resolve", ALPHA, "--rewrite-body-file", "-", *DECIDED, stdin="#+begin_src sh\nls\n"
    )
    assert "unclosed-block" in ran.err


def test_what_is_not_contested_cannot_be_resolved(world):
    assert "'Alpha' is not contested" in world.refused("resolve", ALPHA, "--keep", *DECIDED).err


@pytest.mark.parametrize("words", [("--status", "current"), ("--body-file", "-", "--reason", "x")])
def test_edit_cannot_end_a_conflict(world, words):
    contest(world, ALPHA, BETA)
    ran = world.refused("edit", ALPHA, *words, stdin="The opposite.\n")
    assert "a person decides" in ran.err
    assert "ai-kb resolve aaaaaaaa" in ran.err
    world.ok("edit", ALPHA, "--append-file", "-", stdin="Some evidence.\n")
