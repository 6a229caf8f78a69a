"""The gate for credentials in the write path: nothing that is refused here reaches git or the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.config import SETTINGS_FILE
from aikb.formats.org.capture import in_full
from aikb.rules.secrets import (
    allowed_by,
    blot_findings,
    check_allow_list,
    check_files,
    check_message,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from aikb.model import Change, Finding
    from aikb.rules.credentials import Secret
    from aikb.writing.gate import Proposal
    from aikb.writing.ground import Ground


class SecretGate:
    """Holds what a change adds against the rules; ``blobs`` gives git's objects by name."""

    def __init__(
        self, blobs: Callable[[Sequence[str]], list[bytes | None]], allowed: Sequence[str]
    ) -> None:
        self._blobs = blobs
        self._allowed = allowed
        self._known: list[Secret] = []

    def check(self, ground: Ground, proposal: Proposal, changes: Sequence[Change]) -> list[Finding]:
        """Findings about files, their names and the message, and about a longer list of exceptions."""
        allowed = self._allowed_at_head(ground)
        files = [(c.path, in_full(c.after)) for c in changes if c.after is not None]
        leaks = check_files(files, lambda: self._old(ground, proposal), allowed)
        said = check_message(proposal.message, [*self._known, *leaks.known], allowed)
        self._known += leaks.known + said.known
        findings = leaks.findings + said.findings
        for change in changes:
            if change.path == SETTINGS_FILE:
                (before,) = self._held(ground, [change])
                findings += check_allow_list(before, change.after, proposal.allows)
        return findings

    def blot(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings without any secret that was seen."""
        return blot_findings(findings, self._known)

    def _old(self, ground: Ground, proposal: Proposal) -> list[bytes | None]:
        """What was committed before: by us, or in the other history that a merge takes in."""
        held = self._held(ground, proposal.changes)
        if onto := proposal.onto:
            held += [c.after for c in proposal.changes if c.path not in onto.fresh]
            held += [data for versions in onto.fresh.values() for data in versions]
        return held

    def _held(self, ground: Ground, changes: Iterable[Change]) -> list[bytes | None]:
        """What HEAD has of the files."""
        found = []
        for change in changes:
            dirty = ground.dirty.get(change.path)
            if dirty is None:
                found.append(change.before)
            else:
                found.append(self._blobs([dirty.at_head])[0] if dirty.at_head else None)
        return found

    def _allowed_at_head(self, ground: Ground) -> Sequence[str]:
        """What the last commit allows: a file that only lies there allows nothing."""
        dirty = ground.dirty.get(SETTINGS_FILE)
        if dirty is None:
            return self._allowed
        return allowed_by(self._blobs([dirty.at_head])[0]) if dirty.at_head else ()
