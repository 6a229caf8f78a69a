"""After a merge each node stands in one file: what a decision left in two is taken out of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.sync.conflict import BrokenMergeError, Versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.model import Note
    from aikb.sources.base import Mergeable
    from aikb.sync.conflict import Decided
    from aikb.sync.sides import Plan
    from aikb.tools.git import Git


class SameIds:
    """Looks at a whole plan."""

    def __init__(
        self,
        git: Git,
        notes: Mergeable,
        plan: Plan,
        decided: Mapping[str, Decided],
    ) -> None:
        self._git = git
        self._notes = notes
        self._plan = plan
        self._decided = decided

    def settle(self, files: Mapping[str, Sequence[Note]]) -> None:
        """Have each node in one file; *files* are our notes.

        A node that one side moved to another file, and that a decision kept in the old one, stays where
        the decided side has it.

        Raises:
            BrokenMergeError: two files have a node with one id, and nobody decided about it.
        """
        plan = self._plan
        places: dict[str, list[str]] = {}
        for path in sorted(plan.mine | plan.files.keys()):
            for node in self._ids(path, files):
                if path not in places.setdefault(node, []):
                    places[node].append(path)
        for node, paths in places.items():
            if len(paths) > 1:
                self._one_place(node, paths)

    def _ids(self, path: str, files: Mapping[str, Sequence[Note]]) -> list[str]:
        if path not in self._plan.files:
            return [note.id for note in files.get(path, ())]
        return self._ids_of(path, self._plan.files[path])

    def _ids_of(self, path: str, data: bytes | None) -> list[str]:
        if data is None or not self._notes.is_note_path(path):
            return []
        return [note.id for note in self._notes.notes_of(path, data)]

    def _one_place(self, node: str, paths: list[str]) -> None:
        for path in [p for p in paths if self._is_beside(p)]:  # of our own making
            if len(paths) > 1:
                self._take_out(path, node)
                paths.remove(path)
        if len(paths) == 1:
            return
        ours, theirs = (
            [p for p in paths if node in self._ids_of(p, self._git.show(commit, p))]
            for commit in (self._plan.ours, self._plan.commit)
        )
        ours = ours or [
            p for p in paths if p not in theirs
        ]  # a file that was joined with a moved one
        theirs = theirs or [p for p in paths if p not in ours]
        side = self._side(node, paths)
        if not side or not ours or not theirs:
            here, there = paths[0], paths[1]
            if there in ours and there not in theirs:
                here, there = there, here
            raise BrokenMergeError(
                f"'{here}' and, on the remote, '{there}' have a node with one id: {node}",
                f"Nothing was merged. Give the one in '{here}' another id (uuidgen), or take it out, commit "
                "it, and run `ai-kb sync` again.",
            )
        kept = theirs[0] if side == "theirs" else ours[0]
        if side == "both":
            self._beside(node, kept, theirs[0])
        for path in paths:
            if path != kept:
                self._take_out(path, node)

    def _is_beside(self, path: str) -> bool:
        versions = self._plan.fresh.get(path)
        return versions is not None and versions.path != path

    def _side(self, node: str, paths: Sequence[str]) -> str:
        """What was decided about a node that a side moved, or about the file where it was."""
        old = self._plan.cut.get(node, "")
        for path, data in self._plan.gone.items():
            if not old and node in self._ids_of(path, data):
                old = path
        if not old:
            return ""  # made on both sides: two nodes, of which none is the other
        if decided := self._decided.get(node):
            return decided.side
        found = [one.side for one in self._decided.values() if one.path in (old, *paths)]
        return found[0] if len(set(found)) == 1 else ""

    def _data(self, path: str) -> bytes:
        files = self._plan.files
        data = files[path] if path in files else self._git.show(self._plan.ours, path)
        return data or b""

    def _beside(self, node: str, kept: str, theirs: str) -> None:
        """Keep their version too, contested with ours."""
        hers = self._git.show(self._plan.commit, theirs)
        hers = hers if node in self._ids_of(theirs, hers) and hers else self._data(theirs)
        path = self._plan.free(theirs)
        data, second = self._notes.both(self._data(kept), hers, node, path)
        self._put(kept, data)
        self._put(path, second)

    def _take_out(self, path: str, node: str) -> None:
        data = self._data(path)
        rest = self._notes.apart(data, node)[0]
        self._put(path, rest if self._ids_of(path, data) != [node] else None)

    def _put(self, path: str, data: bytes | None) -> None:
        plan = self._plan
        ours, theirs = (self._git.show(commit, path) for commit in (plan.ours, plan.commit))
        plan.fresh.pop(path, None)
        if data == ours:
            plan.files.pop(path, None)
            plan.before.pop(path, None)
            return
        plan.before.setdefault(path, ours)
        plan.files[path] = data
        if data not in (None, theirs):
            plan.fresh[path] = Versions(path, None, ours, theirs)
