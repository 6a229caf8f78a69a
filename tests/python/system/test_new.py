"""``ai-kb new``: a node that cannot be wrong."""

from __future__ import annotations

import re
import time

import pytest
from world import ALPHA, note

BROKEN = "Words.\n#+begin_src sh\nnever closed\n"


def test_new_prints_id_and_path_and_commits_node_and_index_together(world):
    before = world.head()
    ran = world.ok("new", "--type", "principle", "--title", "Name the paths", "--tag", "git")
    node_id, path = ran.out.split()
    today = time.strftime("%Y-%m-%d")
    assert re.fullmatch(r"\d{14}-name-the-paths\.org", path)
    assert world.at_head(path) == (
        f":PROPERTIES:\n:ID:       {node_id}\n:PROJECTS: :general:\n:CREATED:  {today}\n"
        f":UPDATED:  {today}\n:SOURCE:   chat {today}\n:STATUS:   current\n:END:\n"
        "#+title: Name the paths\n#+filetags: :principle:git:\n"
    )
    assert node_id[:8] in world.at_head("index.org")
    assert world.git("rev-list", "--count", f"{before}..HEAD").strip() == "1"
    assert set(world.git("show", "--name-only", "--format=", "HEAD").split()) == {path, "index.org"}
    assert world.git("log", "-1", "--format=%s").strip() == "new: Name the paths"
    world.assert_sound()


def test_new_takes_every_option(world):
    ran = world.ok(
        "new", "--type", "procedure", "--title", "Rotate", "--tag", "key", "--tag", "ops",
        "--project", "deepsat", "--project", "emacs", "--source", "https://example.org/x",
        "--slug", "rotate-the-key", "--body-file", "-", stdin="First.\n\n* Steps\n- one\n",
    )  # fmt: skip
    text = world.at_head("rotate-the-key.org")
    assert ran.out.split()[1] == "rotate-the-key.org"
    assert ":PROJECTS: :deepsat: :emacs:\n" in text
    assert ":SOURCE:   https://example.org/x\n" in text
    assert "#+filetags: :procedure:key:ops:\n\nFirst.\n\n* Steps\n- one\n" in text


def test_new_json_is_one_object_and_words_go_to_stderr(world):
    words = ("new", "--type", "reference", "--title", "Alpha", "--json", "--body-file", "-")
    ran = world.ok(*words, stdin="The letter that opens every Greek dictionary, after an ox.\n")
    answer = ran.json
    assert answer["ok"] is True
    assert answer["commit"] == world.head()
    assert (answer["push"], answer["pushed"]) == ("no-remote", False)
    assert (world.store / answer["path"]).exists()
    assert [f["code"] for f in answer["findings"]] == ["same-title"]


def test_new_reads_the_body_from_a_file_in_the_callers_directory(world):
    (world.project / "body.org").write_text("From a file.\n")
    ran = world.ok("new", "--type", "reference", "--title", "F", "--body-file", "body.org")
    assert world.at_head(ran.out.split()[1]).endswith("\n\nFrom a file.\n")


def test_new_writes_out_short_ids_with_the_targets_title(world):
    world.new("Links", body="See [[id:aaaaaaaa]] and [[id:bbbbbbbb][the second]].")
    path = next(world.store.glob("*-links.org")).name
    assert f"[[id:{ALPHA}][Alpha]]" in world.at_head(path)
    assert "-2222-4222-8222-222222222222][the second]]" in world.at_head(path)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (BROKEN, "unclosed-block"),
        ("See [[id:cccccccc]].", "unknown-short-id"),
        ("See [[id:cccccccc-1111-4111-8111-111111111111]].", "dangling-link"),
        ("#+INCLUDE: \"/etc/passwd\"\n", "keyword-include"),
        ("Bad \x07 bell.", "control-character"),
    ],
)  # fmt: skip
def test_new_with_a_body_that_is_wrong_is_refused_and_names_line_and_cure(world, body, code):
    words = ("new", "--type", "reference", "--title", "Wrong", "--body-file", "-")
    ran = world.refused(*words, stdin=body)
    assert re.search(rf"^standard input:\d+: error {code} .{{10,}}$", ran.err, re.MULTILINE)
    assert "nothing was written" in ran.err
    assert ran.out == ""
    answer = world.refused(*words, "--json", stdin=body).json
    assert answer["ok"] is False
    assert code in [f["code"] for f in answer["findings"]]


def test_new_counts_the_line_in_the_bodys_own_file(world):
    (world.project / "b.org").write_text(f"One.\nTwo.\n\n{BROKEN}")
    ran = world.refused("new", "--type", "reference", "--title", "W", "--body-file", "b.org")
    assert "b.org:5: error unclosed-block" in ran.err


def test_new_with_an_ambiguous_short_id_is_refused(world):
    world.write("c1.org", note("C1", "cccccccc-1111-4111-8111-111111111111"))
    world.write("c2.org", note("C2", "cccccccc-2222-4111-8111-111111111111"))
    world.ok("commit")
    ran = world.refused(
        "new", "--type", "reference", "--title", "L", "--body-file", "-", stdin="[[id:cccccccc]]"
    )
    assert "ambiguous-short-id" in ran.err
    assert "cccccccc-1111" in ran.err


@pytest.mark.parametrize(
    "words",
    [
        ("--type", "opinion", "--title", "T"),
        ("--type", "reference", "--title", "T", "--tag", "two words"),
        ("--type", "reference", "--title", "two\nlines"),
        ("--type", "reference", "--title", "  "),
        ("--type", "reference", "--title", "T", "--project", "a b"),
        ("--type", "reference", "--title", "T", "--slug", "../up"),
        ("--type", "reference", "--title", "T", "--slug", "index"),
        ("--type", "reference", "--title", "T", "--source", "a\nb"),
        ("--type", "reference", "--title", "T", "--body-file", "/nowhere"),
        ("--type", "reference"),
        ("--title", "T"),
    ],
)
def test_new_with_wrong_words_is_a_usage_error(world, words):
    ran = world.refused("new", *words, code=2)
    assert ran.out == ""
    assert ran.err.strip()


def test_new_with_a_body_that_is_not_utf8_is_refused(world):
    words = ("new", "--type", "reference", "--title", "L", "--body-file", "-")
    ran = world.refused(*words, stdin=b"ok\ncaf\xe9\n", code=2)
    assert "line 2" in ran.err


def test_new_with_a_taken_slug_is_refused(world):
    ran = world.refused("new", "--type", "reference", "--title", "T", "--slug", "alpha")
    assert "'alpha.org' exists already" in ran.err


def test_two_nodes_of_one_title_in_one_second_get_two_files(world):
    bodies = "An apple fell from the old tree.", "Ships need water under their keel."
    words = ("new", "--type", "reference", "--title", "Twin", "--body-file", "-")
    paths = {world.ok(*words, stdin=body).out.split()[1] for body in bodies}
    assert len(paths) == 2
    world.assert_sound()


def test_the_stores_own_types_are_taken(world):
    world.settings('types = ["recipe"]\n')
    world.ok("new", "--type", "recipe", "--title", "Bread")
    assert "* Recipes" in world.at_head("index.org")


@pytest.mark.parametrize("title", ["Überschrift für 日本語 ☕", "Право", "100% #1 | [x] *y*"])
def test_titles_of_any_script_land_and_are_found_again(world, title):
    node_id = world.new(title)
    assert world.ok("show", title).out.startswith(":PROPERTIES:")
    assert world.ok("show", node_id[:8], "--json").json["title"] == title
    world.assert_sound()
