"""Steps 4 and 7 for any collection of notes: what is accepted, what is left out, what is told."""

from __future__ import annotations

import contextlib
import posixpath
from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE, read_settings
from aikb.errors import ConfigError, ValidationFailedError
from aikb.formats.counted import counted
from aikb.model import Change
from aikb.writing.secrets import SecretGate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from aikb.config import Settings
    from aikb.formats.org.emacs_view import Reading
    from aikb.model import Finding
    from aikb.writing.ground import Ground


class Onto(NamedTuple):
    """The other history that a merge takes in.

    What it brings as it is (``forward``: and nothing of ours stands against it) was written elsewhere,
    and is told of but kept out by nothing; only ``fresh`` files, which neither side has, are held
    against the rules.  They are by path, with our and their bytes.  ``theirs`` is the object that the
    other commit has at each path that it changed, ``index_id`` its index's id where it has another one,
    ``renamed`` are captures of ours that made room for one of theirs.
    """

    commit: str
    forward: bool
    fresh: Mapping[str, tuple[bytes | None, bytes | None]]
    theirs: Mapping[str, str | None]
    index_id: str = ""
    renamed: frozenset[str] = frozenset()

    @property
    def made_room(self) -> set[tuple[str, str]]:
        """The findings that only say so."""
        return {("capture-changed", path) for path in self.renamed}


class Proposal(NamedTuple):
    """What a job wants: changes to notes, a commit message, findings that it made itself.

    With ``keep_good`` files with errors are left out and the others are written all the same.
    Without a message the commit says which files it has.  ``allows`` are hashes of secrets that a
    person allows with it.  ``onto`` makes it a merge.
    """

    changes: tuple[Change, ...]
    message: str
    findings: tuple[Finding, ...] = ()
    keep_good: bool = False
    allows: tuple[str, ...] = ()
    onto: Onto | None = None

    def message_for(self, fresh: Sequence[Change]) -> str:
        """The commit's message, when *fresh* are the files that it will have."""
        named = {change.path for change in self.changes}
        paths = [change.path for change in fresh if change.path in named]
        if self.message:
            return self.message
        if not paths:
            return "index: regenerate"
        one = len(paths) == 1
        return f"commit: {posixpath.basename(paths[0]) if one else counted(len(paths), 'file')}"

    def settings_after(self, before: Settings) -> Settings:
        """The settings by which it is written: those that it brings, if it brings any that can be read."""
        for change in self.changes:
            if change.path == SETTINGS_FILE and change.after is not None:
                with contextlib.suppress(ConfigError):
                    return read_settings(change.after.decode("utf-8", "replace"))
        return before


class Gate:
    """Holds changes against a collection's rules, and against those for secrets, which all share.

    ``blobs`` gives git's objects by name; it is handed in because it asks git.  ``private`` says that
    files are for their owner alone.
    """

    private = False

    def __init__(
        self, settings: Settings, blobs: Callable[[Sequence[str]], list[bytes | None]]
    ) -> None:
        self.settings = settings
        self._secrets = SecretGate(blobs, settings.allowed_secrets)

    @abstractmethod
    def check(
        self, ground: Ground, changes: Sequence[Change], refused: Sequence[Change]
    ) -> list[Finding]:
        """All that the collection's rules say of it as these changes would leave it.

        *refused* are the changes that were dropped before.
        """

    def notes_among(self, changes: Iterable[Change]) -> list[Change]:
        """The changes that Emacs is asked about: none, unless it is Emacs that reads the notes."""
        del changes
        return []

    # -- step 4

    def accept(
        self, ground: Ground, proposal: Proposal, refused: Sequence[Change] = ()
    ) -> tuple[list[Change], list[Finding]]:
        """The changes that may be written, and all findings; with ``keep_good`` bad ones are dropped.

        *refused* are changes that were dropped before.

        Raises:
            ValidationFailedError: there are errors, and all or nothing was asked for; or what is
                wrong lies outside of the changes.
        """
        changes, own = list(proposal.changes), list(proposal.findings)
        dropped: list[Finding] = []
        left_out = list(refused)
        while True:
            findings = [*own, *self.check(ground, changes, left_out)]
            findings += self._secrets.check(ground, proposal, changes)
            if onto := proposal.onto:  # their capture in the place of ours is no change of ours
                findings = [f for f in findings if (f.code, f.path) not in onto.made_room]
            bad = self._kept_out(ground, proposal, findings)
            if not bad:
                return changes, self.told([*dropped, *findings])
            kept = [change for change in changes if change.path not in bad]
            if not proposal.keep_good or len(kept) == len(changes):
                raise ValidationFailedError(self.told([*dropped, *findings]))
            dropped += [f for f in findings if f.path in bad]
            own = [f for f in own if f.path not in bad]
            left_out += [change for change in changes if change.path in bad]
            changes = kept

    def _kept_out(
        self, ground: Ground, proposal: Proposal, findings: Iterable[Finding]
    ) -> set[str]:
        """The files with errors; in a merge those with errors that neither side had."""
        errors = [f for f in findings if f.severity == "error"]
        onto = proposal.onto
        if onto is None:
            return {f.path for f in errors}
        errors = [f for f in errors if f.path in onto.fresh]
        if not errors:
            return set()
        had = set()
        for side in (0, 1):
            sides = [Change(p, None, v[side]) for p, v in onto.fresh.items() if v[side] is not None]
            had |= {(f.path, f.code) for f in self.check(ground, sides, [])}
        return {f.path for f in errors if (f.path, f.code) not in had}

    def to_read(self, proposal: Proposal, changes: Iterable[Change]) -> list[Change]:
        """The changes that Emacs is asked about; of a merge only what is new to both sides."""
        onto = proposal.onto
        return self.notes_among(c for c in changes if onto is None or c.path in onto.fresh)

    # -- step 7

    def judge(
        self,
        ground: Ground,
        proposal: Proposal,
        accepted: tuple[list[Change], list[Finding]],
        readings: Sequence[Reading],
    ) -> tuple[list[Change], list[Finding]]:
        """What is left of accepted changes when Emacs has read the notes among them, in their order.

        Raises:
            ValidationFailedError: as :meth:`accept`.
        """
        del ground, proposal, readings
        return accepted

    def told(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings in order and without any secret."""
        ordered = dict.fromkeys(self._secrets.blot(findings))
        return sorted(ordered, key=lambda f: (f.path, f.line, f.severity, f.code))
