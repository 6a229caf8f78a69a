"""Several agents at once, and a person beside them: all land, none twice, the index has all."""

from __future__ import annotations

import threading

import pytest
from crowd import crowd
from world import ALPHA, note


@pytest.mark.parametrize(("agents", "writes"), [(2, 3), (8, 1)])
def test_agents_writing_at_once_all_land(world, agents, writes):
    """Eight with 200 writes each: `make test-faults`."""
    crowd(world, agents, writes)


def test_agents_editing_one_node_lose_nothing(world):
    started = [world.start("edit", ALPHA, "--add-tag", f"t{n}") for n in range(5)]
    assert [world.end(process, timeout=120).code for process in started] == [0] * 5
    tags = world.ok("show", ALPHA, "--json").json["tags"]
    assert set(tags) == {"principle", *(f"t{n}" for n in range(5))}
    world.assert_sound()


def test_agents_committing_the_same_files_commit_them_once(world):
    for n in range(4):
        world.write(f"n{n}.org", note(f"Note {n}"))
    started = [world.start("commit") for _ in range(4)]
    assert [world.end(process, timeout=120).code for process in started] == [0] * 4
    assert world.git("log", "--format=%s").splitlines().count("commit: 4 files") == 1
    world.assert_sound()


def test_agents_with_a_remote_all_land_there(backed_up):
    started = [
        backed_up.start("new", "--type", "reference", "--title", f"Agent {n}") for n in range(4)
    ]
    assert [backed_up.end(process, timeout=120).code for process in started] == [0] * 4
    bare = backed_up.root / "backup.git"
    assert backed_up.git("rev-parse", "main", cwd=bare).strip() == backed_up.head()
    backed_up.assert_sound()


def test_a_person_committing_by_hand_meanwhile_and_readers_are_in_nobodys_way(world):
    stop = threading.Event()
    troubles = []

    def person():
        number = 0
        while not stop.is_set():
            number += 1
            world.write(f"hand{number}.org", note(f"Hand {number}"))
            world.git("add", f"hand{number}.org", check=False)
            world.git("commit", "-qm", f"hand {number}", "--", f"hand{number}.org", check=False)
            stop.wait(0.4)

    def reader():
        while not stop.is_set():
            for words in (("find", "agent"), ("status",), ("index", "--type", "reference")):
                ran = world.run(*words)
                if ran.code:
                    troubles.append(ran)

    threads = [threading.Thread(target=person), threading.Thread(target=reader)]
    for thread in threads:
        thread.start()
    landed = []
    for n in range(6):
        ran = world.run("new", "--type", "reference", "--title", f"Agent {n}")
        assert ran.code in (0, 1), ran.err
        if ran.code == 0:
            landed.append(ran.out.split()[0])
    stop.set()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert len(landed) >= 3
    world.ok("commit")
    world.ok("index")
    assert all(node_id[:8] in world.at_head("index.org") for node_id in landed)
    world.assert_sound()
