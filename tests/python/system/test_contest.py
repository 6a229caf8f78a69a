"""Contradictions: marked by an agent, shown first, decided by a person, settled on both sides."""

from __future__ import annotations

import os
import pty
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


# -- contest


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


# -- resolve


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


def test_emacs_reads_the_conflict_as_links_in_both_directions(world):
    contest(world, ALPHA, BETA)
    ran = world.ok("backlinks", BETA, "--json")
    assert {row["id"] for row in ran.json["backlinks"]} == {ALPHA}
