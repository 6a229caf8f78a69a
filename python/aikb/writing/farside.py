"""The other side of a sync: whether there is one, what it has, and whether it may be merged with."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from aikb.errors import AikbError, StoreError
from aikb.formats.counted import counted
from aikb.model import Finding
from aikb.sync import pause, remote
from aikb.sync.fetch import fetch
from aikb.sync.push import Pushed
from aikb.sync.remote import REMOTE, remote_url
from aikb.tools import git_merge
from aikb.tools.git_format import shown_url
from aikb.writing import obstacle, repository
from aikb.writing.dead_locks import clear_of_sync
from aikb.writing.lock import SYNC_LOCK_NAME, locked

if TYPE_CHECKING:
    from aikb.tools.git import Git


class FarSide:
    """The remote, as a collection's sync sees it.

    ``rewritten`` and ``joins`` are set where a person asked for a merge with a history that was made
    anew, or begun apart.  ``told`` gathers what a person should hear about the remote.
    """

    def __init__(self, git: Git, command: str, seconds: float) -> None:
        self._git = git
        self._command = command
        self._seconds = seconds
        self.rewritten = False
        self.joins = False
        self.told: list[Finding] = []

    def branch(self) -> str:
        """The branch that is synced.

        Raises:
            StoreError: there is no remote, or the repository is not fit for it.
        """
        git, vault = self._git, "vault" in self._command
        repository.check_exists(git)
        if remote_url(git) is None:
            raise StoreError(
                "there is no remote to sync with",
                f"`git -C '{git.root}' remote add {REMOTE} URL` adds one."
                if vault
                else "`ai-kb remote URL` adds one.",
            )
        branch = repository.check_fit(git)
        if git.head() is None:
            cure = f"git switch {obstacle.home(git)}" if vault else "ai-kb init"
            raise StoreError(f"the branch '{branch}' has no commit yet", f"`{cure}` mends that.")
        return branch

    def fetch(self, branch: str, *, moves: bool = True) -> str | None:
        """The remote's commit, None where it has none; one that is ahead may be merged.

        Raises:
            GitError, BusyError: it cannot be had.
            RewrittenError, StoreError: it may not be merged with, since nobody asked for that.
        """
        with locked(self._git.directory, self._seconds, SYNC_LOCK_NAME) as descriptor:
            clear_of_sync(self._git, branch)
            self._git.keep = (descriptor,)
            try:
                found = fetch(
                    self._git, branch, self._seconds, self._command,
                    rewritten=self.rewritten, moves=moves,
                )  # fmt: skip
            finally:
                self._git.keep = ()
        self.told += [finding for finding in found.told if finding not in self.told]
        if found.tip is not None and not self.joins:
            self._check_related(found.tip)
        return found.tip

    def look_at_branch(self, branch: str) -> None:
        """Have it told where the remote's own branch is another one; it is asked as seldom as that goes."""
        own = remote.own_branch(self._git)
        if own in {branch, ""}:
            return
        held = remote.ask(self._git, self._seconds)
        if held and held.own and held.own != branch:
            words = remote.beside(branch, held.own)
            self.told.append(Finding(".", 1, "warning", "other-branch", words))

    def greet(self, branch: str) -> Pushed | None:
        """Look at a remote that is new here; why nothing is pushed to it, or None if it may be.

        One that has other branches is told of.
        """
        why = self._why_not(branch)
        if why is None:
            return None
        pause.note(self._git.directory, why, time.time())
        return Pushed("behind", f"the address is set; not pushed: {why}")

    def _why_not(self, branch: str) -> str | None:
        try:
            tip = self.fetch(branch)
        except StoreError as error:
            return f"{error.message}. {error.hint or ''}"
        except AikbError as error:
            return f"{error.message}; `{self._command.replace('sync', 'push')}` tries again"
        shown = shown_url(remote_url(self._git) or REMOTE)
        if tip is None:
            held = remote.ask(self._git, self._seconds)
            if held and held.branches:
                self.told.append(_occupied(shown, branch, held))
            return None
        out = self._git.run("rev-list", "--count", f"HEAD..{tip}", "--").out.decode().strip()
        if not int(out or 0):
            return None
        many = counted(int(out), "commit that is", "commits that are")
        return f"{shown} has {many} not here; `{self._command}` merges what both have"

    def _check_related(self, tip: str) -> None:
        head = self._git.head()
        if head is None or git_merge.merge_base(self._git, head, tip) is not None:
            return
        vault = "vault" in self._command
        what, address = (
            ("vault", "git remote set-url origin URL") if vault else ("store", "ai-kb remote URL")
        )
        raise StoreError(
            f"{shown_url(remote_url(self._git) or REMOTE)} holds something else: it has no history in "
            f"common with this {what}; nothing was merged or pushed",
            f"If it is the wrong address, `{address}` sets another. If two {what}s that were begun apart "
            f"shall become one, `{self._command} --join` merges them.",
        )


def _occupied(shown: str, branch: str, held: remote.Held) -> Finding:
    """That a branch of ours comes to stand beside others."""
    names = ", ".join(held.branches[:3]) + (", …" if len(held.branches) > 3 else "")
    words = f"{shown} holds something already, on {names}; '{branch}' is put beside it"
    if held.own:
        words += f": {remote.beside(branch, held.own)}"
    return Finding(".", 1, "warning", "other-branch", words)
