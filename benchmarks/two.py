"""Two machines and their remote: what one has to merge, made anew for each turn."""

from __future__ import annotations

import itertools
import random
import uuid
from pathlib import Path

from generate import node
from measure import run

_WHO = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")


class TwoMachines:
    """``ours`` syncs by ai-kb, ``plain`` by git alone, and ``other`` pushes before either."""

    def __init__(self, store: Path, env: dict[str, str], ids: list[str], work: Path) -> None:
        self.env = env
        self.ids = ids
        self.bare = work / "remote.git"
        self.ours, self.plain, self.other = (work / name for name in ("ours", "plain", "other"))
        self._count = itertools.count(900_000)
        self._chance = random.Random(7)
        run(["git", "clone", "--quiet", "--bare", str(store), str(self.bare)], env)
        for clone in (self.ours, self.plain, self.other):
            run(["git", "clone", "--quiet", str(self.bare), str(clone)], env)

    def git(self, clone: Path, *words: str) -> None:
        """Plain git in one of the clones."""
        run(["git", *_WHO, *words], self.env, clone)

    def write(self, clone: Path) -> None:
        """A new note, committed by plain git."""
        number = next(self._count)
        new = str(uuid.UUID(int=self._chance.getrandbits(128), version=4))
        name, text = node(0, [new, *self.ids[:50]], self._chance)
        place = clone / f"{number}-{name}"
        place.write_text(text)
        self.git(clone, "add", place.name)
        self.git(clone, "commit", "--quiet", "--no-verify", "-m", "note")

    def behind(self, clone: Path) -> None:
        """Bring a clone and the remote to one state, and let the other push something."""
        for place in (clone, self.other):
            self.git(place, "fetch", "--quiet")
            self.git(place, "reset", "--quiet", "--hard", "origin/main")
        self.write(self.other)
        self.git(self.other, "push", "--quiet")

    def diverge(self, clone: Path) -> None:
        """The same, and the clone has something too."""
        self.behind(clone)
        self.write(clone)

    def pull(self) -> None:
        """What a person would do without ai-kb, who then lacks an index."""
        self.git(self.plain, "pull", "--quiet", "--no-rebase", "--no-edit")
        self.git(self.plain, "push", "--quiet")
