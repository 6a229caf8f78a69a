"""``ai-kb edit``: exactly what is named, and every other byte as it was."""

from __future__ import annotations

import time

import pytest
from world import ALPHA, BETA, note

ODD = (
    "# a comment above\n:PROPERTIES:\n:ID: {id}\n:header: x\n:PROJECTS: :general:\n"
    ":CREATED: 2026-01-02\n:UPDATED: 2026-01-02\n:SOURCE: a  b \n:STATUS: current\n:END:\n"
    "#+TITLE:   Odd   one\n#+filetags:  :reference:x:\n#+startup: overview\n\n\n"
    "Body  with\ttab and trailing  \n** deep\n"
).replace("# a comment above\n", "")


def test_edit_changes_the_named_thing_and_the_date_and_no_other_byte(world):
    text = ODD.format(id="dddddddd-1111-4111-8111-111111111111")
    world.write("odd.org", text)
    world.ok("commit")
    world.ok("edit", "dddddddd", "--add-tag", "new")
    today = time.strftime("%Y-%m-%d")
    expected = text.replace(":reference:x:", ":reference:x:new:").replace(
        ":UPDATED: 2026-01-02", f":UPDATED: {today}"
    )
    assert world.at_head("odd.org") == expected
    world.assert_sound()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--title", "Alpha two"), "#+title: Alpha two\n"),
        (("--add-tag", "git", "--add-tag", "ops"), "#+filetags: :principle:git:ops:\n"),
        (("--add-project", "emacs"), ":PROJECTS: :general: :emacs:\n"),
        (("--source", "https://x.org"), ":SOURCE:   https://x.org\n"),
        (("--status", "contested"), ":STATUS:   contested\n"),
        (("--body-file", "-", "--reason", "better"), "\n\nnew words [[id:" + BETA + "][Beta]]\n"),
        (("--append-file", "-"), "The first of two.\n\nnew words [[id:" + BETA + "][Beta]]\n"),
    ],
)
def test_each_option_of_edit(world, words, expected):
    ran = world.ok("edit", ALPHA, *words, "--json", stdin="new words [[id:bbbbbbbb]]\n")
    assert ran.json["changed"] is True
    assert ran.json["path"] == "alpha.org"
    assert expected in world.at_head("alpha.org")
    assert world.ok("index", "--check").code == 0


def test_edit_removes_tags_and_projects(world):
    world.ok("edit", ALPHA, "--add-tag", "git", "--add-project", "emacs")
    world.ok("edit", ALPHA, "--remove-tag", "git", "--remove-project", "general")
    assert "#+filetags: :principle:\n" in world.at_head("alpha.org")
    assert ":PROJECTS: :emacs:\n" in world.at_head("alpha.org")


def test_edit_that_changes_nothing_commits_nothing(world):
    with world.unchanged():
        assert "(already so)" in world.ok("edit", ALPHA, "--status", "current").out
        assert world.ok("edit", ALPHA, "--title", "Alpha", "--json").json["changed"] is False


def test_edit_takes_a_node_out_of_the_index_when_it_is_superseded_and_lists_it_when_contested(
    world,
):
    world.ok("edit", ALPHA, "--status", "contested")
    assert "| Alpha | aaaaaaaa is contested |" in world.at_head("index.org")
    world.ok("edit", ALPHA, "--status", "superseded")
    assert "aaaaaaaa" not in world.at_head("index.org")


def test_edit_of_a_heading_node_leaves_the_rest_of_the_file(world):
    text = note("File", "eeeeeeee-1111-4111-8111-111111111111") + (
        "* One\n:PROPERTIES:\n:ID: eeeeeeee-2222-4111-8111-111111111111\n:END:\nfirst\n"
        "* Two\n:PROPERTIES:\n:ID: eeeeeeee-3333-4111-8111-111111111111\n:END:\nsecond\n"
    )
    world.write("file.org", text)
    world.ok("commit")
    world.ok("edit", "eeeeeeee-2222", "--append-file", "-", stdin="more\n")
    at_head = world.at_head("file.org")
    before, after = at_head.split("first\n")
    assert text.startswith(before[: before.index("* One")])
    assert after == "\nmore\n" + text[text.index("* Two") :]


@pytest.mark.parametrize("words", [("--body-file", "-", "--reason", "why"), ("--append-file", "-")])
def test_edit_that_would_break_the_node_is_refused(world, words):
    ran = world.refused("edit", ALPHA, *words, stdin="#+begin_quote\n")
    assert "error" in ran.err


@pytest.mark.parametrize(
    "words", [(), ("--title", "a\nb"), ("--status", "dead"), ("--add-tag", "a b"),
              ("--body-file", "-", "--append-file", "-"), ("--body-file", "/nowhere")],
)  # fmt: skip
def test_edit_with_wrong_words_is_a_usage_error(world, words):
    world.refused("edit", ALPHA, *words, code=2)


@pytest.mark.parametrize(
    "name", [ALPHA, "aaaaaaaa", "aaaa", f"id:{ALPHA}", "alpha.org", "./alpha.org", "Alpha", "ALPHA"]
)
def test_a_node_goes_by_id_prefix_path_and_title(world, name):
    cwd = world.store if name.startswith("./") else None
    assert world.ok("show", name, "--json", cwd=cwd).json["id"] == ALPHA


def test_a_node_goes_by_an_absolute_path(world):
    ran = world.ok("edit", world.store / "alpha.org", "--add-tag", "git")
    assert ran.out.split()[0] == ALPHA


@pytest.mark.parametrize(
    "command", [("show",), ("links",), ("backlinks",), ("edit", "--status=current")]
)
def test_an_unknown_node_is_refused_with_what_is_near(world, command):
    ran = world.refused(*command, "Alpa")
    assert "no node is called 'Alpa'" in ran.err
    assert "Near it: Alpha (aaaaaaaa)" in ran.err
    answer = world.refused(*command, "ffffffff", "--json").json
    assert answer["error"]["code"] == "node-not-found"


@pytest.mark.parametrize(
    "command", [("show",), ("links",), ("backlinks",), ("edit", "--status=current")]
)
def test_an_ambiguous_prefix_or_title_is_refused_and_the_candidates_named(world, command):
    world.write("a2.org", note("Alpha", "aaaaaaaa-2222-4111-8111-111111111111"))
    world.ok("commit")
    for name in ("aaaaaaaa", "Alpha"):
        ran = world.refused(*command, name)
        assert f"{ALPHA} (Alpha, alpha.org)" in ran.err
        assert "aaaaaaaa-2222-4111-8111-111111111111 (Alpha, a2.org)" in ran.err
