"""What a side moved: nodes are known by their ids wherever they stand, a vault's notes by their text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.model import Finding
from aikb.sync.conflict import Versions
from aikb.sync.sides import Sides
from aikb.tools import git_merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.sources.base import Mergeable
    from aikb.sync.settle import Settler
    from aikb.sync.sides import Plan
    from aikb.tools.git import Git
    from aikb.tools.git_merge import Differs


class Moves(Sides):
    """Settles what goes by several names."""

    def __init__(self, git: Git, notes: Mergeable, settler: Settler) -> None:
        super().__init__(git, notes, settler)
        # By path: whether we moved a node out of this file, and what theirs (else ours) is without it.
        self._left_behind: dict[str, tuple[bool, bytes]] = {}

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
            base = _origin(ids, left_mine)
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
            base = _origin(ids, left_hers)
            if path not in done and base in self._ours and self._ours[base].after:
                self._join(plan, base, base, path, path)
                self._put(plan, base, None)
                done |= {path, base}
        if self._notes.by_path:
            return done | self._followed(plan)
        done |= self._moved_out(plan, mine, here=True)
        return done | self._moved_out(plan, hers, here=False)

    # -- a node that went from its file into one of its own

    def _moved_out(self, plan: Plan, made: dict[str, frozenset[str]], *, here: bool) -> set[str]:
        """Merge such nodes with what the other side made of them in the old place."""
        other = self._theirs if here else self._ours
        left = self._left_files(here=here)
        done = set()
        for path, ids in made.items():
            node = next(iter(ids))
            old = left.pop(node, "")
            if len(ids) > 1 or path in other or not old:
                continue
            versions = self._versions(old)
            base = self._notes.apart(versions.base or b"", node)[1]
            rest, part = self._notes.apart(versions.sides[here] or b"", node)
            if part == base:
                continue
            new = self._versions(path).sides[not here]
            ours, theirs = (new, part) if here else (part, new)
            names = (path, old) if here else (old, path)
            joined = Versions(path, base, ours, theirs, *names)
            self._left_behind[old] = (here, rest)
            self._take(plan, joined, self._settler.settle(joined, self.free))
            plan.findings.append(_followed(path, old))
            done.add(path)
        return done

    def _left_files(self, *, here: bool) -> dict[str, str]:
        """By id the files that one side took a node out of, and the other, which has it, changed."""
        found = {}
        for path in self._ours.keys() & self._theirs.keys():
            versions = self._versions(path)
            if versions.base is None or None in versions.sides or path in self._left_behind:
                continue
            ours, theirs = (self._ids(path, data) for data in versions.sides)
            gone = self._ids(path, versions.base) & (theirs - ours if here else ours - theirs)
            if len(gone) == 1:
                found[next(iter(gone))] = path
        return found

    # -- notes that are known by their paths

    def _followed(self, plan: Plan) -> set[str]:
        """Merge a note that one side moved and the other changed, in the new place."""
        done: set[str] = set()
        for here in (True, False):
            side, other = (self._ours, self._theirs)[:: 1 if here else -1]
            for old, new in self._renames(side, other, here):
                self._join(plan, old, new if here else old, old if here else new, new)
                self._put(plan, old, None)
                plan.findings.append(_followed(new, old))
                done |= {old, new}
        return done

    def _renames(
        self, side: dict[str, Differs], other: dict[str, Differs], here: bool
    ) -> Iterator[tuple[str, str]]:
        """The notes that one side moved and the other changed, where git is sure to where."""
        gone = [
            path for path, d in sorted(side.items())
            if d.before and not d.after and path in other and other[path].after
            and self._notes.is_note_path(path)
        ]  # fmt: skip
        if not gone:
            return
        tip = self._tips[0 if here else 1]
        found = git_merge.renames(self._git, self._base, tip)
        for old in gone:
            new = found.get(old)
            if new is None or new in other or not self._notes.is_note_path(new):
                continue
            elsewhere = git_merge.renames(self._git, self._base, tip, but=new)
            origins = git_merge.renames(self._git, self._base, tip, but=old)
            sure = old not in elsewhere and new not in origins.values()
            if sure and self._is_same(old, new, here):
                yield old, new

    def _is_same(self, old: str, new: str, here: bool) -> bool:
        """Whether a moved note is still about the same: two daily notes, say, are alike and are two."""
        before, after = self._versions(old).base or b"", self._versions(new).sides[not here] or b""
        titles = [
            [note.title for note in self._notes.notes_of(path, data)]
            for path, data in ((old, before), (new, after))
        ]
        return before == after or titles[0] == titles[1]

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
            self._versions(ours).ours, self._versions(theirs).theirs, ours, theirs,
        )  # fmt: skip
        self._take(plan, versions, self._settler.settle(versions, self.free))


def _origin(ids: frozenset[str], left: dict[str, str]) -> str | None:
    """The file that most of these nodes stood in, of those that are no more."""
    places = [left[node] for node in ids if node in left]
    return max(sorted(set(places)), key=places.count, default=None)


def _followed(path: str, old: str) -> Finding:
    words = (
        f"one machine moved this here from {old}, and the other changed it there: both are here now"
    )
    return Finding(path, 1, "warning", "followed", words)
