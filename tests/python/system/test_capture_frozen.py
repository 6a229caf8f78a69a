"""``raw/`` is append-only, by ``ai-kb commit`` and by plain git; and no node names what is not there."""

from __future__ import annotations

import os

import pytest
from world import ALPHA, note


def _change(world, path):
    (world.store / path).write_text("other\n")


def _delete(world, path):
    (world.store / path).unlink()


def _rename(world, path):
    (world.store / path).rename(world.store / "raw/elsewhere.txt")


def _link(world, path):
    _delete(world, path)
    (world.store / path).symlink_to("/etc/passwd")


WAYS = {"changed": _change, "deleted": _delete, "renamed": _rename, "made a link": _link}


@pytest.fixture
def captured(world):
    """A store with a capture."""
    place = world.project / "a.txt"
    place.write_text("Words.\n")
    world.path = world.ok("capture", place).out.strip()
    return world


@pytest.mark.parametrize("way", WAYS)
def test_commit_refuses_it_and_takes_in_the_rest(captured, way):
    WAYS[way](captured, captured.path)
    captured.write("good.org", note("Good"))
    before = captured.at_head(captured.path)
    ran = captured.run("commit")
    assert ran.code == 1
    assert "capture-changed" in ran.err
    assert captured.at_head(captured.path) == before
    assert captured.at_head("good.org") is not None
    assert captured.at_head("raw/elsewhere.txt") is None
    assert captured.run("check", "--all").code == 1
    assert captured.run("check").code == 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("words", [("commit", "-qam", "x"), ("commit", "-qm", "x")])
def test_plain_git_is_refused_by_the_hook(captured, way, words):
    WAYS[way](captured, captured.path)
    captured.git("add", "-A")
    head = captured.head()
    result = captured.git(*words, check=False)
    assert result.returncode != 0, result.stderr
    assert "capture-changed" in result.stdout + result.stderr
    assert captured.head() == head


def test_the_hook_lets_a_new_capture_in_and_no_link(captured):
    captured.write("raw/new.txt", "More words.\n")
    captured.git("add", "-A")
    captured.git("commit", "-qm", "new")
    os.symlink("/etc/passwd", captured.store / "raw/link.txt")
    captured.git("add", "-A")
    result = captured.git("commit", "-qm", "link", check=False)
    assert "no-plain-file" in result.stdout + result.stderr
    assert result.returncode != 0


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("raw/x.txt", "# Local Variables:\n# eval: (x)\n# End:\n", "file-variables"),
        ("raw/x.org", "#+SETUPFILE: /ssh:h:/x\n", "keyword-setupfile"),
        ("raw/x.org", "[[elisp:(x)][y]]\n", "code-link"),
    ],
)
def test_hand_written_captures_that_an_editor_would_obey_stay_out(world, name, text, code):
    world.write(name, text)
    assert code in world.run("commit").err
    assert world.at_head(name) is None
    assert code in world.run("check", "--all").out
    world.git("add", "-A")
    assert world.git("commit", "-qm", "x", check=False).returncode != 0


def test_a_hand_written_capture_and_its_node_go_in_together(world):
    world.write("raw/by-hand.org", "URL: https://example.org 2026-05-24\n\nAn excerpt.\n")
    world.write("n.org", note("N").replace("chat 2026-01-02", "raw/by-hand.org"))
    world.ok("commit")
    world.assert_sound()


def test_a_node_whose_capture_is_missing_is_refused(world):
    source = ("--source", "raw/nowhere.org")
    ran = world.refused("new", "--type", "reference", "--title", "T", *source)
    assert "missing-source" in ran.err
    assert "missing-source" in world.refused("edit", ALPHA, *source).err
    assert "missing-source" in world.refused("edit", ALPHA, "--source", "raw/../alpha.org").err


def test_a_capture_that_is_not_committed_does_not_count(world):
    world.write("raw/by-hand.org", "An excerpt.\n")
    assert "missing-source" in world.refused("edit", ALPHA, "--source", "raw/by-hand.org").err
    world.write("n.org", note("N").replace("chat 2026-01-02", "raw/by-hand.org"))
    assert "missing-source" in world.run("commit", "n.org").err
    world.git("add", "n.org")
    result = world.git("commit", "-qm", "x", check=False)
    assert "missing-source" in result.stdout + result.stderr


def test_a_refused_capture_takes_its_node_along(world):
    world.write("raw/x.org", "#+SETUPFILE: /x\n")
    world.write("n.org", note("N").replace("chat 2026-01-02", "raw/x.org"))
    ran = world.run("commit")
    assert "missing-source" in ran.err
    assert world.at_head("n.org") is None


def test_check_all_names_a_source_that_went_missing(captured):
    captured.ok("edit", ALPHA, "--source", captured.path)
    captured.git("rm", "-q", captured.path)
    captured.git("commit", "-qm", "x", "--no-verify")
    ran = captured.run("check", "--all")
    assert ran.code == 1
    assert (
        f"alpha.org:6: error missing-source the store has no capture '{captured.path}'" in ran.out
    )
