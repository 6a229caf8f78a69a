"""One file that both sides changed: its merge, what clashes in it, and a person's decision applied."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE
from aikb.formats import threeway
from aikb.formats.threeway import Merge, Piece
from aikb.formats.toml_merge import keeps_meaning
from aikb.sync.conflict import Conflict, Decided
from aikb.sync.excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from aikb.formats.threeway import TextMerger
    from aikb.sources.base import Mergeable
    from aikb.sync.conflict import Decision, Versions

    Free = Callable[[str], str]  # a name like this one that nobody has

WHOLE, BARE = 1, 2


class Settled(NamedTuple):
    """What a file becomes (None: gone), and by path what stands beside it under ids of its own."""

    data: bytes | None
    beside: tuple[tuple[str, bytes], ...] = ()


class Settler:
    """Settles file after file; ``conflicts`` gathers what is left for a person.

    ``decided`` has the decisions that counted, by the conflict's key.  *whole* are the paths of which a
    decided merge was refused by the rules: there the whole file of the side is taken (``WHOLE``, with
    the nodes that only the other side has beside it; ``BARE``, without).
    """

    def __init__(
        self,
        notes: Mergeable,
        merger: TextMerger,
        decisions: Mapping[str, Decision],
        whole: Mapping[str, int] | None = None,
    ) -> None:
        self.conflicts: list[Conflict] = []
        self.decided: dict[str, Decided] = {}
        self._notes = notes
        self._merger = merger
        self._decisions = decisions
        self._whole = whole or {}

    def settle(self, versions: Versions, free: Free) -> Settled:
        """What becomes of a file; *free* finds names for what stands beside it."""
        path, base, ours, theirs = versions[:4]
        simple, clashes = threeway.value(base, ours, theirs)
        if not clashes:
            return Settled(simple)
        if ours is None or theirs is None:
            return self._deleted(versions)
        merge = self._merge(versions, {})
        merge = merge._replace(conflicts=tuple(self._named(versions, c) for c in merge.conflicts))
        keys = list(dict.fromkeys(c.node or path for c in merge.conflicts))
        if not keys:  # unless a person chose a side because the merge broke something
            key = self._first(versions)
            side = self._side(versions, key)
            return self._one_side(versions, key, side, free) if side else Settled(merge.data)
        sides = {key: self._side(versions, key) for key in keys}
        if left := [key for key in keys if not sides[key]]:
            self._report(versions, merge, left)
            return Settled(merge.data)
        if len(set(sides.values())) == 1 and (self._whole.get(path) or self._is_blunt(path, keys)):
            return self._one_side(versions, keys[0], sides[keys[0]], free)
        merge = self._merge(versions, sides | {"": sides[keys[0]]})
        both = [key for key in keys if sides[key] == "both"]
        return self._beside(versions, merge.data, both, free)

    def _is_blunt(self, path: str, keys: Sequence[str]) -> bool:
        """Whether a file of nodes clashes as one, and not in a node."""
        return keys == [path] and self._notes.is_note_path(path)

    def _named(self, versions: Versions, conflict: threeway.Conflict) -> threeway.Conflict:
        """A conflict with the node's id where its file has just one."""
        notes = self._notes.notes_of(versions.path, versions.ours or versions.theirs or b"")
        if conflict.node or len(notes) != 1:
            return conflict
        return conflict._replace(node=notes[0].id)

    def _first(self, versions: Versions) -> str:
        notes = self._notes.notes_of(versions.path, versions.ours or b"")
        return notes[0].id if notes else versions.path

    def _side(self, versions: Versions, key: str) -> str:
        """What was decided for a node in just these versions; empty if nothing."""
        decision = self._decisions.get(key)
        if decision is None or decision.mark != versions.mark:
            return ""
        node = "" if key == versions.path else key
        self.decided[key] = Decided(node, versions.path, decision.side)
        return decision.side

    def sides_of(self, path: str) -> set[str]:
        """What was decided about a file and its nodes."""
        return {decided.side for decided in self.decided.values() if decided.path == path}

    def broken(
        self, versions: Versions, merged: bytes | None = None, *, mixed: bool = False
    ) -> None:
        """Report that a merge makes a file that the rules refuse.

        *mixed*: each of its nodes was decided, and not all for one side.
        """
        key = versions.path if mixed else self._first(versions)
        node = "" if key == versions.path else key
        conflict = threeway.Conflict(node, "broken")
        self._report(versions, Merge(merged or b"", (conflict,)), [key], merged)

    def _merge(self, versions: Versions, favour: Mapping[str, str]) -> Merge:
        path, base, ours, theirs = versions[:4]
        assert ours is not None
        assert theirs is not None
        try:
            if self._notes.is_note_path(path):
                return self._notes.merge(base, ours, theirs, self._merger, favour)
            side = favour.get("", "")
            favoured = "ours" if side == "both" else side
            return merge_plain(path, base, ours, theirs, self._merger, favoured)
        except threeway.UnmergeableError:
            side = next(iter(favour.values()), "")
            return Merge(theirs if side == "theirs" else ours, () if favour else (_WHOLE,))

    def _deleted(self, versions: Versions) -> Settled:
        """A file that one side took away and the other changed."""
        left = versions.theirs if versions.ours is None else versions.ours
        notes = self._notes.notes_of(versions.path, left or b"")
        node = notes[0].id if notes else ""
        side = self._side(versions, node or versions.path)
        if not side:
            conflict = threeway.Conflict(node, "deleted")
            self._report(versions, Merge(b"", (conflict,)), [node or versions.path])
            return Settled(versions.ours)
        return Settled({"ours": versions.ours, "theirs": versions.theirs}.get(side, left))

    # -- whole files

    def _one_side(self, versions: Versions, key: str, side: str, free: Free) -> Settled:
        """One side's whole file; beside it what only the other has: its nodes, or (both) all of it."""
        mine, hers = versions.ours or b"", versions.theirs or b""
        if side == "theirs":
            mine, hers = hers, mine
        if not self._notes.is_note_path(versions.path) or self._whole.get(versions.path) == BARE:
            return self._beside(versions, mine, [key] if side == "both" else [], free)
        old = versions.base or b""
        ids = [[n.id for n in self._notes.notes_of(versions.path, d)] for d in (old, mine, hers)]
        other = []
        for node in ids[2]:
            theirs = self._text(hers, node)
            if node in ids[1]:
                if side == "both" and theirs != self._text(mine, node):
                    other.append(node)
            elif node not in ids[0] or (side == "both" and theirs != self._text(old, node)):
                other.append(node)
        if side == "both" and not other:
            other = [key]
        return self._beside(versions, mine, other, free, hers)

    def _text(self, data: bytes, node: str) -> str:
        return self._notes.part_of(data, node).text

    def _beside(
        self,
        versions: Versions,
        data: bytes,
        nodes: Sequence[str],
        free: Free,
        hers: bytes | None = None,
    ) -> Settled:
        """Keep the other side's versions of nodes too, each contested with the one in *data*."""
        hers = hers or versions.theirs or b""
        beside = []
        there = {note.id for note in self._notes.notes_of(versions.path, hers)}
        for node in nodes:
            if node not in there and node != versions.path:
                continue  # deleted there
            path = free(versions.path)
            second = hers
            if node in there:
                data, second = self._notes.both(data, hers, node, path)
            beside.append((path, second))
            self._made(versions, node, path, second)
        return Settled(data, tuple(beside))

    def _made(self, versions: Versions, node: str, path: str, data: bytes) -> None:
        """Remember a file for who decided it."""
        keys = [key for key, one in self.decided.items() if one.path == versions.path]
        key = node if node in keys else next(iter(keys), "")
        if decided := self.decided.get(key):
            new = next((note.id for note in self._notes.notes_of(path, data)), "")
            self.decided[key] = decided._replace(made=(*decided.made, (path, new)))

    # -- telling

    def _report(
        self, versions: Versions, merge: Merge, keys: Sequence[str], merged: bytes | None = None
    ) -> None:
        known = {
            note.id: note.title
            for data in (versions.base, versions.theirs, versions.ours)
            for note in self._notes.notes_of(versions.path, data or b"")
        }
        for key in keys:
            mine = [c for c in merge.conflicts if (c.node or versions.path) == key]
            node = mine[0].node
            what = tuple(dict.fromkeys(c.what for c in mine))
            lines = tuple(dict.fromkeys(c.lines for c in mine)) if versions.ours else ()
            base, ours, theirs = (
                self._piece(versions.path, data, node) for data in (versions.base, *versions.sides)
            )
            gone = ""
            if "deleted" in what:
                gone = "ours" if ours is None else "theirs"
                lines = () if ours is None else ((ours.first, ours.first),)
            exact = () if set(what) & {"broken", "file", "made twice"} else lines
            self.conflicts.append(
                Conflict(
                    node, known.get(node, ""), what, lines, versions, gone,
                    excerpt(base, ours, theirs, exact), merged,
                )
            )  # fmt: skip

    def _piece(self, path: str, data: bytes | None, node: str) -> Piece | None:
        """A node's text in a version, or the whole file's."""
        if data is None or b"\0" in data:
            return None if data is None else Piece(1, "")
        ids = [note.id for note in self._notes.notes_of(path, data)]
        if not node or ids == [node]:
            return Piece(1, data.decode("utf-8", "replace"))
        return self._notes.part_of(data, node) if node in ids else None


def merge_plain(
    path: str, base: bytes | None, ours: bytes, theirs: bytes, merger: TextMerger, favour: str
) -> Merge:
    """Two versions of a file that is no note: settings, attributes, a capture.

    JSON (Obsidian's settings and canvases) whose lines fit together, but not as JSON, is a conflict of the
    whole file, and so are our own settings where the lines together say what neither side said.

    Raises:
        UnmergeableError: it is no text.
    """
    clash = Merge(theirs if favour == "theirs" else ours, () if favour else (_WHOLE,))
    try:
        old, mine, hers = ((data or b"").decode() for data in (base, ours, theirs))
    except UnicodeDecodeError:
        return clash
    if base is None and not favour and path.rpartition("/")[2] not in _JOINED:
        return clash
    text = threeway.text(old, mine, hers, merger, favour)
    if path == SETTINGS_FILE and not keeps_meaning(old, mine, hers, text.text):
        return clash
    if path.endswith(_JSON) and _is_json(mine) and _is_json(hers) and not _is_json(text.text):
        return clash
    conflicts = tuple(threeway.Conflict("", "text", lines) for lines in text.clashes)
    return Merge(text.text.encode(), conflicts)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


_JSON = (".json", ".canvas")
_JOINED = {".gitignore", ".gitattributes", SETTINGS_FILE}  # lists; anything else is not two in one
_WHOLE = threeway.Conflict("", "file")
