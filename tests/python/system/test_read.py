"""``show``, ``links``, ``backlinks``, ``find``, ``check``: what an agent reads with."""

from __future__ import annotations

import re

import pytest
from world import ALPHA, BETA, note

GAMMA = "99999999-1111-4111-8111-111111111111"
PARTS = note("Parts", GAMMA, body=f"Top [[id:{ALPHA}]].") + (
    "* One\n:PROPERTIES:\n:ID: 99999999-2222-4111-8111-111111111111\n:END:\n"
    f"In one: [[id:{BETA}][beta]].\n#+begin_src org\n[[id:{ALPHA}]]\n#+end_src\n* Two\nplain\n"
)


@pytest.fixture
def parts(world):
    world.write("parts.org", PARTS)
    world.write("raw/capture.org", note("Raw", body=f"[[id:{ALPHA}]]"))
    world.ok("commit")
    return world


def test_show_prints_a_file_as_it_is_and_a_heading_node_alone(parts):
    assert parts.ok("show", "Parts").out == (parts.store / "parts.org").read_text()
    one = parts.ok("show", "99999999-2222").out
    assert one.startswith("* One\n")
    assert "* Two" not in one


def test_show_json(world):
    answer = world.ok("show", "alpha.org", "--json").json
    assert {k: answer[k] for k in ("ok", "id", "title", "path", "line", "tags", "status")} == {
        "ok": True, "id": ALPHA, "title": "Alpha", "path": "alpha.org", "line": 1,
        "tags": ["principle"], "status": "current",
    }  # fmt: skip
    assert answer["text"] == (world.store / "alpha.org").read_text()


def test_show_makes_terminal_commands_visible(world):
    world.write("evil.org", note("Evil", GAMMA, body="a \x1b[31m b"))
    assert "\x1b" not in world.ok("show", "Evil").out


def test_links_lists_what_a_node_links_to_and_what_is_gone(parts):
    assert parts.ok("links", "99999999-2222").out == f"parts.org:17 {BETA} Beta\n"
    parts.write("half.org", note("Half", body="[[id:88888888-1111-4111-8111-111111111111]]"))
    assert "(no such node)" in parts.ok("links", "Half").out
    answer = parts.ok("links", GAMMA, "--json").json
    assert answer["links"] == [{"id": ALPHA, "title": "Alpha", "path": "alpha.org", "line": 12}]


def test_backlinks_tells_file_line_and_title_and_skips_blocks_captures_and_the_index(parts):
    expected = [
        {"path": "beta.org", "line": 12, "id": BETA, "title": "Beta"},
        {"path": "parts.org", "line": 12, "id": GAMMA, "title": "Parts"},
    ]
    assert parts.ok("backlinks", ALPHA, "--json").json["backlinks"] == expected
    assert parts.ok("backlinks", "Alpha").out == (
        "beta.org:12 bbbbbbbb Beta\nparts.org:12 99999999 Parts\n"
    )


@pytest.mark.parametrize(
    "script", ["missing", "exit 2", "kill -9 $$", "echo nonsense >&2; exit 127"]
)
def test_backlinks_are_the_same_without_a_working_ripgrep(parts, script):
    expected = parts.ok("backlinks", ALPHA).out
    env = {"PATH": parts.path_without("rg")} if script == "missing" else None
    if script != "missing":
        parts.fake("rg", script)
    assert parts.ok("backlinks", ALPHA, env=env).out == expected
    (parts.store / "alpha.org").unlink()
    assert "still-linked" in parts.refused("commit", "alpha.org", env=env).err


def test_backlinks_are_always_of_the_files_as_they_are(world):
    world.write("half.org", note("Half", GAMMA, body=f"[[id:{BETA}]]"))
    assert world.ok("backlinks", BETA).out == "half.org:12 99999999 Half\n"
    (world.store / "half.org").unlink()
    assert world.ok("backlinks", BETA).out == ""


def test_find_gives_the_best_first_and_says_when_nothing_is_found(world):
    world.ok("edit", BETA, "--body-file", "-", "--reason", "shorter", stdin="Words.\n")
    world.new("Other", body="Alpha stands in the body.")
    lines = world.ok("find", "alpha").out.splitlines()
    assert lines[0].startswith("aaaaaaaa Alpha - The first of two.")
    assert lines[1].endswith("Other - Alpha stands in the body.")
    ran = world.ok("find", "nowhere")
    assert ran.out == ""
    assert "nothing found" in ran.err


def test_find_filters_by_type_tag_project_and_status(world):
    world.ok(
        "new", "--type", "procedure", "--title", "Ship it", "--tag", "git", "--project", "emacs"
    )
    world.ok("edit", ALPHA, "--status", "superseded")

    def titles(*words):
        return [node["title"] for node in world.ok("find", *words, "--json").json["nodes"]]

    assert titles("--tag", "git") == ["Ship it"]
    assert titles("--project", "emacs") == ["Ship it"]
    assert set(titles("--type", "procedure")) == {"Beta", "Ship it"}
    assert titles("first", "two") == []
    assert titles("first", "two", "--status", "superseded") == ["Alpha"]
    assert len(titles("--limit", "2")) == 2


def test_find_sees_a_file_as_soon_as_it_is_there(world):
    world.ok("find", "anything")
    world.write("half.org", note("Fresh words", GAMMA))
    assert "Fresh words" in world.ok("find", "fresh").out
    (world.store / "half.org").unlink()
    assert world.ok("find", "fresh").out == ""


def test_check_says_file_line_code_and_cure_and_changes_nothing(world):
    world.write("bad.org", note("Bad") + "#+begin_src\n")
    for words in ((), ("bad.org",), (world.store / "bad.org",), ("--all",)):
        ran = world.refused("check", *words)
        assert re.search(r"^bad\.org:13: error unclosed-block .+$", ran.out, re.MULTILINE)
        assert "2 errors, 0 warnings" in ran.err
    answer = world.refused("check", "--json").json
    assert (answer["ok"], answer["errors"]) == (False, 2)
    assert set(answer["findings"][0]) == {"path", "line", "severity", "code", "message"}
    assert world.ok("check", "alpha.org").out == ""


def test_check_takes_a_file_outside_of_the_store(world):
    (world.project / "x.org").write_text(note("X") + "#+begin_src\n")
    assert "x.org:13: error unclosed-block" in world.refused("check", "x.org").out


def test_check_with_words_that_exclude_each_other_is_a_usage_error(world):
    world.refused("check", "--all", "--staged", code=2)
    world.refused("check", "nosuch.org", code=2)


def test_a_broken_node_of_somebody_else_is_reported_and_stops_nobody(world):
    world.write("bad.org", "no drawer\n")
    world.new("Fine")
    assert "bad.org:1: error" in world.refused("check", "--all").out
