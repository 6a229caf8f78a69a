"""One file that both sides changed: its merge, what clashes in it, and a person's decision applied."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.formats import threeway
from aikb.formats.threeway import Merge
from aikb.sync.conflict import Conflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.formats.threeway import TextMerger
    from aikb.sources.base import Mergeable
    from aikb.sync.conflict import Decision, Versions


class Settled(NamedTuple):
    """What a file becomes (None: gone), and versions that stand beside it under ids of their own."""

    data: bytes | None
    seconds: tuple[bytes, ...] = ()


class Settler:
    """Settles file after file; ``conflicts`` gathers what is left for a person."""

    def __init__(
        self, notes: Mergeable, merger: TextMerger, decisions: Mapping[str, Decision]
    ) -> None:
        self.conflicts: list[Conflict] = []
        self._notes = notes
        self._merger = merger
        self._decisions = decisions

    def settle(self, versions: Versions) -> Settled:
        """What becomes of a file."""
        path, base, ours, theirs = versions
        simple, clashes = threeway.value(base, ours, theirs)
        if not clashes:
            return Settled(simple)
        if ours is None or theirs is None:
            return self._deleted(versions)
        merge = self._merge(versions, {})
        merge = merge._replace(conflicts=tuple(self._named(versions, c) for c in merge.conflicts))
        keys = list(dict.fromkeys(c.node or path for c in merge.conflicts))
        if not keys:
            return self._repaired(versions, merge.data)
        sides = {key: self.side(versions, key) for key in keys}
        if left := [key for key in keys if not sides[key]]:
            self._report(versions, merge, left)
            return Settled(merge.data)
        merge = self._merge(versions, sides | {"": sides[keys[0]]})
        return self._beside(versions, merge.data, [key for key in keys if sides[key] == "both"])

    def _named(self, versions: Versions, conflict: threeway.Conflict) -> threeway.Conflict:
        """A conflict with the node's id where its file has just one."""
        notes = self._notes.notes_of(versions.path, versions.ours or versions.theirs or b"")
        if conflict.node or len(notes) != 1:
            return conflict
        return conflict._replace(node=notes[0].id)

    def side(self, versions: Versions, key: str) -> str:
        """What was decided for a node in just these versions; empty if nothing."""
        decision = self._decisions.get(key)
        return decision.side if decision and decision.mark == versions.mark else ""

    def broken(self, versions: Versions) -> None:
        """Report that a merge without a clash makes a file that the rules refuse."""
        self._report(versions, Merge(b"", (threeway.Conflict("", "broken"),)), [versions.path])

    def _merge(self, versions: Versions, favour: Mapping[str, str]) -> Merge:
        path, base, ours, theirs = versions
        assert ours is not None
        assert theirs is not None
        if self._notes.is_note_path(path):
            return self._notes.merge(base, ours, theirs, self._merger, favour)
        side = favour.get("", "")
        return merge_plain(base, ours, theirs, self._merger, "ours" if side == "both" else side)

    def _deleted(self, versions: Versions) -> Settled:
        """A file that one side took away and the other changed."""
        left = versions.theirs if versions.ours is None else versions.ours
        notes = self._notes.notes_of(versions.path, left or b"")
        side = self.side(versions, notes[0].id if notes else versions.path)
        if not side:
            node = notes[0].id if notes else ""
            conflict = threeway.Conflict(node, "deleted")
            self._report(versions, Merge(b"", (conflict,)), [node or versions.path])
            return Settled(versions.ours)
        return Settled({"ours": versions.ours, "theirs": versions.theirs}.get(side, left))

    def _repaired(self, versions: Versions, data: bytes) -> Settled:
        """A merge without a clash, unless a person chose a side because it broke something."""
        ours = self._notes.notes_of(versions.path, versions.ours or b"")
        key = ours[0].id if ours else versions.path
        side = self.side(versions, key)
        if not side:
            return Settled(data)
        if side == "both" and ours:
            return self._beside(versions, versions.ours or b"", [key])
        return Settled(versions.theirs if side == "theirs" else versions.ours)

    def _beside(self, versions: Versions, data: bytes, nodes: Sequence[str]) -> Settled:
        """Keep their versions of nodes too, each contested with ours."""
        seconds = []
        there = {note.id for note in self._notes.notes_of(versions.path, versions.theirs or b"")}
        for node in nodes:
            if node == versions.path and versions.theirs is not None:  # no note: two plain files
                seconds.append(versions.theirs)
            elif node in there and any(
                n.id == node for n in self._notes.notes_of(versions.path, data)
            ):
                data, second = self._notes.both(data, versions.theirs or b"", node)
                seconds.append(second)
        return Settled(data, tuple(seconds))

    def _report(self, versions: Versions, merge: Merge, keys: Sequence[str]) -> None:
        known = {
            note.id: note.title
            for data in (versions.base, versions.theirs, versions.ours)
            for note in self._notes.notes_of(versions.path, data or b"")
        }
        first = next(iter(known), "")
        for key in keys:
            mine = [c for c in merge.conflicts if (c.node or versions.path) == key]
            node = mine[0].node or (first if mine[0].what == "broken" else "")
            what = tuple(dict.fromkeys(c.what for c in mine))
            lines = tuple(dict.fromkeys(c.lines for c in mine)) if versions.ours else ()
            self.conflicts.append(Conflict(node, known.get(node, ""), what, lines, versions))


def merge_plain(
    base: bytes | None, ours: bytes, theirs: bytes, merger: TextMerger, favour: str
) -> Merge:
    """Two versions of a file that is no note: settings, attributes, a capture."""
    clash = Merge(theirs if favour == "theirs" else ours, () if favour else (_WHOLE,))
    try:
        old, mine, hers = ((data or b"").decode() for data in (base, ours, theirs))
    except UnicodeDecodeError:
        return clash
    if base is None and not favour and ours.count(b"\n") + theirs.count(b"\n") > _SMALL:
        return clash
    text = threeway.text(old, mine, hers, merger, favour)
    conflicts = tuple(threeway.Conflict("", "text", lines) for lines in text.clashes)
    return Merge(text.text.encode(), conflicts)


_SMALL = 200  # lines of what both made without a common beginning and can be put together
_WHOLE = threeway.Conflict("", "file")
