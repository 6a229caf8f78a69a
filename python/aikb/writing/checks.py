"""Steps 4, 6 and 7: what the rules and Emacs say of a change, and what is left out for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import ValidationFailedError
from aikb.formats.org.document import Document
from aikb.model import Finding
from aikb.rules import check_document, identity, sources
from aikb.rules.emacs import check_reading
from aikb.writing.captures import capture_exists, check_captures
from aikb.writing.ground import is_note_path, project
from aikb.writing.secrets import SecretGate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from aikb.config import Settings
    from aikb.formats.org.emacs_view import Reading
    from aikb.model import Change, Link, Note
    from aikb.sources.org_store import OrgStore
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


class Checks:
    """Holds changes against the rules.

    ``backlinks`` gives the links that lead to an id; it is handed in because it asks ripgrep, and
    ``blobs``, which gives objects by name, because it asks git.
    """

    def __init__(
        self,
        store: OrgStore,
        settings: Settings,
        backlinks: Callable[[str], Iterable[Link]],
        blobs: Callable[[Sequence[str]], list[bytes | None]],
    ) -> None:
        self.store = store
        self.settings = settings
        self._backlinks = backlinks
        self._secrets = SecretGate(blobs, settings.allowed_secrets)

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
            findings = [*own, *self._check(ground, changes, left_out)]
            findings += self._secrets.check(ground, proposal, changes)
            bad = {f.path for f in findings if f.severity == "error"}
            if not bad:
                return changes, self._told([*dropped, *findings])
            kept = [change for change in changes if change.path not in bad]
            if not proposal.keep_good or len(kept) == len(changes):
                raise ValidationFailedError(self._told([*dropped, *findings]))
            dropped += [f for f in findings if f.path in bad]
            own = [f for f in own if f.path not in bad]
            left_out += [change for change in changes if change.path in bad]
            changes = kept

    def _check(
        self, ground: Ground, changes: Sequence[Change], refused: Sequence[Change]
    ) -> list[Finding]:
        """All that the rules say of the store as these changes would leave it."""
        future = project(self.store, ground.base, changes)
        ids = {note.id for notes in future.files.values() for note in notes} | {ground.index_id}
        findings: list[Finding] = list(check_captures(ground, changes))
        exists = capture_exists(self.store.root, ground, changes)
        for change in changes:
            if change.after is None or not is_note_path(change.path):
                continue
            document = Document(change.path, change.after)
            found = check_document(document, self.settings.types)
            findings += found
            if not any(f.severity == "error" for f in found):
                findings += identity.check_links(document, ids)
                findings += sources.check(document, exists)
        findings += identity.check_unique(future.files, [c.path for c in changes])
        lost = {
            note.id: note
            for change in changes
            for note in ground.base.files.get(change.path, ())
            if note.id not in ids
        }
        findings += self._check_moved(lost, refused)
        return findings + self._check_removed(lost, {change.path for change in changes})

    def _check_moved(
        self, lost: Mapping[str, Note], refused: Sequence[Change]
    ) -> Iterator[Finding]:
        """A node that went to another file stays where it was until that file is good."""
        for change in refused:
            if change.after is None or not is_note_path(change.path):
                continue
            for moved in self.store.notes_of(change.path, change.after):
                if note := lost.get(moved.id):
                    yield Finding(
                        note.path, note.line, "error", "moved-to-refused",
                        f"this node moved to {change.path}, which was refused; mend that file first",
                    )  # fmt: skip

    def _check_removed(self, lost: Mapping[str, Note], changed: Collection[str]) -> list[Finding]:
        findings = []
        for node_id, note in sorted(lost.items()):
            links = [link for link in self._backlinks(node_id) if link.path not in changed]
            for finding in identity.check_referrers({node_id}, links):
                findings.append(finding)
                findings.append(
                    Finding(
                        note.path, note.line, "error", "still-linked",
                        f"{finding.path}:{finding.line} links to this node ({node_id[:8]}); change "
                        "that link first, or keep the node and mark it superseded",
                    )
                )  # fmt: skip
        return findings

    # -- steps 6 and 7

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
        changes, findings = accepted
        found: list[Finding] = []
        for change, reading in zip(notes_among(changes), readings, strict=True):
            found += check_reading(Document(change.path, change.after or b""), reading)
        if not any(f.severity == "error" for f in found):
            return changes, self._told([*findings, *found])
        refused = [change for change in proposal.changes if change not in changes]
        smaller = proposal._replace(changes=tuple(changes), findings=tuple(found))
        changes, more = self.accept(ground, smaller, refused)
        return changes, self._told([*findings, *more])

    def _told(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings in order and without any secret."""
        return _sorted(self._secrets.blot(findings))


def notes_among(changes: Iterable[Change]) -> list[Change]:
    """The changes that Emacs is asked about."""
    return [c for c in changes if c.after is not None and is_note_path(c.path)]


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(dict.fromkeys(findings), key=lambda f: (f.path, f.line, f.severity, f.code))
