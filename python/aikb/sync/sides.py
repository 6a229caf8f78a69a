"""Two commits and their common ancestor: what each side has, and what a merge makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.sync.conflict import Versions
from aikb.tools import git_merge

if TYPE_CHECKING:
    from collections.abc import Callable

    from aikb.model import Finding
    from aikb.sources.base import Mergeable
    from aikb.sync.conflict import Conflict
    from aikb.sync.settle import Settled, Settler
    from aikb.tools.git import Git
    from aikb.tools.git_merge import Differs

CAPTURES = "raw/"


class Plan(NamedTuple):
    """A merge: what becomes of our files, and what it stands on.

    ``files`` has each path that changes, with its bytes (None: gone); ``before`` what our commit has
    there.  ``fresh`` are the merged files, by path, whose bytes neither side has.  ``theirs`` is the
    object that their commit has at each path in which it differs from the base (None: nothing).
    ``gone`` has the common ancestor's bytes of what one side took away, ``mine`` the paths that our side
    changed, ``cut`` the nodes by id that a side took out of a file that stays, ``pages`` our and their
    generated pages that differ; ``renamed`` are our captures that have another name now; ``free`` gives a
    name like another that neither side has.
    """

    ours: str
    commit: str
    forward: bool
    files: dict[str, bytes | None]
    before: dict[str, bytes | None]
    fresh: dict[str, Versions]
    theirs: dict[str, str | None]
    gone: dict[str, bytes]
    mine: frozenset[str]
    cut: dict[str, str]
    pages: tuple[dict[str, bytes | None], dict[str, bytes | None]]
    renamed: dict[str, str]
    conflicts: list[Conflict]
    findings: list[Finding]
    free: Callable[[str], str]


class Sides:
    """Both sides' files, and the one way to put something into a plan."""

    def __init__(self, git: Git, notes: Mergeable, settler: Settler) -> None:
        self._git = git
        self._notes = notes
        self._settler = settler
        self._ours: dict[str, Differs] = {}
        self._theirs: dict[str, Differs] = {}
        self._bytes: dict[str, bytes | None] = {}
        self._tips: tuple[str, ...] = ()
        self._base = ""
        self._taken: set[str] | None = None

    def _load(self) -> None:
        """Read all objects that are looked at, with one git."""
        wanted = {e.id for d in self._theirs.values() for e in (d.before, d.after) if e}
        for path, d in self._ours.items():
            kept = self._notes.is_note_path(path) or path.startswith(CAPTURES)
            if path in self._theirs or kept:
                wanted |= {e.id for e in (d.before, d.after) if e}
        ids = sorted(wanted)
        self._bytes = dict(zip(ids, self._git.blobs(ids), strict=True))

    def _get(self, object_id: str | None) -> bytes | None:
        return self._bytes.get(object_id) if object_id else None

    def _side(self, side: dict[str, Differs], other: dict[str, Differs], path: str) -> bytes | None:
        """What one side's commit has at a path."""
        if path in side:
            now = side[path].after
            return self._get(now.id if now else None)
        entry = other[path].before if path in other else None
        return self._get(entry.id if entry else None)

    def _versions(self, path: str) -> Versions:
        entry = (self._theirs.get(path) or self._ours[path]).before
        return Versions(
            path, self._get(entry.id if entry else None),
            self._side(self._ours, self._theirs, path), self._side(self._theirs, self._ours, path),
        )  # fmt: skip

    def _ids(self, path: str, data: bytes | None) -> frozenset[str]:
        if data is None or not self._notes.is_note_path(path):
            return frozenset()
        return frozenset(note.id for note in self._notes.notes_of(path, data))

    def free(self, path: str) -> str:
        """A name like *path* that neither side has."""
        if self._taken is None:
            names = [n for tip in self._tips for n in git_merge.names(self._git, tip)]
            self._taken = {name.casefold() for name in names}
        stem, dot, ending = path.rpartition(".")
        number = 2
        while (name := f"{stem}-{number}{dot}{ending}").casefold() in self._taken:
            number += 1
        self._taken.add(name.casefold())
        return name

    def _take(
        self,
        plan: Plan,
        versions: Versions,
        settled: Settled,
        real: tuple[bytes | None, bytes | None] | None = None,
    ) -> None:
        """Put what became of a file; *real* is what the sides have, if that is something else."""
        self._put(plan, versions.path, settled.data)
        if settled.data is not None and settled.data not in (real or versions.sides):
            plan.fresh[versions.path] = versions
        for path, data in settled.beside:
            self._put(plan, path, data)
            plan.fresh[path] = versions

    def _put(self, plan: Plan, path: str, data: bytes | None) -> None:
        before = self._side(self._ours, self._theirs, path)
        if data != before:
            plan.files[path] = data
            plan.before[path] = before
