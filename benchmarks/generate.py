"""Made-up stores of any size: nodes of some 2 KB that link to each other, the same for a seed."""

from __future__ import annotations

import random
import subprocess
import uuid
from pathlib import Path

WORDS = tuple(
    "alpha beta gamma commit index note memory agent lesson rebase hook emacs buffer window frame "
    "server client socket timeout retry backoff cache stale lock writer reader node graph link "
    "title summary body text table parser lexer token branch merge conflict remote push pull fetch "
    "clone tag release deploy rollback metric trace budget limit queue worker process signal".split()
)
TYPES = ("principle", "preference", "procedure", "observation", "reference")


def node(number: int, ids: list[str], chance: random.Random) -> tuple[str, str]:
    """A node's file name and text."""
    words = [chance.choice(WORDS) for _ in range(5)]
    month, day = number % 12 + 1, number % 28 + 1
    body = "\n\n".join(
        f"{' '.join(chance.choice(WORDS) for _ in range(55)).capitalize()}. "
        f"See [[id:{chance.choice(ids)}][{chance.choice(WORDS)}]]."
        for _ in range(4)
    )
    text = (
        f":PROPERTIES:\n:ID:       {ids[number]}\n"
        f":PROJECTS: :{chance.choice(('general', 'emacs', 'deepsat'))}:\n"
        f":CREATED:  2026-{month:02d}-{day:02d}\n:UPDATED:  2026-{month:02d}-{day:02d}\n"
        f":SOURCE:   chat 2026-{month:02d}-{day:02d}\n:STATUS:   current\n:END:\n"
        f"#+title: {' '.join(words).capitalize()} {number}\n"
        f"#+filetags: :{chance.choice(TYPES)}:{words[0]}:\n\n{body}\n"
    )
    return f"2026{month:02d}{day:02d}{number:06d}-{words[0]}-{words[1]}.org", text


def fill(store: Path, count: int, seed: int = 1) -> list[str]:
    """Write *count* nodes into a directory; returns their ids."""
    chance = random.Random(seed)
    ids = [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(count)]
    for number in range(count):
        name, text = node(number, ids, chance)
        (store / name).write_text(text, encoding="utf-8")
    return ids


def commit_all(store: Path) -> None:
    """Put everything that lies in a store into its repository, by plain git."""
    for words in (["add", "-A"], ["commit", "--quiet", "--no-verify", "-m", "fill"]):
        subprocess.run(["git", "-C", str(store), *words], check=True)
