"""Steps 4 and 7 for any collection of notes: what is accepted, what is left out, what is told."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import ValidationFailedError
from aikb.writing.secrets import SecretGate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from aikb.config import Settings
    from aikb.formats.org.emacs_view import Reading
    from aikb.model import Change, Finding
    from aikb.writing.ground import Ground


class Proposal(NamedTuple):
    """What a job wants: changes to notes, a commit message, findings that it made itself.

    With ``keep_good`` files with errors are left out and the others are written all the same.
    Without a message the commit says which files it has.  ``allows`` are hashes of secrets that a
    person allows with it.
    """

    changes: tuple[Change, ...]
    message: str
    findings: tuple[Finding, ...] = ()
    keep_good: bool = False
    allows: tuple[str, ...] = ()


class Gate:
    """Holds changes against a collection's rules, and against those for secrets, which all share.

    ``blobs`` gives git's objects by name; it is handed in because it asks git.
    """

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
            bad = {f.path for f in findings if f.severity == "error"}
            if not bad:
                return changes, self.told([*dropped, *findings])
            kept = [change for change in changes if change.path not in bad]
            if not proposal.keep_good or len(kept) == len(changes):
                raise ValidationFailedError(self.told([*dropped, *findings]))
            dropped += [f for f in findings if f.path in bad]
            own = [f for f in own if f.path not in bad]
            left_out += [change for change in changes if change.path in bad]
            changes = kept

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
