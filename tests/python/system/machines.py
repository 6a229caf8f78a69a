"""Several machines with one bare remote, for tests of sync."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from world import World

BODY = "First line.\n\nSecond line.\n\nThird line.\n"
_made: list[Path] = []


def machines(template, root, count=2):
    """Worlds with the same store and remote, all in step; the first made it."""
    if not _made:
        _made.append(_make(template, Path(tempfile.mkdtemp())))
    shutil.copytree(_made[0] / "backup.git", root / "m0/backup.git")
    worlds = []
    for number in range(count):
        place = root / f"m{number}/home/.local/share"
        place.mkdir(parents=True)
        shutil.copytree(_made[0] / f"m{min(number, 1)}", place / "ai-kb", symlinks=True)
        worlds.append(World(root / f"m{number}"))
        worlds[-1].git("remote", "set-url", "origin", str(root / "m0/backup.git"))
    return worlds


def _make(template, root):
    """A store with a remote, and a clone of it, from which each test's are copied."""
    first = World(root / "first", root / "m0")
    shutil.copytree(template.store, first.store, symlinks=True)
    first.add_remote()
    (first.root / "backup.git").rename(root / "backup.git")
    World(root / "second", root / "m1").ok("clone", root / "backup.git")
    return root


def bare(world):
    """The remote of all of them."""
    return world.root.parent / "m0/backup.git"


def offline(world):
    """Variables under which a command reaches no remote, as on a train."""
    return {"GIT_ALLOW_PROTOCOL": "none"}


def edit(world, path, old, new):
    """Change a committed file by hand and commit it here alone."""
    text = (world.store / path).read_text()
    assert old in text
    world.write(path, text.replace(old, new))
    world.ok("commit", path, env=offline(world))


def assert_in_step(*worlds, sound=False):
    """All have the same commit and the same files, the index is current; *sound*: all else too."""
    heads = {world.head() for world in worlds}
    assert len(heads) == 1
    trees = [
        {p.relative_to(w.store): p.read_bytes() for p in w.store.rglob("*")
         if p.is_file() and ".git" not in p.parts and ".ai-kb" not in p.parts}
        for w in worlds
    ]  # fmt: skip
    assert all(tree == trees[0] for tree in trees)
    assert all(world.git("status", "--porcelain") == "" for world in worlds)
    worlds[0].ok("index", "--check")
    if sound:
        worlds[0].assert_sound()
