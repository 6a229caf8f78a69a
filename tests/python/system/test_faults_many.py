"""Many writers on one store, and several machines at once: all committed, none twice."""

from __future__ import annotations

import threading

from faults import scaled, unlike
from machines import assert_in_step, machines, offline
from world import ALPHA

WRITERS = scaled(4, 8)
WRITES = scaled(3, 200)


def title(who, number):
    return f"Of {who} number {number} {unlike(f'title {who} {number}')[:15]}"


def test_many_processes_write_to_one_store(world):
    errors = []

    def work(who):
        for number in range(WRITES):
            ran = world.run(
                "new", "--type", "observation", "--title", title(who, number), "--body-file", "-",
                stdin=unlike(f"{who} {number}"), timeout=600,
            )  # fmt: skip
            if ran.code != 0:
                errors.append(ran.err)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    wanted = sorted(f"new: {title(w, n)}" for w in range(WRITERS) for n in range(WRITES))
    subjects = world.git("log", "--format=%s").splitlines()
    assert sorted(s for s in subjects if s.startswith("new: Of")) == wanted
    world.assert_sound()


def test_machines_that_write_and_sync_at_the_same_time_converge(template, tmp_path):
    worlds = machines(template, tmp_path, scaled(3, 4))
    writes = scaled(3, 50)
    refused = []

    def work(who, world):
        for number in range(writes):
            env = offline(world) if number % 3 else None
            words = ("new", "--type", "observation", "--title", title(who, number), "--body-file", "-",
                     "--related", ALPHA) if number % 2 else ("edit", ALPHA, "--append-file", "-")  # fmt: skip
            ran = world.run(
                *words,
                stdin=f"Words {number} of machine {who}.\n\n{unlike(f'{who} {number}')}",
                env=env,
                timeout=600,
            )
            if ran.code:
                refused.append(ran.err)
            world.run("sync", timeout=600)

    threads = [threading.Thread(target=work, args=(w, world)) for w, world in enumerate(worlds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == []
    for world in (*worlds, *worlds):
        world.ok("sync", timeout=600)
    tree = worlds[0].git("grep", "-h", "^Words", "HEAD", "--", "*.org").splitlines()
    wanted = [f"Words {n} of machine {w}." for w in range(len(worlds)) for n in range(writes)]
    assert sorted(tree) == sorted(wanted)
    assert_in_step(*worlds, sound=True)
