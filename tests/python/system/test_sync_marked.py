"""Markers of a conflict that somebody committed by hand: no push takes them away."""

from __future__ import annotations

from machines import edit, offline
from world import ALPHA

OLD = "The first of two."
MARKED = "<<<<<<< HEAD\nOne says this.\n=======\nTwo says that.\n>>>>>>> 1a2b3c4d\n"


def commit_marked(world, path="alpha.org"):
    """As a person does after a ``git pull`` that clashed, where no hook is."""
    text = world.at_head(path)
    world.write(path, text.replace(f"{OLD}\n", MARKED))
    world.git("commit", "-q", "--no-verify", "-am", "merged")
    return text


def tip(world):
    return world.git("rev-parse", "main", cwd=world.root.parent / "m0/backup.git").strip()


def test_they_refuse_every_push_with_file_line_and_the_way_out(pair):
    _, two = pair
    before = tip(two)
    text = commit_marked(two)
    line = two.at_head("alpha.org").split("\n").index("<<<<<<< HEAD") + 1
    for command in ("sync", "push"):
        ran = two.run(command, "--json")
        assert (ran.code, ran.json["ok"], ran.json["pushed"]) == (1, False, False)
        detail = ran.json["push_detail"]
        assert f"alpha.org:{line} holds the markers of a conflict" in detail
        assert "`ai-kb commit`, then `ai-kb sync`" in detail
    assert "alpha.org:" in two.ok("new", "--type", "reference", "--title", "T").err
    assert tip(two) == before
    two.write("alpha.org", text.replace(OLD, "Both say it."))
    two.ok("commit")
    two.ok("sync")
    assert tip(two) == two.head()


def test_what_the_remote_has_already_is_told_and_hinders_nobody(pair):
    one, two = pair
    commit_marked(one)
    one.git("push", "-q", "origin", "main")
    two.new("Of two", env=offline(two))
    two.ok("sync")
    edit(two, "beta.org", "first.", "first of all.")
    two.write("alpha.org", two.at_head("alpha.org") + "\nMore.\n")
    two.git("commit", "-q", "--no-verify", "-am", "more")
    two.ok("sync")
    assert tip(two) == two.head()


def test_what_another_branch_of_the_remote_has_is_not_ours_either(pair):
    one, two = pair
    commit_marked(one)
    one.git("push", "-q", "origin", "main")
    two.ok("sync")
    two.git("checkout", "-q", "-b", "side")
    two.ok("sync")
    assert two.git("rev-parse", "side", cwd=two.root.parent / "m0/backup.git").strip() == two.head()


def test_markers_that_came_and_went_again_hinder_nobody(pair):
    _, two = pair
    text = commit_marked(two)
    two.write("alpha.org", text)
    two.git("commit", "-q", "--no-verify", "-am", "mended")
    two.ok("sync")


def test_what_is_no_note_may_hold_what_looks_like_them(pair):
    _, two = pair
    two.write("raw/page.org", MARKED)
    two.git("add", "raw/page.org")
    two.git("commit", "-q", "--no-verify", "-m", "a page about git")
    two.ok("sync")


def test_the_write_path_looks_at_nothing_for_what_it_made(pair):
    _, two = pair
    two.fake("git", f'echo "$*" >> {two.root}/calls; exec $REAL "$@"')
    two.ok("edit", ALPHA, "--add-tag", "x")
    assert "diff-tree" not in (two.root / "calls").read_text()
