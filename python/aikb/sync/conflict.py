"""What two machines changed each in its own way, and what a person decided about it."""

from __future__ import annotations

import hashlib
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE
from aikb.errors import AikbError, StoreError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Finding
    from aikb.sync.excerpt import Line

_UUID = re.compile(r"[0-9a-fA-F-]{36}")
CHOICES = ("ours", "theirs", "both")


class Versions(NamedTuple):
    """One file in three versions, None where it is not there; ``path`` is where the merge stands.

    ``here`` and ``there`` are our and their name for it, where the file goes by another one.
    """

    path: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    here: str = ""
    there: str = ""

    @property
    def sides(self) -> tuple[bytes | None, bytes | None]:
        """Our version and theirs."""
        return self.ours, self.theirs

    @property
    def mark(self) -> str:
        """A digest of all three: a decision holds for these and no others."""
        digest = hashlib.sha256()
        for data in (self.base, *self.sides):
            digest.update(b"-" if data is None else b"%d:" % len(data) + data)
        return digest.hexdigest()[:32]

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that the file goes by: the merge's, ours, theirs."""
        return tuple(dict.fromkeys(name for name in (self.path, self.here, self.there) if name))


class Conflict(NamedTuple):
    """One node (or file) that cannot be merged.

    ``what`` says what of it: ``body``, ``title``, ``property KEY``, ``deleted`` (and changed on the other
    side), ``made twice``, ``broken`` (it merges, and the result would be no good node), ``file``;
    ``lines`` are the ranges in our version, ``gone`` the side that deleted it, ``shown`` the lines in
    which the versions differ, and ``merged`` the text that the rules refused.
    """

    node: str
    title: str
    what: tuple[str, ...]
    lines: tuple[tuple[int, int], ...]
    versions: Versions
    gone: str = ""
    shown: tuple[Line, ...] = ()
    merged: bytes | None = None

    @property
    def path(self) -> str:
        """Where the node stands."""
        return self.versions.path

    @property
    def key(self) -> str:
        """The name by which it is decided: the node's id, or the path."""
        return self.node or self.path

    @property
    def choices(self) -> tuple[str, ...]:
        """What a person can decide; a file whose name is its meaning is not kept twice."""
        return CHOICES[:2] if not self.node and _is_own(self.path) else CHOICES

    def render(self) -> str:
        """One line for a person."""
        here = self.versions.here or self.path
        where = f"{here}:{self.lines[0][0]}" if self.lines else here
        if (there := self.versions.there or self.path) != here:
            where += f"; on the remote {there}"
        name = f"{self.short} {self.title}" if self.node else self.path
        return f"conflict {name} ({where}): {self._words()}"

    @property
    def short(self) -> str:
        """The shortest name by which a person can decide it."""
        return self.node[:8] if _UUID.fullmatch(self.node) else self.key

    def _words(self) -> str:
        if self.gone:
            deleted, kept = ("here", "on the remote")[:: 1 if self.gone == "ours" else -1]
            other = "theirs" if self.gone == "ours" else "ours"
            return (
                f"deleted {deleted}, changed {kept}; {self.gone} deletes it, {other} keeps it as it was "
                "changed, and so does both"
            )
        if "made twice" in self.what:
            return "made on both sides, with different words"
        if "broken" in self.what:
            return "what both sides changed does not fit together"
        return f"{', '.join(self.what)} changed on both sides"


def _is_own(path: str) -> bool:
    """Whether a file is for a program, which looks for it under this one name."""
    return path == SETTINGS_FILE or any(part.startswith(".") for part in path.split("/"))


class Decision(NamedTuple):
    """What a person wants for versions with this mark: ``ours``, ``theirs`` or ``both``."""

    mark: str
    side: str


class Decided(NamedTuple):
    """A decision that counted: for which conflict, and the files (path, id) that ``both`` made."""

    node: str
    path: str
    side: str
    made: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """As :attr:`Conflict.key`."""
        return self.node or self.path


class BrokenMergeError(StoreError):
    """A merge would break the store in a way that no decision about one node mends."""


class MergeConflictError(AikbError):
    """Two machines changed the same in different ways: a person decides; nothing was merged.

    Attributes:
        conflicts: every node that cannot be merged.
        findings: why a merge would be no good node.
        decided: what was decided before, and is kept for the merge to come.
    """

    def __init__(
        self,
        conflicts: Sequence[Conflict],
        findings: Sequence[Finding] = (),
        command: str = "ai-kb sync",
        decided: Sequence[Decided] = (),
    ) -> None:
        self.conflicts = tuple(conflicts)
        self.findings = tuple(findings)
        self.decided = tuple(decided)
        vault = "vault" in command
        kept = f"; {counted(len(decided), 'decision')} kept for the merge" if decided else ""
        first = self.conflicts[0]
        choices = "|".join(first.choices)
        both = ""
        if "both" in first.choices and not first.gone:
            noun = ("note" if vault else "node") if first.node else "file"
            both = f" (both keeps their version as a {noun} of its own{', contested' * bool(first.node)})"
        super().__init__(
            f"{_counted(self.conflicts, vault=vault)} cannot be merged; nothing was changed{kept}",
            f"Decide each: `{command} --resolve {shlex.quote(first.short)} {choices}`{both}"
            + ("." if vault else ", or M-x ai-kb-resolve in Emacs."),
        )


def _counted(conflicts: Sequence[Conflict], *, vault: bool) -> str:
    """``1 node``, ``2 nodes and 1 file``."""
    nodes = sum(bool(conflict.node) for conflict in conflicts)
    parts = ((nodes, "note" if vault else "node"), (len(conflicts) - nodes, "file"))
    return " and ".join(counted(number, noun) for number, noun in parts if number)
