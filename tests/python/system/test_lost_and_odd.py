"""What fresh eyes broke: words lost in silence, names and streams that no program expects."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from world import note

SUB = "11111111-2222-4333-8444-555555555555"


def made(world, title="Precious", body="Words that took an hour."):
    return world.ok(
        "new", "--type", "observation", "--title", title, "--body-file", "-", stdin=body
    )


@pytest.mark.parametrize("option", ["--body-file", "--append-file"])
def test_an_edit_with_empty_input_is_refused_and_loses_nothing(world, option):
    made(world)
    ran = world.refused("edit", "Precious", option, "-", stdin="", code=2)
    assert "standard input is empty" in ran.err


def test_a_new_node_from_an_empty_pipe_is_told_of(world):
    made = world.ok("new", "--type", "observation", "--title", "T", "--body-file", "-", stdin="")
    assert "the body is empty" in made.err


def test_endless_input_is_refused_in_bounded_memory(world):
    ran = world.refused(
        "new", "--type", "observation", "--title", "T", "--body-file", "/dev/zero", code=2
    )
    assert "larger than any note" in ran.err or "is empty" in ran.err


def test_a_new_body_that_leaves_out_a_nodes_heading_is_refused(world):
    made(world, body=f"Top.\n\n* Below\n:PROPERTIES:\n:ID:       {SUB}\n:END:\nText.")
    ran = world.refused("edit", "Precious", "--body-file", "-", stdin="Only this.")
    assert SUB in ran.err


def test_commit_without_paths_leaves_a_vanished_file_to_its_name(world):
    made(world)
    path = world.ok("show", "Precious", "--json").json["path"]
    (world.store / path).unlink()
    assert world.ok("commit", "--json").json["committed"] == []
    assert world.git("cat-file", "-t", f"HEAD:{path}") == "blob\n"
    world.ok("commit", path)
    assert world.git("cat-file", "-t", f"HEAD:{path}", check=False).returncode != 0


def test_a_file_name_that_is_no_utf8_stops_no_command(world):
    made(world)
    os.rename(*(os.fsencode(world.store) + b"/" + name for name in (b"README.org", b"bad\xff.org")))
    assert "Precious" in world.ok("find", "Precious").out
    world.ok("status")
    assert world.run("doctor").code in (0, 1)
    found = world.run("check", "--all")
    assert "file-name" in found.out
    assert found.code == 1
    made(world, title="Another", body="Quite another matter, about bread.")


def test_find_says_when_it_cut(world):
    for number in range(3):
        made(world, title=f"Bread {number}", body=f"{['Rye', 'Wheat', 'Spelt'][number]} rises so.")
    ran = world.ok("find", "bread", "--limit", "2")
    assert len(ran.out.splitlines()) == 2
    assert "--limit" in ran.err
    assert world.ok("find", "bread", "--limit", "2", "--json").json["more"] is True
    assert world.ok("find", "bread", "--json").json["more"] is False


def test_find_with_an_unknown_type_names_the_types(world):
    assert "principle" in world.refused("find", "--type", "opinion", code=2).err


def test_an_answer_that_cannot_be_written_is_said_without_a_traceback(world):
    made(world)
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "aikb", "find", "Precious"],
            env=world.env, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 1
    assert "cannot be written" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "text",
    [
        "[[file:/ssh:evil.example:/a.png]]",
        "[[/scp:u@h:/x]]",
        "#+ATTACH: /sudo::/etc/x",
        "/ftp:h:/y",
    ],
)
def test_a_remote_file_name_is_refused(world, text):
    ran = world.refused(
        "new",
        "--type",
        "reference",
        "--title",
        "T",
        "--body-file",
        "-",
        stdin=f"See {text}\n{text}\n",
    )
    assert "remote-file" in ran.err


@pytest.mark.parametrize(
    "text", ["See =/ssh:host:/x= there.", "A path /ssh/config: fine.", "a/ssh:b"]
)
def test_what_only_looks_like_one_is_let_in(world, text):
    world.ok("new", "--type", "reference", "--title", "T", "--body-file", "-", stdin=text)


def test_markdown_is_warned_about(world):
    text = "## Head\n\nSome **bold** and [words](https://example.org/x).\n\n```sh\nls\n```\n"
    ran = world.ok("new", "--type", "reference", "--title", "T", "--body-file", "-", stdin=text)
    assert ran.err.count("warning markdown") == 4


def test_a_printed_index_is_cut_at_the_budget_and_says_so(world):
    world.settings("[index]\nbudget = 2000\n")
    for number in range(12):
        world.write(f"n{number}.org", note(f"Node {number} {'x' * 150}", kind="observation"))
    world.ok("commit")
    cut = world.ok("index", "--type", "observation").out
    whole = world.ok("index", "--type", "observation", "--full").out
    assert "more: --type, --full, or ai-kb find" in cut
    assert len(cut) < len(whole)
    assert "more:" not in whole
