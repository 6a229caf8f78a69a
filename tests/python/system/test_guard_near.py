"""Before a write: what says nearly the same is refused, what is near it is named."""

# ruff: noqa: RUF001 - letters of other scripts

from __future__ import annotations

import pytest
from world import ALPHA, BETA, note

GAMMA = "cccccccc-3333-4333-8333-333333333333"

SQUASH = (
    "Never squash when you merge a branch. The history then shows who did what, and bisect finds "
    "the commit that broke it."
)
AGAIN = (
    "When merging a branch, never squash. Bisect then finds the commit that broke something, and "
    "the history shows who did what."
)
NEAR_IT = (
    "A branch is squashed by rebase, where each commit is marked in the list. The branch that "
    "others have fetched already is left alone."
)
CHINESE = "合并分支的时候不要压缩提交。历史会显示谁做了什么，二分查找也能找到出错的提交。"
CHINESE_AGAIN = "合并分支时不要压缩提交。二分查找能找到出错的提交，历史会显示谁做了什么。"
THAI = "อย่ารวมคอมมิตเมื่อผสานกิ่ง ประวัติจะแสดงว่าใครทำอะไร และการค้นหาแบบแบ่งครึ่งจะพบคอมมิตที่ทำให้เสีย"
THAI_AGAIN = "เมื่อผสานกิ่ง อย่ารวมคอมมิต การค้นหาแบบแบ่งครึ่งจะพบคอมมิตที่ทำให้เสีย และประวัติจะแสดงว่าใครทำอะไร"
RUSSIAN = (
    "При слиянии ветки не сжимай коммиты: история покажет, кто что сделал, а поиск делением пополам "
    "найдёт тот, что всё сломал."
)
RUSSIAN_AGAIN = (
    "Не сжимай коммиты при слиянии ветки: поиск делением пополам найдёт тот, что всё сломал, а "
    "история покажет, кто что сделал."
)
NEW = ("new", "--type", "preference", "--body-file", "-")


@pytest.fixture
def squash(world):
    """A store in which SQUASH stands; gives its id."""
    return world.new("No squash merges", SQUASH, "preference")


def test_what_says_the_same_is_refused_with_candidates_and_ways_on(world, squash):
    words = (*NEW, "--title", "Merge without squashing")
    ran = world.refused(*words, stdin=AGAIN)
    assert f"near {squash[:8]} No squash merges - Never squash when you merge" in ran.err
    for way in (f"ai-kb edit {squash[:8]}", f"--related {squash[:8]}", "ai-kb contest"):
        assert way in ran.err
    answer = world.refused(*words, "--json", stdin=AGAIN).json
    assert (answer["ok"], answer["error"]["code"]) == (False, "near-duplicate")
    (candidate,) = answer["candidates"]
    assert (candidate["id"], candidate["title"]) == (squash, "No squash merges")
    assert candidate["summary"].startswith("Never squash")


def test_related_links_and_proceeds(world, squash):
    ran = world.ok(*NEW, "--title", "Merge", "--related", squash[:8], "--json", stdin=AGAIN)
    text = world.at_head(ran.json["path"])
    assert text.endswith(f"\n\nRelated: [[id:{squash}][No squash merges]].\n")
    assert ran.json["related"] == []
    world.assert_sound()


def test_related_to_another_node_does_not_let_it_pass(world, squash):
    world.refused(*NEW, "--title", "Merge", "--related", ALPHA, stdin=AGAIN)
    assert "no node is called" in world.refused(*NEW, "--title", "X", "--related", "nobody").err


def test_a_link_that_stands_already_is_not_made_twice(world, squash):
    body = f"{AGAIN} See [[id:{squash[:8]}]]."
    ran = world.ok(*NEW, "--title", "Merge", "--related", squash, stdin=body)
    assert world.at_head(ran.out.split()[1]).count(f"[[id:{squash}]") == 1


def test_what_is_near_is_named_in_words_and_json(world, squash):
    words = (*NEW, "--title", "Squash by rebase", "--tag", "git")
    ran = world.ok(*words, stdin=NEAR_IT)
    assert f"related {squash[:8]} No squash merges" in ran.err
    new_id = ran.out.split()[0]
    assert f"ai-kb edit {new_id[:8]} --related {squash[:8]}" in ran.err
    assert len(ran.out.splitlines()) == 1
    edited = world.ok("edit", new_id, "--append-file", "-", "--json", stdin="And more.\n")
    (found,) = edited.json["related"]
    assert found.keys() == {"id", "title", "summary", "path", "status", "likeness"}
    assert 0 < found["likeness"] < 1
    world.ok("edit", new_id, "--related", squash[:8])
    assert f"Related: [[id:{squash}][No squash merges]].\n" in world.at_head(ran.out.split()[1])
    again = world.ok("edit", new_id, "--append-file", "-", "--json", stdin="And yet more.\n")
    assert again.json["related"] == []


def test_what_is_another_matter_is_let_in_silently(world, squash):
    ran = world.ok(*NEW, "--title", "Cold dough", stdin="Bread rises slower in a cold room.\n")
    assert ran.err == ""


@pytest.mark.parametrize(
    ("title", "body", "again"),
    [
        ("不要压缩合并", CHINESE, CHINESE_AGAIN),
        ("ห้ามรวมคอมมิต", THAI, THAI_AGAIN),
        ("Не сжимай коммиты", RUSSIAN, RUSSIAN_AGAIN),
    ],
)
def test_scripts_of_all_kinds(world, title, body, again):
    first = world.new(title, body)
    ran = world.refused(*NEW, "--title", "Git 3", stdin=again)
    assert f"near {first[:8]}" in ran.err
    world.new("Something else", "Bread rises slower in a cold room; so give it the night.")


def test_the_answer_is_the_same_without_the_cache(world, squash):
    cache = world.home / ".cache"
    for path in sorted(cache.rglob("*.db")):
        path.write_bytes(b"damaged" * 1000)
    ran = world.refused(*NEW, "--title", "Merge", stdin=AGAIN)
    assert f"near {squash[:8]}" in ran.err
    (world.root / "file").touch()
    env = {"XDG_CACHE_HOME": str(world.root / "file")}
    ran = world.refused(*NEW, "--title", "Merge", stdin=AGAIN, env=env)
    assert f"near {squash[:8]}" in ran.err


def test_two_agents_with_the_same_thought_at_once_write_it_once(world):
    started = [world.start(*NEW, "--title", f"Merge {how}") for how in ("now", "so")]
    for process in started:
        process.stdin.write(SQUASH.encode())
        process.stdin.close()
        process.stdin = None
    codes = sorted(world.end(process).code for process in started)
    assert codes == [0, 1]
    world.assert_sound()


def test_what_was_retired_is_not_written_again_unseen(world, squash):
    world.ok("edit", squash, "--status", "superseded")
    ran = world.refused(*NEW, "--title", "Merge", stdin=AGAIN)
    assert "No squash merges (superseded)" in ran.err


def test_heading_nodes_are_candidates(world):
    text = note("Git habits", body="A list.") + (
        "* Never squash\n:PROPERTIES:\n:ID:       dddddddd-4444-4444-8444-444444444444\n:END:\n"
        f"{SQUASH}\n"
    )
    world.write("habits.org", text)
    world.ok("commit")
    assert "near dddddddd" in world.refused(*NEW, "--title", "Merge", stdin=AGAIN).err


# -- edit


def test_an_edit_that_makes_a_node_say_what_another_says_is_refused(world, squash):
    for option in ("--body-file", "--append-file"):
        ran = world.refused("edit", BETA, option, "-", "--reason", "x", stdin=AGAIN)
        assert f"near {squash[:8]}" in ran.err
    world.ok("edit", BETA, "--body-file", "-", "--reason", "x", "--related", squash, stdin=AGAIN)
    text = world.at_head("beta.org")
    assert "did what.\n\nRelated: [[id:" in text
    world.ok("edit", BETA, "--append-file", "-", stdin="What was near stays near.\n")


def test_a_node_is_not_near_itself_nor_to_its_own_headings(world, squash):
    world.ok("edit", squash, "--body-file", "-", "--reason", "order", stdin=AGAIN)


@pytest.mark.parametrize("kind", ["preference", "principle", "procedure"])
def test_a_new_body_for_what_agents_go_by_needs_a_reason_that_is_kept(world, kind):
    node_id = world.new("How it is done", "Slowly, from left to right.", kind)
    words = ("edit", node_id, "--body-file", "-")
    ran = world.refused(*words, code=2, stdin="Quickly, from right to left.\n")
    assert f"a current {kind}: replacing its body needs --reason" in ran.err
    world.ok(*words, "--reason", "the user changed sides", stdin="Quickly, from right to left.\n")
    shown = world.ok("show", node_id).out
    assert ":LOGBOOK:\n- Changed (body) [" in shown
    assert "by ai-kb: the user changed sides\n:END:\n\nQuickly" in shown
    assert "Reason: the user changed sides" in world.git("log", "-1", "--format=%B")
    world.ok("edit", node_id, "--append-file", "-", stdin="And add to it freely.\n")
    world.ok(*words, "--reason", "again", stdin="Neither.\n")
    assert world.ok("show", node_id).out.count("- Changed (body) [") == 2
    world.assert_sound()


def test_a_new_body_elsewhere_needs_no_reason(world):
    node_id = world.new("Seen", "It rained.", "observation")
    world.ok("edit", node_id, "--body-file", "-", stdin="It snowed.\n")
    world.ok("edit", ALPHA, "--status", "superseded")
    world.ok("edit", ALPHA, "--body-file", "-", stdin="Old words.\n")


def test_the_same_body_again_is_no_change(world):
    ran = world.refused(
        "edit", ALPHA, "--body-file", "-", "--reason", "x", code=0, stdin="The first of two.\n"
    )
    assert "already so" in ran.out


def test_a_reason_alone_changes_nothing(world):
    assert "nothing to change" in world.refused("edit", ALPHA, "--reason", "x", code=2).err


def test_a_file_written_by_hand_is_told_what_is_near_and_never_refused(world, squash):
    world.write("again.org", note("Merge without squashing", GAMMA, "preference", body=AGAIN))
    world.write("near.org", note("Squash by rebase", kind="procedure", body=NEAR_IT))
    world.write("other.org", note("Tea", body="Oolong wants water that does not boil any more."))
    answer = world.ok("commit", "--json").json
    assert answer["committed"] == ["again.org", "near.org", "other.org"]
    warned = {(f["path"], f["severity"]) for f in answer["findings"] if f["code"] == "near-node"}
    assert warned == {("again.org", "warning")}
    assert (GAMMA, squash) in {(row["of"], row["id"]) for row in answer["related"]}
    assert "other.org" not in {row["path"] for row in answer["related"]}
    world.write("again.org", (world.store / "again.org").read_text() + "More.\n")
    ran = world.ok("commit")
    assert "near-node" not in ran.err, "it is not new any more"
    world.git("mv", "near.org", "moved.org")
    assert "related" not in world.ok("commit").err


def test_a_refused_file_is_told_nothing_more(world, squash):
    world.write("again.org", note("Merge without squashing", body=f"{AGAIN}\n#+begin_src sh"))
    ran = world.refused("commit", "--json")
    assert ran.json["related"] == []
