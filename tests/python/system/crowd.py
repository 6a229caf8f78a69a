"""Many agents writing to one store at once: real processes, as many as are asked for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world import World


def at_once(jobs: Sequence[Callable[[], object]]) -> None:
    """Run all jobs at the same time; the first that failed is told."""
    troubles: list[BaseException] = []

    def guard(job: Callable[[], object]) -> None:
        try:
            job()
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=guard, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if troubles:
        raise troubles[0]


def crowd(world: World, agents: int, writes: int) -> None:
    """Each agent makes its nodes, one process after another; then all are looked for."""
    made: list[str] = []

    def agent(number: int) -> None:
        for write in range(writes):
            title = f"Write {1000 * number + write}"
            made.append(world.new(title, f"What agent{number}x{write} saw.", timeout=600))

    before = world.ok("status", "--json").json["nodes"]
    at_once([lambda n=n: agent(n) for n in range(agents)])
    total = agents * writes
    assert len(set(made)) == total
    assert world.ok("status", "--json").json["nodes"] == before + total
    subjects = world.git("log", "--format=%s").splitlines()
    wanted = {f"new: Write {1000 * n + w}" for n in range(agents) for w in range(writes)}
    assert wanted <= set(subjects)
    assert len([s for s in subjects if s in wanted]) == total, "a write is there twice"
    files = world.git("ls-tree", "-r", "--name-only", "HEAD").split()
    notes = world.git("grep", "-h", "^:ID: ", "HEAD", "--", "*.org", ":!index*").split()
    assert len(files) == len(set(files))
    assert all(notes.count(node_id) == 1 for node_id in made)
    index = world.git("grep", "-h", "", "HEAD", "--", "index*.org")
    assert all(index.count(f"| {node_id[:8]}") == 1 for node_id in made)
    world.assert_sound()
