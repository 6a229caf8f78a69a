"""Steps 4, 6 and 7 for the org store: what the rules and Emacs say of a change to nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.org.document import Document
from aikb.model import Finding
from aikb.rules import check_document, identity, own_files, sources
from aikb.rules.emacs import check_reading
from aikb.sources.org_index import is_note_path
from aikb.writing.captures import capture_exists, check_captures
from aikb.writing.gate import Gate
from aikb.writing.ground import project

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from aikb.config import Settings
    from aikb.formats.org.emacs_view import Reading
    from aikb.model import Change, Link, Note
    from aikb.sources.org_store import OrgStore
    from aikb.writing.gate import Proposal
    from aikb.writing.ground import Ground


class Checks(Gate):
    """The org store's: ``backlinks``, which asks ripgrep, gives the links that lead to an id."""

    private = True

    def __init__(
        self,
        store: OrgStore,
        settings: Settings,
        backlinks: Callable[[str], Iterable[Link]],
        blobs: Callable[[Sequence[str]], list[bytes | None]],
    ) -> None:
        super().__init__(settings, blobs)
        self.store = store
        self._backlinks = backlinks

    # -- step 4

    def check(
        self, ground: Ground, changes: Sequence[Change], refused: Sequence[Change]
    ) -> list[Finding]:
        """Every note by itself, ids and links among all of them, and captures."""
        future = project(self.store, ground.base, changes)
        ids = {note.id for notes in future.files.values() for note in notes} | {ground.index_id}
        findings: list[Finding] = list(check_captures(ground, changes))
        exists = capture_exists(self.store.root, ground, changes)
        for change in changes:
            findings += own_files.check(change.path, change.after)
            if change.after is None or not is_note_path(change.path):
                continue
            document = Document(change.path, change.after)
            found = check_document(document, self.settings.types)
            findings += found
            if not any(f.severity == "error" for f in found):
                findings += identity.check_links(document, ids)
                findings += sources.check(document, exists)
        findings += identity.check_unique(future.files, [c.path for c in changes])
        staying = [c.path for c in changes if c.after is not None and is_note_path(c.path)]
        findings += identity.check_names(future.files, staying)
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
        for change, reading in zip(self.to_read(proposal, changes), readings, strict=True):
            found += check_reading(Document(change.path, change.after or b""), reading)
        if not any(f.severity == "error" for f in found):
            return changes, self.told([*findings, *found])
        refused = [change for change in proposal.changes if change not in changes]
        smaller = proposal._replace(changes=tuple(changes), findings=tuple(found))
        changes, more = self.accept(ground, smaller, refused)
        return changes, self.told([*findings, *more])

    def notes_among(self, changes: Iterable[Change]) -> list[Change]:
        """The changes that Emacs is asked about: the nodes."""
        return [c for c in changes if c.after is not None and is_note_path(c.path)]
