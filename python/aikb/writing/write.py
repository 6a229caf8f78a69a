"""The write path, step by step; read :meth:`WritePath.write` first."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import (
    AikbError,
    BusyError,
    ChangedOnDiskError,
    StoreError,
    ValidationFailedError,
)
from aikb.formats.org.document import Document
from aikb.index.group import build_index
from aikb.model import Change, Finding, Snapshot
from aikb.rules import check_document, identity
from aikb.rules import emacs as emacs_rules
from aikb.sources.org_index import is_index_page
from aikb.sync.push import Pushed, push
from aikb.writing import repository
from aikb.writing.files import read_or_none
from aikb.writing.journal import Journal
from aikb.writing.lock import SYNC_LOCK_NAME, locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from aikb.config import Settings
    from aikb.model import Link
    from aikb.sources.org_store import OrgStore
    from aikb.tools.emacs import Emacs
    from aikb.tools.git import Git
    from aikb.writing.journal import Entry


class Proposal(NamedTuple):
    """What a job wants: changes to notes, a commit message, findings that it made itself.

    With ``keep_good`` files with errors are left out and the others are written all the same.
    """

    changes: tuple[Change, ...]
    message: str
    findings: tuple[Finding, ...] = ()
    keep_good: bool = False


class Written(NamedTuple):
    """What came of it: the commit (empty: nothing had to change), paths, findings, push, repair."""

    commit: str
    paths: tuple[str, ...]
    refused: tuple[str, ...]
    findings: tuple[Finding, ...]
    pushed: Pushed
    repaired: str | None


class WritePath:
    """Everything that a change to an org store needs, put together by :mod:`aikb.app`.

    ``backlinks`` gives the links that lead to an id; it is handed in because it asks ripgrep.
    ``announce`` is called once there is a new commit, before the push, which may take its time.
    """

    def __init__(
        self,
        store: OrgStore,
        git: Git,
        emacs: Callable[[], Emacs],
        settings: Settings,
        backlinks: Callable[[str], Iterable[Link]],
        new_id: Callable[[], str],
        announce: Callable[[], None] = lambda: None,
    ) -> None:
        self.store = store
        self.git = git
        self.settings = settings
        self._emacs = emacs
        self._backlinks = backlinks
        self._new_id = new_id
        self._announce = announce
        self._journal = Journal(store.root)
        self.index_id = ""

    def write(self, propose: Callable[[Snapshot], Proposal], *, lints: bool = True) -> Written:
        """Take a change through all steps.

        *propose* is called under the lock with the notes as they are on disk, so that what it
        decides (a free file name, a short id's target) still holds when it is written.

        Raises:
            ValidationFailedError: error findings; nothing was touched.
            ChangedOnDiskError, BusyError, StoreError, ToolError, DiskError: nothing was touched.
        """
        with self._emacs() as emacs:
            if lints:
                emacs.start()
            if not self.git.exists():
                repository.check_fit(self.git)
            with locked(self.git.directory, self.settings.lock_seconds) as descriptor:
                self.git.keep = (descriptor,)
                written, branch = self._write_locked(propose, emacs)
        if written.commit:
            self._announce()
            written = written._replace(pushed=self.push(branch))
        return written

    def _write_locked(
        self, propose: Callable[[Snapshot], Proposal], emacs: Emacs
    ) -> tuple[Written, str]:
        repaired = repository.recover(self.git, self._journal)
        branch = repository.check_fit(self.git)
        snapshot = self.store.snapshot()
        proposal = propose(snapshot)
        self.compare(proposal.changes)
        base = self.committed(snapshot)
        changes, findings = self.accept(proposal, base)
        entries: Sequence[Entry] = ()
        try:
            if changes:
                entries = self._journal.stage(changes)
                changes, entries, findings = self.lint(
                    proposal, base, changes, entries, findings, emacs
                )
            pages = self.project_index(self.project(base, changes))
            if pages:
                entries = self._journal.stage([*changes, *pages])
            everything = [*changes, *pages]
            commit = (
                self._commit(everything, entries, proposal.message, branch) if everything else ""
            )
        finally:
            self._journal.discard()
        refused = {c.path for c in proposal.changes} - {c.path for c in changes}
        paths = tuple(c.path for c in everything)
        pushed = Pushed("unchanged", "")
        return (
            Written(commit, paths, tuple(sorted(refused)), tuple(findings), pushed, repaired),
            branch,
        )

    # -- step 2

    def compare(self, changes: Sequence[Change]) -> None:
        """The files on disk are the ones that the caller saw, and no Emacs is changing them.

        Raises:
            ChangedOnDiskError, BusyError: one is not.
        """
        for change in changes:
            if read_or_none(self.store.root, change.path) != change.before:
                raise ChangedOnDiskError(change.path)
            if change.before != change.after:
                _refuse_if_edited(self.store.root, change.path)

    # -- step 3

    def committed(self, snapshot: Snapshot) -> Snapshot:
        """The notes as HEAD has them: what is on disk, less what is not committed.

        So a half-written file of somebody else is never in the index, and nothing can link to it.
        """
        files = dict(snapshot.files)
        for path in self.git.status():
            if path not in files and not path.endswith(".org"):
                continue
            data = self.git.show("HEAD", path) if self.git.head() else None
            files.pop(path, None)
            if data is not None and _is_note_path(path):
                files[path] = self.store.notes_of(path, data)
        return snapshot._replace(files=files)

    def project(self, base: Snapshot, changes: Iterable[Change]) -> Snapshot:
        """The snapshot as it will be."""
        files = dict(base.files)
        for change in changes:
            files.pop(change.path, None)
            if change.after is not None and _is_note_path(change.path):
                files[change.path] = self.store.notes_of(change.path, change.after)
        return base._replace(files=files)

    def project_index(self, future: Snapshot) -> list[Change]:
        """The index's own changes, so that notes and index are always in one commit.

        Raises:
            StoreError: a page's name is taken by a file of a person's.
        """
        old, foreign = self.store.index_files()
        index = build_index(future.notes, self.settings.types)
        pages = self.store.render_index(index, self.settings, self._index_id())
        if taken := sorted(set(foreign) & set(pages)):
            raise StoreError(
                f"'{taken[0]}' is no generated page, and ai-kb does not write over it",
                "Give that file another name; its id keeps every link to it working.",
            )
        changes = []
        for path in sorted({*old, *pages}):
            after = pages[path].encode() if path in pages else None
            if old.get(path) != after:
                changes.append(Change(path, old.get(path), after))
        return changes

    def _index_id(self) -> str:
        self.index_id = self.index_id or self.store.index_id() or self._new_id()
        return self.index_id

    # -- step 4

    def accept(self, proposal: Proposal, base: Snapshot) -> tuple[list[Change], list[Finding]]:
        """Hold the changes against the rules; with ``keep_good`` drop those that fail.

        Raises:
            ValidationFailedError: there are errors, and all or nothing was asked for.
        """
        changes = list(proposal.changes)
        dropped: list[Finding] = []
        while True:
            findings = self.check(base, changes)
            errors = [f for f in (*proposal.findings, *findings) if f.severity == "error"]
            if not errors:
                return changes, [*proposal.findings, *dropped, *findings]
            if not proposal.keep_good:
                raise ValidationFailedError(_sorted([*proposal.findings, *findings]))
            bad = {f.path for f in errors}
            kept = [change for change in changes if change.path not in bad]
            if len(kept) == len(changes):
                raise ValidationFailedError(_sorted([*dropped, *findings]))
            dropped += [f for f in findings if f.path in bad]
            dropped += [f for f in proposal.findings if f.path in bad]
            proposal = proposal._replace(
                findings=tuple(f for f in proposal.findings if f.path not in bad)
            )
            changes = kept

    def check(self, base: Snapshot, changes: Sequence[Change]) -> list[Finding]:
        """All that the rules say of the store as these changes would leave it."""
        future = self.project(base, changes)
        ids = {note.id for note in future.notes} | self._own_ids()
        findings: list[Finding] = []
        for change in changes:
            if change.after is None or not _is_note_path(change.path):
                continue
            document = Document(change.path, change.after)
            found = check_document(document, self.settings.types)
            findings += found
            if not any(f.severity == "error" for f in found):
                findings += identity.check_links(document, ids)
        findings += identity.check_unique(future.files, [c.path for c in changes])
        findings += self._check_removed(base, future, changes)
        return _sorted(findings)

    def _own_ids(self) -> set[str]:
        """The index page's id: a node may link to it."""
        return {self._index_id()}

    def _check_removed(
        self, base: Snapshot, future: Snapshot, changes: Sequence[Change]
    ) -> list[Finding]:
        changed = {change.path for change in changes}
        before = {n.id: n for path in changed for n in base.files.get(path, ())}
        gone = before.keys() - {note.id for note in future.notes}
        findings = []
        for node_id in sorted(gone):
            links = [link for link in self._backlinks(node_id) if link.path not in changed]
            for finding in identity.check_referrers({node_id}, links):
                note = before[node_id]
                findings.append(finding)
                findings.append(
                    Finding(
                        note.path,
                        note.line,
                        "error",
                        "still-linked",
                        f"{finding.path}:{finding.line} links to this node ({node_id[:8]}); change "
                        "that link first, or keep the node and mark it superseded",
                    )
                )
        return findings

    # -- steps 6 and 7

    def lint(
        self,
        proposal: Proposal,
        base: Snapshot,
        changes: list[Change],
        entries: Sequence[Entry],
        findings: list[Finding],
        emacs: Emacs,
    ) -> tuple[list[Change], Sequence[Entry], list[Finding]]:
        """Ask Emacs about all staged notes at once.

        Raises:
            ValidationFailedError: Emacs found errors, and all or nothing was asked for.
        """
        notes = [
            (change, entry)
            for change, entry in zip(changes, entries, strict=True)
            if change.after is not None and _is_note_path(change.path)
        ]
        readings = emacs.read([self._journal.staged_path(entry) for _, entry in notes])
        found: list[Finding] = []
        for (change, _), reading in zip(notes, readings, strict=True):
            document = Document(change.path, change.after or b"")
            if reading.error:
                message = f"Org cannot parse this file: {reading.error}"
                found.append(Finding(change.path, 1, "error", "org-cannot-parse", message))
                continue
            found += emacs_rules.check_lint(document, reading.lint)
            found += emacs_rules.check_agreement(document, reading.nodes, reading.links)
        bad = {f.path for f in found if f.severity == "error"}
        findings = _sorted([*findings, *found])
        if not bad:
            return changes, entries, findings
        if not proposal.keep_good:
            raise ValidationFailedError(findings)
        kept = [change for change in changes if change.path not in bad]
        smaller = proposal._replace(changes=tuple(kept), findings=())
        kept, more = self.accept(smaller, base)
        return kept, self._journal.stage(kept) if kept else (), _sorted({*findings, *more})

    # -- steps 8 and 9

    def _commit(
        self, changes: Sequence[Change], entries: Sequence[Entry], message: str, branch: str
    ) -> str:
        self.compare(changes)
        self._journal.promote(entries)
        files = {change.path: change.after for change in changes}
        try:
            return repository.commit(self.git, files, message, branch, self.git.head())
        except BaseException:
            self._journal.put_back(entries)
            repository.restore_index(self.git, list(files))
            raise

    # -- step 10

    def push(self, branch: str) -> Pushed:
        """Send what is committed to the remote, one pusher at a time."""
        try:
            with locked(self.git.directory, self.settings.push_seconds, SYNC_LOCK_NAME):
                self.git.keep = ()
                return push(self.git, branch, self.settings.push_seconds)
        except AikbError as error:
            return Pushed("behind", f"committed here, not pushed: {error.message}")


def _is_note_path(path: str) -> bool:
    return path.endswith(".org") and not path.startswith("raw/") and not is_index_page(path)


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(dict.fromkeys(findings), key=lambda f: (f.path, f.line, f.severity, f.code))


def _refuse_if_edited(root: str, path: str) -> None:
    """Refuse a file in which a running Emacs on this machine has unsaved changes."""
    folder, name = os.path.split(os.path.join(root, path))
    try:
        owner = os.readlink(os.path.join(folder, f".#{name}"))
    except OSError:
        return
    who, _, rest = owner.rpartition(".")
    pid = rest.partition(":")[0]
    host = who.rpartition("@")[2]
    if (
        pid.isdigit()
        and host in {socket.gethostname(), "localhost"}
        and os.path.exists(f"/proc/{pid}")
    ):
        raise BusyError(f"Emacs (pid {pid}) has unsaved changes in '{path}' and", 0)
