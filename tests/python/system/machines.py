"""Several machines with one bare remote, for tests of sync."""

from __future__ import annotations

import shutil

from world import World

BODY = "First line.\n\nSecond line.\n\nThird line.\n"


def machines(template, root, count=2):
    """Worlds with the same store and remote, all in step; the first made it."""
    first = World(root / "m0")
    first.store.parent.mkdir(parents=True)
    shutil.copytree(template.store, first.store, symlinks=True)
    first.add_remote()
    bare = first.root / "backup.git"
    others = [World(root / f"m{number}") for number in range(1, count)]
    for other in others:
        other.ok("clone", bare)
    return [first, *others]


def offline(world):
    """Variables under which a command reaches no remote, as on a train."""
    return {"GIT_ALLOW_PROTOCOL": "none"}


def edit(world, path, old, new):
    """Change a committed file by hand and commit it here alone."""
    text = (world.store / path).read_text()
    assert old in text
    world.write(path, text.replace(old, new))
    world.ok("commit", path, env=offline(world))


def assert_in_step(*worlds):
    """All have the same commit, the same files, and a sound store."""
    heads = {world.head() for world in worlds}
    assert len(heads) == 1
    trees = [
        {p.relative_to(w.store): p.read_bytes() for p in w.store.rglob("*")
         if p.is_file() and ".git" not in p.parts and ".ai-kb" not in p.parts}
        for w in worlds
    ]  # fmt: skip
    assert all(tree == trees[0] for tree in trees)
    assert all(world.git("status", "--porcelain") == "" for world in worlds)
    worlds[0].assert_sound()
