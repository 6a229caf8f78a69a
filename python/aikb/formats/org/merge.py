"""Two versions of an Org file made one, node by node and property by property; pure.

What is not a property, a title, a tag or history is merged as text, by a function that is handed in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats import threeway
from aikb.formats.org.decode import Decoded, decode
from aikb.formats.org.drawer import line_of, merge_drawers
from aikb.formats.org.logbook import merge_logs
from aikb.formats.org.nodes import read_nodes
from aikb.formats.org.parts import NO_PART, Part, split
from aikb.formats.org.write import FILETAGS, TITLE, join_words
from aikb.formats.threeway import Conflict, Merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.formats.threeway import TextMerger

_TAGS = re.compile(r"^(.*?)[ \t]+:([\w@#%:]+):[ \t]*$")
DELETED, TWICE = "deleted", "made twice"


def merge_file(
    base: bytes | None,
    ours: bytes,
    theirs: bytes,
    merger: TextMerger,
    favour: Mapping[str, str] | None = None,
) -> Merge:
    """Merge a file that both sides changed (or made, where *base* is None).

    *favour* says for nodes by id which side wins where the two clash.
    """
    simple, clashes = threeway.value(base, ours, theirs)
    if not clashes:
        return Merge(simple or b"")
    read = [decode(data or b"") for data in (base, ours, theirs)]
    nodes = [[node.id for node in read_nodes(d.text)] for d in read]
    first = (nodes[1] or nodes[2] or [""])[0]
    if any(d.problem or d.eol == "mixed" for d in read):
        return _whole(first, ours, theirs, favour or {})
    work = _Work(merger, favour or {}, first)
    text = work.merge(*(split(d.text) for d in read))
    done = [node.id for node in read_nodes(text)]
    if not work.conflicts and sorted(done) != sorted(work.expected):
        return _whole(first, ours, theirs, favour or {})
    return Merge(_encode(text, read), tuple(work.conflicts))


def _whole(node: str, ours: bytes, theirs: bytes, favour: Mapping[str, str]) -> Merge:
    """Two files of which nothing can be told but that they differ."""
    if node in favour:
        return Merge(theirs if favour[node] == "theirs" else ours)
    return Merge(ours, (Conflict(node, "file"),))


def encode(text: str, as_in: Decoded) -> bytes:
    """A text's bytes with the line ends and the mark of another."""
    ends = {"crlf": "\r\n", "cr": "\r"}
    mark = b"\xef\xbb\xbf" if as_in.bom else b""
    return mark + text.replace("\n", ends.get(as_in.eol, "\n")).encode()


def _encode(text: str, read: Sequence[Decoded]) -> bytes:
    eol, clashes = threeway.value(*(d.eol for d in read))
    bom, _ = threeway.value(*(d.bom for d in read))
    return encode(text, read[1]._replace(eol="lf" if clashes else eol, bom=bom))


class _Work:
    """One file's merge: what clashes, and which nodes the result must have."""

    def __init__(self, merger: TextMerger, favour: Mapping[str, str], first: str) -> None:
        self.conflicts: list[Conflict] = []
        self.expected: list[str] = []
        self._merger = merger
        self._favour = favour
        self._first = first
        self._line = 1  # where in our file the part at work begins

    def merge(self, base: list[Part], ours: list[Part], theirs: list[Part]) -> str:
        """The text of all parts."""
        ids = [[part.id for part in side] for side in (base, ours, theirs)]
        order = None
        if all(len(set(side)) == len(side) for side in ids):
            order = _order(*ids)
        if order is None:
            self.expected = list(dict.fromkeys([*ids[1], *ids[2]]))
            whole = ("".join(p.text for p in side) for side in (base, ours, theirs))
            return self._text("text", self._first, *whole)
        by_id = [{part.id: part for part in side} for side in (base, ours, theirs)]
        lines = _first_lines(ours)
        texts: list[str] = []
        for node in order:
            self._line = lines.get(node, 1)
            texts.append(self._part(node, *(side.get(node) for side in by_id)))
        bare = threeway.value(
            *(bool(s) and not s[-1].text.endswith("\n") for s in (base, ours, theirs))
        )
        text = "".join(t if t.endswith("\n") or not t else t + "\n" for t in texts)
        return text.removesuffix("\n") if bare[0] else text

    def _part(self, node: str, base: Part | None, ours: Part | None, theirs: Part | None) -> str:
        simple, clashes = threeway.value(base, ours, theirs)
        if clashes and (ours is None or theirs is None):
            simple = self._deleted(node, ours, theirs)
        elif clashes:
            assert ours is not None
            assert theirs is not None
            if node:
                self.expected.append(node)
            if base is None and node:
                return self._twice(node, ours, theirs)
            return self._both(base or NO_PART, ours, theirs)
        if simple is None:
            return ""
        if node:
            self.expected.append(node)
        return simple.text

    def _deleted(self, node: str, ours: Part | None, theirs: Part | None) -> Part | None:
        side = self._favour.get(node)
        if side:
            return ours or theirs if side == "both" else (theirs if side == "theirs" else ours)
        self._clash(node, DELETED)
        return ours

    def _twice(self, node: str, ours: Part, theirs: Part) -> str:
        side = self._favour.get(node)
        if not side:
            self._clash(node, TWICE)
        return theirs.text if side == "theirs" else ours.text

    def _both(self, base: Part, ours: Part, theirs: Part) -> str:
        node = ours.id
        start = self._line
        side = self._side(node)
        if all(part.top.startswith("*") for part in (base, ours, theirs)):
            top = self._heading(node, base.top, ours.top, theirs.top)
        else:
            top = self._text("text", node, base.top, ours.top, theirs.top)
        self._line += ours.top.count("\n")
        drawer, keys = merge_drawers(base.drawer, ours.drawer, theirs.drawer, side)
        for key in keys:
            line = line_of(ours.drawer, key)
            self._clash(node, f"property {key}", line, line)
        self._line += ours.drawer.count("\n")
        head = self._head(node, base.head, ours.head, theirs.head)
        self._line += ours.head.count("\n")
        log = merge_logs(base.log, ours.log, theirs.log)
        self._line += ours.log.count("\n")
        body = self._text("body", node, base.body, ours.body, theirs.body)
        self._line = start
        if log and body and not any(part.log and part.body for part in (ours, theirs)):
            log = log.rstrip("\n") + "\n\n"  # a history that met its body only now
        return "".join([top, drawer, head, log, body])

    def _side(self, node: str) -> str:
        side = self._favour.get(node or self._first, "")
        return "ours" if side == "both" else side

    def _clash(self, node: str, what: str, first: int = 1, last: int = 0) -> None:
        begin = self._line + first - 1
        self.conflicts.append(
            Conflict(node or self._first, what, (begin, begin + max(last - first, 0)))
        )

    def _text(self, what: str, node: str, base: str, ours: str, theirs: str) -> str:
        merged = threeway.text(base, ours, theirs, self._merger, self._side(node))
        for first, last in merged.clashes:
            self._clash(node, what, first, last)
        return merged.text

    def _choose(self, node: str, what: str, base: str, ours: str, theirs: str) -> str:
        chosen, clashes = threeway.value(base, ours, theirs)
        if clashes and not self._side(node):
            self._clash(node, what)
        return theirs if clashes and self._side(node) == "theirs" else chosen

    def _heading(self, node: str, base: str, ours: str, theirs: str) -> str:
        """A heading's line: its words as one value, its tags as a set; then its planning line."""
        lines = [top.partition("\n") for top in (base, ours, theirs)]
        line, clashes = threeway.value(*(one[0] for one in lines))
        if clashes:
            cut = [_TAGS.match(one[0]) for one in lines]
            words = [
                m.group(1) if m else one[0].rstrip() for m, one in zip(cut, lines, strict=True)
            ]
            tags = threeway.united(*(m.group(2).split(":") if m else () for m in cut))
            line = self._choose(node, "title", *words)
            line += f" {join_words(tags)}" if tags else ""
        return line + "\n" + self._text("text", node, *(one[2] for one in lines))

    def _head(self, node: str, base: str, ours: str, theirs: str) -> str:
        """Keywords: the title as one value, file tags as a set, the others as text."""
        heads = [base, ours, theirs]
        simple, clashes = threeway.value(*heads)
        if not clashes:
            return simple
        titles = [TITLE.search(head) for head in heads]
        if all(titles):
            title = self._choose(node, "title", *(m.group(2) for m in titles if m))
            heads = [
                head[: m.start(2)] + title + head[m.end(2) :]
                for head, m in zip(heads, titles, strict=True)
                if m
            ]
        heads = _same_tags(heads)
        return self._text("text", node, *heads)


def _same_tags(heads: list[str]) -> list[str]:
    """The three heads, each with the merged file tags."""
    found = [[m.group() for m in FILETAGS.finditer(head)] for head in heads]
    lines, clashes = threeway.value(*found)
    if clashes:
        words = [
            [
                t
                for m in FILETAGS.finditer(head)
                for w in m.group(3).split()
                for t in w.split(":")
                if t
            ]
            for head in heads
        ]
        tags = threeway.united(*words)
        lines = [f"#+filetags: {join_words(tags)}"] if tags else []
    text = "".join(line + "\n" for line in lines)
    return [_with_tags(head, text) for head in heads]


def _with_tags(head: str, text: str) -> str:
    first = FILETAGS.search(head)
    title = TITLE.search(head)
    at = first.start() if first else min(title.end() + 1, len(head)) if title else 0
    bare = head[:at] + re.sub(FILETAGS.pattern + r"\n?", "", head[at:], flags=FILETAGS.flags)
    return bare[:at] + text + bare[at:]


def _first_lines(parts: list[Part]) -> dict[str, int]:
    lines: dict[str, int] = {}
    at = 1
    for part in parts:
        lines[part.id] = at
        at += part.text.count("\n")
    return lines


def _order(base: list[str], ours: list[str], theirs: list[str]) -> list[str] | None:
    """All ids in an order that both sides can have meant; None where they moved nodes both."""
    kept = [
        [i for i in side if i in base and i in ours and i in theirs]
        for side in (base, ours, theirs)
    ]
    spine, clashes = threeway.value(*kept)
    if clashes:
        return None
    alone = {*ours, *theirs}.difference(spine)
    runs: dict[str, list[list[str]]] = {}
    for side in (ours, theirs):
        before = ""
        run: list[str] = []
        for node in [*side, ""]:
            if node in alone and node:
                run.append(node)
                continue
            if run:
                runs.setdefault(before, []).append(run)
                run = []
            before = node
    order = [node for run in sorted(runs.get("", [])) for node in run]
    for node in spine:
        order.append(node)
        order += [n for run in sorted(runs.get(node, [])) for n in run]
    return list(dict.fromkeys(order))
