"""Sync: fetch, merge, push, until the remote has what is here and here is what the remote has.

A merge is a write like any other: worked out under the store's lock from commits alone, held against
the rules, staged, promoted under the journal and committed, with two parents.  So no file of the work
tree is ever half merged, and what a kill leaves is mended as after any write.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import AikbError, StoreError, UncommittedError, ValidationFailedError
from aikb.model import Change, Finding
from aikb.sync import decisions as decided
from aikb.sync import endings
from aikb.sync.conflict import MergeConflictError
from aikb.sync.mend import follow_captures, keep_linked, one_index, one_name
from aikb.sync.plan import Planner
from aikb.sync.push import Pushed
from aikb.sync.remote import REMOTE
from aikb.sync.same_ids import SameIds
from aikb.sync.settle import Settler
from aikb.tools import git_merge
from aikb.writing import uncommitted
from aikb.writing.attempt import forgetting, message_of, rehearse, until_taken
from aikb.writing.farside import FarSide
from aikb.writing.gate import Onto, Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from aikb.errors import StoppedError
    from aikb.sources.base import Mergeable
    from aikb.sync.conflict import Conflict, Decided, Decision
    from aikb.sync.sides import Plan
    from aikb.tools.git import Git
    from aikb.writing.ground import Ground
    from aikb.writing.write import WritePath, Written

_ROUNDS = 8  # other machines may push while we merge


class Synced(NamedTuple):
    """What came of it.

    ``brought`` is how many commits came from the remote, ``paths`` the files that changed here,
    ``merged`` whether two histories were made one, ``decided`` what a person had decided about it.
    """

    brought: int
    merged: bool
    commit: str
    paths: tuple[str, ...]
    findings: tuple[Finding, ...]
    pushed: Pushed
    repaired: str | None
    decided: tuple[Decided, ...] = ()

    def then(self, step: Synced) -> Synced:
        """Both, one after the other."""
        return Synced(
            self.brought + step.brought,
            self.merged or step.merged,
            step.commit or self.commit,
            tuple(dict.fromkeys([*self.paths, *step.paths])),
            tuple(dict.fromkeys([*self.findings, *step.findings])),
            step.pushed,
            self.repaired or step.repaired,
            (*self.decided, *step.decided),
        )


class Sync:
    """Brings one collection and its remote together.

    ``told`` says that its settings cannot be read, and that those by default are used.
    """

    def __init__(
        self,
        write_path: WritePath,
        git: Git,
        notes: Callable[[], Mergeable],
        command: str = "ai-kb sync",
        told: tuple[Finding, ...] = (),
    ) -> None:
        self._command = command
        self._told = told
        self._begun: str | None = None  # HEAD when a run began
        self._landed = ""  # the last commit that it made
        self._write_path = write_path
        self._git = git
        self._notes = notes
        self.far = FarSide(git, command, write_path.settings.push_seconds)

    @property
    def _asked(self) -> str:
        """The command with the options that a person gave, to go on with."""
        options = [" --join"] * self.far.joins + [" --merge-rewritten"] * self.far.rewritten
        return self._command + "".join(options)

    def run(self) -> Synced:
        """All of it.

        Raises:
            MergeConflictError: a person has to decide; nothing was changed.
            StoreError: files that a merge would change are not committed; there is no remote; its
                history was made anew.
            GitError, BusyError, DiskError, EmacsError: nothing was changed.
        """
        branch, start = self.far.branch(), time.monotonic()
        self._begun, self._landed = self._git.head(), ""
        try:
            return self._rounds(branch)
        except AikbError as error:
            endings.own_up(error, self._landed)
            self._remember(error, start)
            raise

    def stopped(self) -> StoppedError:
        """What is to be said when somebody stopped :meth:`run`."""
        return endings.stopped(self._begun, self._git.head())

    def _rounds(self, branch: str) -> Synced:
        done = Synced(0, False, "", (), self._told, Pushed("unchanged", ""), None)
        for number in range(_ROUNDS):
            if number:  # whoever pushed at the same moment waits another while
                time.sleep(random.uniform(0.02, 0.1) * number)
            tip = self.far.fetch(branch)
            step = None
            if tip is not None and not self._has(tip):
                step = self._merge(tip)
            elif not number:
                step = self._refresh()
            done = done.then(step) if step else done
            self._landed = done.commit
            if step is None or step.pushed.state == "unchanged":
                done = done._replace(pushed=self._write_path.push(branch))
            if not done.pushed.diverged:
                break
        self.far.look_at_branch(branch)
        return done._replace(findings=(*self.far.told, *done.findings))

    def catch_up(self) -> Pushed:
        """After a push that found the remote ahead: the same, once, and no trouble made of it."""
        start = time.monotonic()
        try:
            branch = self.far.branch()
            tip = self.far.fetch(branch)
            done = self._merge(tip) if tip is not None and not self._has(tip) else None
            pushed = done.pushed if done else Pushed("unchanged", "")
            if pushed.state == "unchanged":
                pushed = self._write_path.push(branch)
            return pushed._replace(told=(*self.far.told, *(done.findings if done else ())))
        except AikbError as error:
            person = isinstance(error, StoreError | MergeConflictError | ValidationFailedError)
            passing = isinstance(error, UncommittedError)  # it may be gone by the next write
            words = self._remember(error, start, person=person and not passing)
            return Pushed("behind", f"committed here, not pushed: {words}")

    def _remember(self, error: AikbError, start: float, *, person: bool = False) -> str:
        cost = time.monotonic() - start
        return endings.remember(
            self._git.directory, error, self._command, cost, time.time(), person=person
        )

    def preview(self) -> Plan | None:
        """What :meth:`run` would merge; None if nothing.  Changes nothing but what git has fetched.

        Raises:
            AikbError: as :meth:`run`.
        """
        branch = self.far.branch()
        tip = self.far.fetch(branch, moves=False)
        head = self._git.head()
        if tip is None or head is None or self._has(tip):
            return None
        made: list[tuple[Plan, Settler]] = []

        def attempt(whole: Mapping[str, int]) -> Plan:
            def propose(ground: Ground) -> Proposal:
                made.append(self._plan(ground.head or head, tip, whole=whole))
                return self._proposal(*made[-1], ground)

            findings = rehearse(self._write_path, propose)
            plan = made[-1][0]
            plan.findings[:] = dict.fromkeys([*plan.findings, *findings])
            return plan

        return until_taken(attempt, made, self._asked)

    def decidable(self) -> list[Conflict]:
        """What a person can decide, as far as it was fetched; asks no network.

        Besides conflicts that is every file that both sides changed: its merge may turn out to be no
        good node.
        """
        branch = self.far.branch()
        tip = git_merge.commit_of(self._git, f"refs/remotes/{REMOTE}/{branch}")
        head = self._git.head()
        if tip is None or head is None or self._has(tip):
            return []
        plan, settler = self._plan(head, tip, {})
        clashing = list(plan.conflicts)
        for path, versions in plan.fresh.items():
            if path not in {conflict.path for conflict in clashing}:
                settler.broken(versions)
        return list(settler.conflicts)

    def decide(self, wanted: Mapping[str, Decision]) -> None:
        """Keep decisions for the merge to come, beside those that were taken before."""
        known = decided.read(self._git.directory)
        try:
            decided.write(self._git.directory, known | dict(wanted))
        except OSError as error:
            raise StoreError(f"the decision cannot be kept: {error.strerror}") from error

    # -- steps

    def _refresh(self) -> Synced | None:
        """Generated pages that are missing, mangled or stale, made anew and committed."""
        if self._told:  # by settings that cannot be read they would be others
            return None
        try:
            written = self._write_path.write(
                lambda _: Proposal((), "index: regenerate"), lints=False, asked=True
            )
        except AikbError as error:  # it hinders no backup
            words = f"the generated pages were not looked at: {error.message}"
            told = (Finding(".", 1, "warning", "index-not-made", words),)
            return Synced(0, False, "", (), told, Pushed("unchanged", ""), error.repaired)
        return Synced(
            0, False, written.commit, written.paths, written.findings, written.pushed,
            written.repaired,
        )  # fmt: skip

    def _has(self, tip: str) -> bool:
        head = self._git.head()
        return head is not None and git_merge.is_ancestor(self._git, tip, head)

    def _merge(self, tip: str) -> Synced:
        counted = self._git.run("rev-list", "--count", f"HEAD..{tip}", "--")
        plans: list[tuple[Plan, Settler]] = []

        def attempt(whole: Mapping[str, int]) -> Written:
            def propose(ground: Ground) -> Proposal:
                if ground.head is None:
                    raise StoreError(
                        "there is no commit here yet", "`ai-kb clone URL` brings a store."
                    )
                if git_merge.is_ancestor(self._git, tip, ground.head):
                    return Proposal((), "index: regenerate")
                plans.append(self._plan(ground.head, tip, whole=whole))
                return self._proposal(*plans[-1], ground)

            return self._write_path.write(propose, lints=False, asked=True)

        with forgetting(self._git.directory, self._asked):
            written = until_taken(attempt, plans, self._asked)
        decided.forget(self._git.directory)
        merged = bool(plans) and not plans[-1][0].forward
        settled = tuple(plans[-1][1].decided.values()) if plans else ()
        return Synced(
            int(counted.out or 0) if counted.ok else 0, merged, written.commit, written.paths,
            written.findings, written.pushed, written.repaired, settled,
        )  # fmt: skip

    def _plan(
        self,
        head: str,
        tip: str,
        decisions: Mapping[str, Decision] | None = None,
        whole: Mapping[str, int] | None = None,
    ) -> tuple[Plan, Settler]:
        notes = self._notes()
        if decisions is None:
            decisions = decided.read(self._git.directory)
        settler = Settler(notes, git_merge.text_merger(self._git), decisions, whole)
        planner = Planner(self._git, notes, settler)
        plan = planner.plan(head, tip)
        one_name(self._git, plan, planner.free)
        mine = planner.ours()
        follow_captures(notes, plan, mine)
        keep_linked(self._git, notes, plan, mine)
        ours, theirs = (self._write_path.store.index_id_of(pages) for pages in plan.pages)
        one_index(self._git, notes, plan, ours, theirs)
        return plan, settler

    def _spared(self, plan: Plan, dirty: Iterable[str]) -> dict[str, bytes | None]:
        return uncommitted.spared(self._write_path.store.root, plan.files, dirty, self._command)

    def _proposal(self, plan: Plan, settler: Settler, ground: Ground) -> Proposal:
        if plan.conflicts:
            kept = tuple(settler.decided.values())
            raise MergeConflictError(plan.conflicts, command=self._asked, decided=kept)
        same = SameIds(self._git, self._notes(), plan, settler.decided)
        same.settle(ground.base.files)
        before = plan.before | self._spared(plan, ground.dirty)
        changes = tuple(
            Change(path, before[path], data) for path, data in sorted(plan.files.items())
        )
        fresh = {path: (v.ours, v.theirs) for path, v in plan.fresh.items()}
        index_id = self._write_path.store.index_id_of(plan.pages[1])
        renamed = frozenset(plan.renamed)
        onto = Onto(plan.commit, plan.forward, fresh, plan.theirs, index_id, renamed)
        message = message_of(plan, settler.decided.values())
        return Proposal(changes, message, tuple(plan.findings), onto=onto)
