"""Worlds whose store holds every payload of ``cases/payloads.py``, taken in or come by a pull."""

from __future__ import annotations

import shutil

from world import ALPHA, BETA, World, note

import builders
from cases import payloads

FILES = payloads.files()


def here(world, text):
    """A payload whose canary lies in the world."""
    text = text.replace(payloads.CANARY, str(world.root / "canary"))
    for known, ours in ((builders.ONE, ALPHA), (builders.TWO, BETA)):
        text = text.replace(known, ours)
    return text


def copy_of(template, root):
    world = World(root)
    world.store.parent.mkdir(parents=True)
    shutil.copytree(template.store, world.store, symlinks=True)
    for program in ("ssh", "scp", "curl", "wget", "xdg-open", "touch", "latex"):
        world.fake(program, f": > {root}/canary")
    return world


def written(world):
    """Every payload as a file that somebody put into the store."""
    for name, (text, _) in FILES.items():
        place = world.store / name
        place.write_bytes(here(world, text).encode("utf-8", "surrogateescape"))
    return world


def pulled(world):
    """All of it, and files with hostile names, in a commit that no rule has seen."""
    written(world)
    for number, name in enumerate(payloads.NAMES):
        text = note(f"Named {number}", body=f"Words, see [[id:{ALPHA}][alpha]].")
        world.write(name, "words" if name.startswith("raw/") else text)
    world.git("add", "-A")
    world.git("commit", "--no-verify", "-qm", "pulled \x1b[31m\u202e")
    return world
