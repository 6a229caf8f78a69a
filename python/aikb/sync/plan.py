"""What a merge of two commits will be, worked out in git's object database: no file is touched.

Read :meth:`Planner.plan` first.  Everything is told as against our own commit.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from aikb.errors import StoreError
from aikb.model import Finding
from aikb.sync.moves import Moves
from aikb.sync.sides import CAPTURES, Plan
from aikb.tools import git_merge

if TYPE_CHECKING:
    from aikb.sync.conflict import Versions
    from aikb.tools.git_merge import Differs


class Planner(Moves):
    """Works out one merge."""

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
        self._base = old
        self._load()
        plan = Plan(
            ours, theirs, base == ours, {}, {}, {},
            {path: _held(d) for path, d in self._theirs.items()},
            {}, frozenset(self._ours), self._cut(), ({}, {}), {}, self._settler.conflicts, [], self.free,
        )  # fmt: skip
        done = self._moved(plan)
        for path in sorted(self._theirs.keys() - done):
            if self._is_page(path):
                plan.pages[0][path], plan.pages[1][path] = self._versions(path).sides
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

    def _is_page(self, path: str) -> bool:
        """Whether a path has a generated page, which is made anew."""
        return self._notes.is_index_page(path) and any(
            self._notes.is_generated(path, data)
            for data in (self._versions(path).base, *self._versions(path).sides)
            if data
        )

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
            here, there = (self._ids(path, data) for data in versions.sides)
            if path.startswith(CAPTURES) and versions.ours != versions.theirs:
                self._rename(plan, versions)
                plan.renamed[path] = plan.findings[-1].path
                return
            if versions.ours != versions.theirs and (here or there) and not here & there:
                self._rename(plan, versions)
                return
        real = versions.sides
        if path in self._left_behind:  # a node of it went to a file of its own
            moved_here, data = self._left_behind[path]
            versions = (
                versions._replace(theirs=data) if moved_here else versions._replace(ours=data)
            )
        self._take(plan, versions, self._settler.settle(versions, self.free), real)

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
