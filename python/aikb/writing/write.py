"""The write path, step by step; read :meth:`WritePath.write` first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import AikbError, ChangedOnDiskError, HeadMovedError, StoppedError
from aikb.sync.push import Pushed, Sender, push
from aikb.writing import ground as grounds
from aikb.writing import repository
from aikb.writing.dead_locks import clear_of_sync
from aikb.writing.files import read_or_none
from aikb.writing.journal import Journal
from aikb.writing.lock import SYNC_LOCK_NAME, locked, refuse_if_edited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aikb.config import Settings
    from aikb.model import Change, Finding
    from aikb.sources.base import NoteFiles
    from aikb.tools.folder import Repository
    from aikb.writing.gate import Gate, Proposal
    from aikb.writing.ground import Ground
    from aikb.writing.reader import Reader


class Written(NamedTuple):
    """What came of it: the commit (empty: nothing had to change), paths, findings, push, repair.

    ``paths`` is what was written or looked at, generated pages among it; ``committed`` the files of
    the proposal that HEAD did not have so before (without history: all of them).
    """

    commit: str
    paths: tuple[str, ...]
    committed: tuple[str, ...]
    refused: tuple[str, ...]
    findings: tuple[Finding, ...]
    pushed: Pushed
    repaired: str | None


class WritePath:
    """Everything that a change to a collection of notes needs, put together by :mod:`aikb.app`.

    ``gate`` holds the collection's rules, ``reader`` makes the second opinion on what is staged.
    ``announce`` is called once there is a new commit, before the push, which may take its time.
    """

    def __init__(
        self,
        store: NoteFiles,
        git: Repository,
        settings: Settings,
        gate: Gate,
        reader: Callable[[], Reader],
        new_id: Callable[[], str],
        announce: Callable[[], None] = lambda: None,
    ) -> None:
        self.store = store
        self.git = git
        self.settings = settings
        self.index_id = new_id()  # the index's, where it has none yet
        self._reader = reader
        self.gate = gate
        self._announce = announce
        self._journal = Journal(store.root, private=gate.private)
        self._vetted: str | None = None
        self.program = "ai-kb"  # how the collection's commands begin
        self.catch_up: Callable[[], Pushed] | None = None  # merge what the remote has, and push

    def write(
        self,
        propose: Callable[[Ground], Proposal],
        *,
        lints: bool = True,
        asked: bool = False,
        sends: bool = True,
    ) -> Written:
        """Take a change through all steps.

        *propose* is called under the lock with the store as it is, so that what it decides (a free
        file name, a short id's target) still holds when it is written.  *asked*: somebody waits for the
        backup, so that it is tried even if it failed just now, and is not merged with by itself.
        Without *sends* the last step is left to a later write.

        Raises:
            ValidationFailedError: error findings; nothing was touched.
            ChangedOnDiskError, BusyError, StoreError, ToolError, DiskError: nothing was touched.
            StoppedError: somebody stopped it while it was sent; it is committed.
        """
        for last in (False, False, True):
            try:
                written, branch = self._attempt(propose, lints=lints)
            except HeadMovedError:
                if last:
                    raise
            else:
                break
        if written.commit or not self.git.has_history:
            self._announce()
            if sends:
                try:
                    pushed = self.push(branch) if asked else self.send(branch)  # 10
                except KeyboardInterrupt:
                    if asked:  # a sync tells it, with the rest of what it did
                        raise
                    what = ", ".join((written.committed or written.paths)[:3])
                    raise StoppedError(
                        f"stopped: {what} is committed here ({written.commit[:10]}), and may not be "
                        "pushed yet"
                    ) from None
                findings = (*written.findings, *pushed.told)
                written = written._replace(pushed=pushed, findings=findings)
            repository.tidy(self.git)
        return written

    def _attempt(
        self, propose: Callable[[Ground], Proposal], *, lints: bool
    ) -> tuple[Written, str]:
        with self._reader() as reader:
            if lints:
                reader.start()
            repository.check_exists(self.git)
            with locked(self.git.directory, self.settings.lock_seconds) as descriptor:  # 1
                self.git.keep = (descriptor,)
                try:
                    return self._write_locked(propose, reader)
                finally:
                    self.git.keep = ()

    def _write_locked(
        self, propose: Callable[[Ground], Proposal], reader: Reader
    ) -> tuple[Written, str]:
        repaired = repository.recover(self.git, self._journal)
        try:
            branch = repository.check_fit(self.git)
            ground, rebuilt = self._look()
            repaired = "; ".join(filter(None, (repaired, rebuilt))) or None
            proposal = propose(ground)
            self.settings = self.gate.settings = proposal.settings_after(self.settings)
            if proposal.onto and proposal.onto.index_id:
                ground = ground._replace(index_id=proposal.onto.index_id)
            unreadable = {f.path for f in proposal.findings if f.severity == "error"}
            self.compare([c for c in proposal.changes if c.path not in unreadable])  # 2
            accepted = self.gate.accept(ground, proposal)  # 3, 4
            with self._journal:
                changes, findings, pages = self.stage_and_lint(ground, proposal, accepted, reader)
                findings += grounds.keep_edited(self.store.root, ground, pages)
                commit = self.promote_and_commit(ground, proposal, [*changes, *pages], branch)
        except AikbError as error:
            error.repaired = repaired
            raise
        accepted_paths = {change.path for change in changes}
        refused = sorted({c.path for c in proposal.changes} - accepted_paths)
        paths = tuple(change.path for change in (*changes, *pages))
        kept = self.git.has_history
        committed = tuple(c.path for c in changes if not (kept and grounds.is_held(ground, c)))
        pushed = Pushed("unchanged", "")
        written = Written(
            commit, paths, committed, tuple(refused), tuple(findings), pushed, repaired
        )
        return written, branch

    def _look(self) -> tuple[Ground, str | None]:
        status, rebuilt = repository.read_status(self.git)
        self.git.config()  # asked while Emacs still loads
        return grounds.look(self.store, self.git, status, self.index_id), rebuilt

    def stale_pages(self) -> list[Change]:
        """What of the index is not as the committed notes say; changes nothing."""
        status = self.git.status() if self.git.exists() else None
        ground = grounds.look(self.store, self.git, status, self.index_id)
        return grounds.project_index(self.store, self.settings, ground, ground.base)

    # -- step 2

    def compare(self, changes: Sequence[Change]) -> None:
        """The files on disk are the ones that the caller saw, and no Emacs is changing them.

        Raises:
            ChangedOnDiskError, EditedError: one is not.
        """
        for change in changes:
            if read_or_none(self.store.root, change.path) != change.before:
                raise ChangedOnDiskError(change.path)
            if change.before != change.after:
                refuse_if_edited(self.store.root, change.path)

    # -- steps 3, 5, 6 and 7

    def stage_and_lint(
        self,
        ground: Ground,
        proposal: Proposal,
        accepted: tuple[list[Change], list[Finding]],
        reader: Reader,
    ) -> tuple[list[Change], list[Finding], list[Change]]:
        """Stage the notes, project and stage the index while it is read, and hear what was read.

        Returns:
            The changes that stand, all findings, and the index's own changes.

        Raises:
            ValidationFailedError: Emacs found errors, and all or nothing was asked for.
        """
        changes, findings = accepted
        places = dict(zip((c.path for c in changes), self._journal.stage(changes), strict=True))
        reader.ask([places[c.path] for c in self.gate.to_read(proposal, changes)])
        pages = self._stage_index(ground, proposal, changes)
        left, findings = self.gate.judge(ground, proposal, accepted, reader.answers())
        if len(left) != len(changes):
            self._journal.restart()
            self._journal.stage(left)
            pages = self._stage_index(ground, proposal, left)
        return left, findings, pages

    def _stage_index(
        self, ground: Ground, proposal: Proposal, changes: Sequence[Change]
    ) -> list[Change]:
        if proposal.changes and not changes:
            return []  # all was refused: nothing is to change
        future = grounds.project(self.store, ground.base, changes)
        pages = grounds.project_index(self.store, self.settings, ground, future)
        self._journal.stage(pages)
        return pages

    # -- steps 8 and 9

    def promote_and_commit(
        self, ground: Ground, proposal: Proposal, changes: Sequence[Change], branch: str
    ) -> str:
        """Put everything in its place and commit it; returns the commit, empty if none was needed.

        Raises:
            ChangedOnDiskError, DiskError, GitError: everything is as it was before.
        """
        onto = proposal.onto
        if not changes:
            return (
                repository.land(self.git, ground, onto, {}, proposal.message, branch)
                if onto
                else ""
            )
        fresh = [c for c in changes if not grounds.is_held(ground, c)]
        files = {change.path: change.after for change in fresh}
        self.compare(changes)
        try:
            self._journal.promote(self.git.index_file())
            repository.stage(self.git, [change.path for change in changes])
            if onto:
                wanted = {change.path: change.after for change in changes}
                commit = repository.land(self.git, ground, onto, wanted, proposal.message, branch)
            elif fresh:
                message = proposal.message_for(fresh)
                commit = repository.commit(self.git, files, message, branch, ground.head)
                self._vetted = ground.head  # what stands above it went through our own gate
            else:
                commit = ""
        except BaseException as error:
            landed = self._settled_forward()
            if not isinstance(error, AikbError):
                raise
            head = self.git.head()
            if not landed and head != ground.head:
                raise HeadMovedError(self.store.root) from error
            if not landed:
                raise
            commit = head or ""  # whatever git said, HEAD has it
        self._journal.discard()
        return commit

    def _settled_forward(self) -> bool:
        """End a write that failed; whether HEAD has it.

        If even this fails the record stays, and the next command tries again.
        """
        try:
            done = repository.settle(self.git, self._journal, killed=self.git.killed)
        except AikbError:
            return False
        return done.startswith("finished")

    def repair(self) -> str | None:
        """Finish or undo a write whose process died, if no writer is at work now; says what it did.

        Raises:
            AikbError: it cannot be done; the record stays.
        """
        if not self._journal.interrupted() or not self.git.exists():
            return None
        with locked(self.git.directory, 0):
            return repository.recover(self.git, self._journal)

    # -- step 10

    def send(self, branch: str) -> Pushed:
        """Send it, unless that failed just now; merge first with what the remote has more."""
        pushed = self.push(branch, asked=False)
        return self.catch_up() if pushed.diverged and self.catch_up else pushed

    def push(self, branch: str, *, asked: bool = True) -> Pushed:
        """Send what is committed to the remote, one pusher at a time."""
        seconds = self.settings.push_seconds
        try:
            with locked(self.git.directory, seconds, SYNC_LOCK_NAME):
                clear_of_sync(self.git, branch)
                sender = Sender(self.store.is_note_path, self.program)
                return push(self.git, branch, seconds, sender, self._vetted, asked=asked)
        except AikbError as error:
            return Pushed("behind", f"committed here, not pushed: {error.message}")
