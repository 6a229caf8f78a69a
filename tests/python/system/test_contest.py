"""Contradictions: marked by an agent, and shown first."""

from __future__ import annotations

import re

import pytest
from world import ALPHA, BETA, note

GAMMA = "cccccccc-3333-4333-8333-333333333333"
DELTA = "dddddddd-4444-4444-8444-444444444444"
WHY = "One forbids what the other wants"
DECIDED = ("--decided-by", "Craig", "--because", "it is better so")


def drawer(text, key, node_id=None):
    """A property's value, of a file or of the heading with the id."""
    if node_id:
        text = text[text.index(f":ID:       {node_id}") :]
    text = text[: text.index(":END:")]
    found = re.search(rf"^:{key}: *(.*)$", text, re.MULTILINE)
    return found and found.group(1)


def contested_rows(world):
    """The first table of the index as rows of cells."""
    text = world.at_head("index.org")
    section = text[text.index("* Contested") :].split("\n* ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def contest(world, *nodes, why=WHY):
    return world.ok("contest", *nodes, "--why", why)


def add_third(world):
    world.write("gamma.org", note("Gamma", GAMMA, "principle", body="Rain falls on the plain."))
    world.ok("commit")


def statuses(world):
    found = {}
    for path in ("alpha.org", "beta.org", "gamma.org"):
        if text := world.at_head(path):
            found[path[:-4]] = drawer(text, "STATUS")
    return found


def test_contest_marks_both_in_one_commit_and_both_stand_first_in_the_index(world):
    before = world.head()
    ran = world.ok("contest", ALPHA[:8], "Beta", "--why", WHY, "--by", "an agent", "--json")
    assert world.git("rev-parse", "HEAD^").strip() == before
    assert set(world.git("show", "--name-only", "--format=", "HEAD").split()) == {
        "alpha.org", "beta.org", "index.org"
    }  # fmt: skip
    assert [row[:2] for row in contested_rows(world)] == [
        ["Alpha", f"aaaaaaaa against bbbbbbbb: {WHY}"],
        ["Beta", f"bbbbbbbb against aaaaaaaa: {WHY}"],
    ]
    alpha = world.at_head("alpha.org")
    today = drawer(alpha, "UPDATED")
    entry = f"{today} by an agent against [[id:{BETA}][Beta]]: {WHY}"
    assert drawer(alpha, "CONTESTED") == entry
    log = (
        f":LOGBOOK:\n- Contested [{today}] by an agent against [[id:{BETA}][Beta]]: {WHY}\n:END:\n"
    )
    assert log in alpha
    assert alpha.endswith("\n\nThe first of two.\n")
    assert drawer(world.at_head("beta.org"), "CONTESTED").endswith(f"[[id:{ALPHA}][Alpha]]: {WHY}")
    answer = ran.json
    assert (answer["ok"], answer["changed"], answer["why"]) == (True, True, WHY)
    assert answer["contested"] == [
        {"id": ALPHA, "title": "Alpha", "path": "alpha.org"},
        {"id": BETA, "title": "Beta", "path": "beta.org"},
    ]
    assert answer["commit"] == world.head()
    assert "an agent" in world.git("log", "-1", "--format=%B")
    world.assert_sound()


def test_the_summary_stays_what_the_body_says(world):
    contest(world, ALPHA, BETA)
    found = world.ok("find", "alpha", "--json").json["nodes"]
    assert [n["summary"] for n in found if n["id"] == ALPHA] == ["The first of two."]


def test_one_node_can_be_contested_alone_and_status_says_why(world):
    contest(world, ALPHA, why="The user said the opposite")
    assert [row[:2] for row in contested_rows(world)] == [
        ["Alpha", "aaaaaaaa: The user said the opposite"]
    ]
    assert "contested aaaaaaaa Alpha (The user said the opposite)" in world.ok("status").out
    world.ok("resolve", ALPHA, "--keep", *DECIDED)
    assert statuses(world) == {"alpha": "current", "beta": "current"}


def test_the_same_conflict_again_changes_nothing_and_another_reason_is_added(world):
    contest(world, ALPHA, BETA)
    ran = world.refused("contest", BETA, ALPHA, "--why", WHY, code=0)
    assert "already so" in ran.out
    contest(world, ALPHA, BETA, why="And there is more")
    alpha = world.at_head("alpha.org")
    assert alpha.count(":CONTESTED") == 2
    assert f"{WHY}; against bbbbbbbb: And there is more" in contested_rows(world)[0][1]
    world.assert_sound()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((ALPHA, ALPHA, "--why", "x"), "cannot contradict itself"),
        ((ALPHA, BETA, "README.org", "--why", "x"), "one node or two"),
        ((ALPHA, BETA), "--why"),
        ((ALPHA, BETA, "--why", " "), "--why must not be empty"),
        ((ALPHA, BETA, "--why", "a\nb"), "one line"),
    ],
)
def test_contest_wrongly_called_is_2(world, words, sentence):
    assert sentence in world.refused("contest", *words, code=2).err


def test_contest_of_nothing_and_of_what_is_superseded_is_refused(world):
    assert "no node is called" in world.refused("contest", ALPHA, "nobody", "--why", "x").err
    world.ok("edit", BETA, "--status", "superseded")
    ran = world.refused("contest", ALPHA, BETA, "--why", "x")
    assert "'Beta' is superseded" in ran.err


def test_a_reason_that_would_run_something_is_refused(world):
    ran = world.refused("contest", ALPHA, BETA, "--why", "[[elisp:(delete-file)][x]]")
    assert "code-link" in ran.err


def test_nodes_that_are_headings_of_one_file(world):
    text = note("Two sides", GAMMA, body="Both below.") + (
        f"* Left :git:\n:PROPERTIES:\n:ID:       {DELTA}\n:END:\nLeft words.\n"
        "* Right\n:PROPERTIES:\n:ID:       eeeeeeee-5555-4555-8555-555555555555\n:END:\nRight.\n"
    )
    world.write("sides.org", text)
    world.ok("commit")
    contest(world, DELTA, "eeeeeeee")
    assert [row[0] for row in contested_rows(world)] == ["Left", "Right"]
    world.ok("resolve", "eeeeeeee", "--keep", *DECIDED)
    at_head = world.at_head("sides.org")
    assert drawer(at_head, "STATUS", DELTA) == "superseded"
    assert drawer(at_head, "STATUS", "eeeeeeee") == "current"
    assert drawer(at_head, "STATUS") == "current"
    assert at_head.count("words.\n") == 1
    assert at_head.index(":LOGBOOK:") > at_head.index("* Left")
    world.assert_sound()


def test_line_ends_of_a_file_are_kept(world):
    world.write("crlf.org", note("Crlf", GAMMA).replace("\n", "\r\n").encode())
    world.ok("commit")
    contest(world, GAMMA, ALPHA)
    data = (world.store / "crlf.org").read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")


def test_two_agents_contest_at_once_and_both_are_heard(world):
    started = [
        world.start("contest", ALPHA, BETA, "--why", f"Reason {n}", "--by", f"agent {n}")
        for n in (1, 2)
    ]
    assert [world.end(process).code for process in started] == [0, 0]
    alpha, beta = world.at_head("alpha.org"), world.at_head("beta.org")
    for n in (1, 2):
        assert f"by agent {n} against [[id:{BETA}][Beta]]: Reason {n}\n" in alpha
        assert f"by agent {n} against [[id:{ALPHA}][Alpha]]: Reason {n}\n" in beta
    world.assert_sound()


def test_emacs_reads_the_conflict_as_links_in_both_directions(world):
    contest(world, ALPHA, BETA)
    ran = world.ok("backlinks", BETA, "--json")
    assert {row["id"] for row in ran.json["backlinks"]} == {ALPHA}
