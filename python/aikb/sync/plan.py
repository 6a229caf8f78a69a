"""What a merge of two commits will be, worked out in git's object database: no file is touched.

Read :meth:`Planner.plan` first.  Everything is told as against our own commit.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import StoreError
from aikb.model import Finding
from aikb.sync.conflict import Versions
from aikb.tools import git_merge

if TYPE_CHECKING:
    from aikb.sources.base import Mergeable
    from aikb.sync.conflict import Conflict
    from aikb.sync.settle import Settled, Settler
    from aikb.tools.git import Git
    from aikb.tools.git_merge import Differs

_CAPTURES = "raw/"


class Plan(NamedTuple):
    """A merge: what becomes of our files, and what it stands on.

    ``files`` has each path that changes, with its bytes (None: gone); ``before`` what our commit has
    there.  ``fresh`` are the merged files, by path, whose bytes neither side has.  ``theirs`` is the
    object that their commit has at each path in which it differs from the base (None: nothing).
    ``gone`` has the common ancestor's bytes of what one side took away, ``mine`` the paths that our side
    changed, ``cut`` the nodes by id that a side took out of a file that stays, ``pages`` our and their
    generated pages that differ; ``renamed`` are our captures that have another name now.
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


class Planner:
    """Works out one merge."""

    def __init__(self, git: Git, notes: Mergeable, settler: Settler) -> None:
        self._git = git
        self._notes = notes
        self._settler = settler
        self._ours: dict[str, Differs] = {}
        self._theirs: dict[str, Differs] = {}
        self._bytes: dict[str, bytes | None] = {}
        self._tips: tuple[str, ...] = ()
        self._taken: set[str] | None = None

    def plan(self, ours: str, theirs: str) -> Plan:
        """How *theirs* would be merged into *ours*.

        Raises:
            StoreError: they have no common history, or theirs has what must not be written here.
            GitError: git failed.
        """
        self._tips = (ours, theirs)
        base = git_merge.merge_base(self._git, ours, theirs)
        old = base or self._unrelated(ours, theirs)
        self._theirs = git_merge.differences(self._git, old, theirs)
        self._ours = {} if base == ours else git_merge.differences(self._git, old, ours)
        for differs in self._theirs.values():
            _check(differs)
        self._load()
        plan = Plan(
            ours, theirs, base == ours, {}, {}, {},
            {path: _held(d) for path, d in self._theirs.items()},
            {}, frozenset(self._ours), self._cut(), ({}, {}), {}, self._settler.conflicts, [],
        )  # fmt: skip
        done = self._moved(plan)
        for path in sorted(self._theirs.keys() - done):
            if self._is_page(path):
                plan.pages[0][path], plan.pages[1][path] = self._versions(path)[2:]
            else:
                self._one(plan, path)
        for path, differs in chain(self._ours.items(), self._theirs.items()):
            if differs.after is None and (data := self._versions(path).base) is not None:
                plan.gone[path] = data
        return plan

    def _unrelated(self, ours: str, theirs: str) -> str:
        """Two stores that were begun apart can be made one, if both are stores."""
        empty = git_merge.empty_tree(ours)
        pages = [
            name for name in git_merge.names(self._git, theirs) if self._notes.is_index_page(name)
        ]
        blobs = self._git.blobs([f"{theirs}:{page}" for page in pages])
        if not any(
            self._notes.is_generated(p, b or b"") for p, b in zip(pages, blobs, strict=True)
        ):
            raise StoreError(
                "the remote holds something else, which has no history in common with this",
                "Nothing was merged. `ai-kb remote` shows the address; `ai-kb remote URL` sets it.",
            )
        return empty

    # -- bytes

    def _load(self) -> None:
        """Read all objects that are looked at, with one git."""
        wanted = {e.id for d in self._theirs.values() for e in (d.before, d.after) if e}
        for path, d in self._ours.items():
            kept = self._notes.is_note_path(path) or path.startswith(_CAPTURES)
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

    def _is_page(self, path: str) -> bool:
        """Whether a path has a generated page, which is made anew."""
        return self._notes.is_index_page(path) and any(
            self._notes.is_generated(path, data) for data in self._versions(path)[1:] if data
        )

    # -- files that were moved

    def _moved(self, plan: Plan) -> set[str]:
        """Settle the files that a side gave another name; nodes are known by their ids.

        Returns:
            Their paths that need no further look.
        """
        done: set[str] = set()
        mine, hers = (self._made(side) for side in (self._ours, self._theirs))
        left_mine, left_hers = (self._left(side) for side in (self._ours, self._theirs))
        there = {node: path for path, ids in hers.items() for node in ids}
        for path, ids in mine.items():
            base = next((left_mine[i] for i in ids if i in left_mine), None)
            other = next((there[i] for i in sorted(ids) if i in there), None)
            if other is None and base in self._theirs and self._theirs[base].after:
                self._join(plan, base, path, base, path)
                done.add(base)
            elif other is not None and (base or other != path):
                name = min(path, other)
                self._join(plan, base, path, other, name)
                done |= {other, path} | ({base} if base else set())
                if name != path:
                    self._put(plan, path, None)
        for path, ids in hers.items():
            base = next((left_hers[i] for i in ids if i in left_hers), None)
            if path not in done and base in self._ours and self._ours[base].after:
                self._join(plan, base, base, path, path)
                self._put(plan, base, None)
                done |= {path, base}
        return done

    def _made(self, side: dict[str, Differs]) -> dict[str, frozenset[str]]:
        """The note files that a side has and the base had not, with their ids."""
        paths = [path for path, d in side.items() if d.before is None and d.after]
        found = {p: self._ids(p, self._get(e.id if (e := side[p].after) else None)) for p in paths}
        return {path: ids for path, ids in found.items() if ids}

    def _left(self, side: dict[str, Differs]) -> dict[str, str]:
        """For each id of the note files that a side has no more the path that they had."""
        return {
            node: path for path, d in side.items() if d.before and d.after is None
            for node in self._ids(path, self._get(d.before.id))
        }  # fmt: skip

    def _join(self, plan: Plan, base: str | None, ours: str, theirs: str, name: str) -> None:
        """Merge one file that goes by up to three names."""
        versions = Versions(
            name, self._versions(base).base if base else None,
            self._versions(ours).ours, self._versions(theirs).theirs,
        )  # fmt: skip
        self._take(plan, versions, self._settler.settle(versions))

    def ours(self) -> dict[str, bytes]:
        """The notes and captures that our side changed, as our commit has them."""
        found = {p: self._get(d.after.id if d.after else None) for p, d in self._ours.items()}
        return {path: data for path, data in found.items() if data is not None}

    def _cut(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for path, d in chain(self._ours.items(), self._theirs.items()):
            if d.before and d.after:
                left = self._ids(path, self._get(d.after.id))
                found |= dict.fromkeys(self._ids(path, self._get(d.before.id)) - left, path)
        return found

    # -- one path

    def _one(self, plan: Plan, path: str) -> None:
        """What becomes of a path that their side changed."""
        versions = self._versions(path)
        if path not in self._ours:
            self._put(plan, path, versions.theirs)
            return
        if versions.base is None and versions.ours and versions.theirs:
            here, there = (self._ids(path, data) for data in versions[2:])
            if path.startswith(_CAPTURES) and versions.ours != versions.theirs:
                self._rename(plan, versions)
                plan.renamed[path] = plan.findings[-1].path
                return
            if versions.ours != versions.theirs and (here or there) and not here & there:
                self._rename(plan, versions)
                return
        self._take(plan, versions, self._settler.settle(versions))

    def _ids(self, path: str, data: bytes | None) -> frozenset[str]:
        if data is None or not self._notes.is_note_path(path):
            return frozenset()
        return frozenset(note.id for note in self._notes.notes_of(path, data))

    def _rename(self, plan: Plan, versions: Versions) -> None:
        """Two nodes with one file name: theirs, which others have already, keeps it."""
        path = self.free(versions.path)
        self._put(plan, versions.path, versions.theirs)
        self._put(plan, path, versions.ours)
        plan.findings.append(
            Finding(
                path, 1, "warning", "renamed",
                f"another machine made '{versions.path}' too, for another node; ours has this name now",
            )
        )  # fmt: skip

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

    def _take(self, plan: Plan, versions: Versions, settled: Settled) -> None:
        self._put(plan, versions.path, settled.data)
        if settled.data is not None and settled.data not in versions[2:]:
            plan.fresh[versions.path] = versions
        for data in settled.seconds:
            path = self.free(versions.path)
            self._put(plan, path, data)
            plan.fresh[path] = versions

    def _put(self, plan: Plan, path: str, data: bytes | None) -> None:
        before = self._side(self._ours, self._theirs, path)
        if data != before:
            plan.files[path] = data
            plan.before[path] = before


def _held(differs: Differs) -> str | None:
    """The object that theirs has; nothing that can be compared where it is marked as a program."""
    after = differs.after
    return after and (after.id if after.mode == "100644" else after.mode)


def _check(differs: Differs) -> None:
    """Refuse what must not be written, whoever put it into a commit.

    Raises:
        StoreError: a path that leads elsewhere, or what is no file.
    """
    path, after = differs.path, differs.after
    parts = path.split("/")
    odd = any(p in ("", ".", "..") or p.casefold() in (".git", ".ai-kb") for p in parts)
    if after and (odd or after.mode not in git_merge.REGULAR):
        raise StoreError(
            f"the remote holds '{path}', which is no file for a store, and is not written here",
            "Nothing was merged. Take it out of the repository on the machine that put it there.",
        )
