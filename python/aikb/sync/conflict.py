"""What two machines changed each in its own way, and what a person decided about it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import AikbError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Finding

_UUID = re.compile(r"[0-9a-fA-F-]{36}")
CHOICES = ("ours", "theirs", "both")


class Versions(NamedTuple):
    """One file in three versions, None where it is not there; ``path`` is where the merge stands."""

    path: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None

    @property
    def mark(self) -> str:
        """A digest of all three: a decision holds for these and no others."""
        digest = hashlib.sha256()
        for data in self[1:]:
            digest.update(b"-" if data is None else b"%d:" % len(data) + data)
        return digest.hexdigest()[:32]


class Conflict(NamedTuple):
    """One node (or file) that cannot be merged.

    ``what`` says what of it: ``body``, ``title``, ``property KEY``, ``deleted`` (and changed on the other
    side), ``made twice``, ``broken`` (it merges, and the result would be no good node), ``file``;
    ``lines`` are the ranges in our version.
    """

    node: str
    title: str
    what: tuple[str, ...]
    lines: tuple[tuple[int, int], ...]
    versions: Versions

    @property
    def path(self) -> str:
        """Where the node stands."""
        return self.versions.path

    @property
    def key(self) -> str:
        """The name by which it is decided: the node's id, or the path."""
        return self.node or self.path

    def render(self) -> str:
        """One line for a person."""
        where = f"{self.path}:{self.lines[0][0]}" if self.lines else self.path
        name = f"{self.short} {self.title}" if self.node else self.path
        return f"conflict {name} ({where}): {self._words()}"

    @property
    def short(self) -> str:
        """The shortest name by which a person can decide it."""
        return self.node[:8] if _UUID.fullmatch(self.node) else self.key

    def _words(self) -> str:
        if "deleted" in self.what:
            return "deleted on one side, changed on the other"
        if "made twice" in self.what:
            return "made on both sides, with different words"
        if "broken" in self.what:
            return "what both sides changed does not fit together"
        return f"{', '.join(self.what)} changed on both sides"


class Decision(NamedTuple):
    """What a person wants for versions with this mark: ``ours``, ``theirs`` or ``both``."""

    mark: str
    side: str


class MergeConflictError(AikbError):
    """Two machines changed the same in different ways: a person decides; nothing was merged.

    Attributes:
        conflicts: every node that cannot be merged.
        findings: why a merge would be no good node.
    """

    def __init__(
        self,
        conflicts: Sequence[Conflict],
        findings: Sequence[Finding] = (),
        command: str = "ai-kb sync",
    ) -> None:
        self.conflicts = tuple(conflicts)
        self.findings = tuple(findings)
        super().__init__(
            f"{counted(len(self.conflicts), 'node')} cannot be merged; nothing was changed",
            f"Decide each: `{command} --resolve {self.conflicts[0].short} ours|theirs|both` (both keeps "
            "their version as a node of its own, contested)"
            + (", or M-x ai-kb-resolve in Emacs." if command == "ai-kb sync" else "."),
        )
