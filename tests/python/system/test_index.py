"""``ai-kb index``: generated, committed, filtered, and told whether it is current."""

from __future__ import annotations

from world import ALPHA, BETA, note


def test_index_of_what_is_current_changes_nothing(world):
    with world.unchanged():
        assert world.ok("index").out == "skipping index.org (already current)\n"
        assert world.ok("index", "--json").json["changed"] is False
        assert world.ok("index", "--check").out == "index.org is current\n"


def test_index_after_a_commit_by_hand_is_stale_and_made_current(world):
    world.write("hand.org", note("By hand"))
    world.git("add", "hand.org")
    world.git("commit", "-qm", "by hand")
    ran = world.refused("index", "--check")
    assert ran.out == "not current: index.org\n"
    assert world.refused("index", "--check", "--json").json["stale"] == ["index.org"]
    assert world.ok("index").out == "writing index.org\n"
    assert "By hand" in world.at_head("index.org")
    world.assert_sound()


def test_a_mangled_index_is_made_anew_and_what_stood_there_is_kept(world):
    good = world.at_head("index.org")
    world.write("index.org", "my own words\n")
    ran = world.ok("index")
    assert "page-replaced" in ran.err
    assert (world.store / "index.org").read_text() == good
    kept = list((world.store / ".ai-kb/replaced").iterdir())
    assert [path.read_text() for path in kept] == ["my own words\n"]
    world.assert_sound()


def test_an_edited_or_emptied_or_deleted_index_is_made_anew_with_its_id(world):
    good = world.at_head("index.org")
    for damage in (good.replace("Alpha", "Omega"), "", good[:40], None):
        if damage is None:
            (world.store / "index.org").unlink()
        else:
            world.write("index.org", damage)
        assert world.run("index", "--check").code == 1
        world.ok("index")
        assert (world.store / "index.org").read_text() == good
        assert world.git("status", "--porcelain") == ""


def test_the_next_write_mends_the_index_too(world):
    world.write("index.org", "broken")
    world.new("Next")
    assert "Next" in world.at_head("index.org")
    world.assert_sound()


def test_a_persons_own_file_with_a_pages_name_is_never_written_over(empty):
    empty.store.mkdir(parents=True)
    empty.git("init", "-q", "-b", "main")
    empty.write("index.org", note("My index"))
    empty.git("add", ".")
    empty.git("commit", "-qm", "mine")
    ran = empty.run("init", "--adopt")
    assert ran.code == 1
    assert "'index.org' is no generated page" in ran.out + ran.err
    assert (empty.store / "index.org").read_text().endswith("Some words.\n")


def test_a_filtered_index_is_printed_and_not_written(world):
    world.ok("new", "--type", "procedure", "--title", "Of emacs", "--project", "emacs")
    world.ok("new", "--type", "procedure", "--title", "Of deepsat", "--project", "deepsat")
    with world.unchanged():
        out = world.ok("index", "--project", "emacs").out
        assert "Of emacs" in out
        assert "| Alpha |" in out, "general concerns every project"
        assert "Of deepsat" not in out
        out = world.ok("index", "--type", "principle").out
        assert "Alpha" in out
        assert "Beta" not in out
        answer = world.ok("index", "--project", "deepsat", "--type", "procedure", "--json").json
        rows = answer["sections"]["procedure"]
        assert [row["title"] for row in rows] == ["Beta", "Of deepsat"] or len(rows) == 2
        assert rows[0]["id"].startswith(rows[0]["name"])


def test_index_with_wrong_words_is_a_usage_error(world):
    assert "Types are:" in world.refused("index", "--type", "opinion", code=2).err
    world.refused("index", "--check", "--type", "principle", code=2)


def test_over_the_budget_a_section_gets_its_own_page_and_comes_back(world):
    world.settings("[index]\nbudget = 2000\n")
    for number in range(7):
        world.write(f"n{number}.org", note(f"Node {number}", kind="procedure", body="word " * 40))
    world.ok("commit")
    assert "in index-procedures.org" in world.at_head("index.org")
    assert "Node 3" in world.at_head("index-procedures.org")
    world.assert_sound()
    world.settings("[index]\nbudget = 24000\n")
    world.ok("index")
    assert world.at_head("index-procedures.org") is None
    assert "Node 3" in world.at_head("index.org")
    world.assert_sound()


def test_a_superseded_node_leaves_and_a_contested_one_leads(world):
    world.ok("edit", ALPHA, "--status", "contested")
    world.ok("edit", BETA, "--status", "superseded")
    text = world.at_head("index.org")
    assert text.index("Contested") < text.index("aaaaaaaa is contested") < text.index("* Prin")
    assert "bbbbbbbb" not in text


def test_a_read_only_checkout_can_ask_whether_the_index_is_current(world):
    world.ok("index", "--check", env={"XDG_CACHE_HOME": "/nonexistent/cache"})
