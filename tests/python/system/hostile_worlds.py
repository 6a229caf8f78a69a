"""Worlds whose store holds every payload of ``cases/payloads.py``, taken in or come by a pull."""

from __future__ import annotations

import re
import shutil
import unicodedata

from world import ALPHA, BETA, World, note

import builders
from cases import payloads

FILES = payloads.files()
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}|(?:^|\s)[\ufe00-\ufe0f]")


def unseen(text):
    """What in an answer a terminal would obey or nobody sees; not by the program's own table."""
    found = {
        c for c in text
        if c in FILLERS or (unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp", "Cs"} and c not in "\n\t")
    }  # fmt: skip
    return sorted(f"U+{ord(c):04X}" for c in found) + SELECTORS.findall(text)


def assert_harmless(world, ran, words=""):
    """An answer shows nothing that acts, says what it means, and nothing was run."""
    assert ran.code in {0, 1, 2}, f"{words}: {ran}"
    assert "Traceback" not in ran.err, f"{words}: {ran.err}"
    assert unseen(ran.out) == [], f"{words}: {ran.out!r}"
    assert unseen(ran.err) == [], f"{words}: {ran.err!r}"
    if "--json" in words:
        assert isinstance(ran.json, dict)
    assert not (world.root / "canary").exists(), words


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
