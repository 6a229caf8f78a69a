"""``status`` and ``doctor``: how the store is, and what this machine lacks."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE
from aikb.errors import AikbError
from aikb.formats.counted import counted
from aikb.provision.backup import look
from aikb.provision.hook import hook_state
from aikb.provision.init import local_settings
from aikb.writing import obstacle
from aikb.writing.journal import Journal
from aikb.writing.lock import is_locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from aikb.config import Settings
    from aikb.model import Note
    from aikb.sources.org_store import OrgStore
    from aikb.tools.emacs import Emacs
    from aikb.tools.git import Git
    from aikb.writing.obstacle import Obstacle
    from aikb.writing.write import WritePath

UNBORN = "ai-kb init"  # it takes the remote's branch, or begins one


class Status(NamedTuple):
    """What is not as it should stay: paths with git's two letters, counts, contested nodes."""

    nodes: int
    uncommitted: dict[str, str]
    unpushed: int | None
    remote: str | None
    contested: tuple[Note, ...]
    interrupted: bool
    under_way: str | None
    behind_since: str | None = None
    last_try: str = ""
    hindered: Obstacle | None = None
    other_branch: str = ""


def read_status(store: OrgStore, git: Git) -> Status:
    """The store's status; changes nothing and asks no network."""
    snapshot = store.snapshot()
    contested = tuple(note for note in snapshot.notes if note.status == "contested")
    if not git.exists():
        return Status(len(snapshot.notes), {}, None, None, contested, False, None)
    backup = look(git, UNBORN)
    return Status(
        len(snapshot.notes),
        {path: dirty.letters for path, dirty in git.status().dirty.items()},
        backup.unpushed,
        backup.remote,
        contested,
        Journal(store.root).interrupted() and not is_locked(git.directory),
        git.under_way(),
        backup.behind_since,
        backup.last_try,
        backup.hindered,
        backup.other_branch,
    )


class Check(NamedTuple):
    """One thing that doctor looked at; ``cure`` is the one line that mends it."""

    name: str
    good: bool
    detail: str
    cure: str = ""


class Doctor:
    """Looks at everything that ai-kb stands on; changes nothing."""

    def __init__(
        self,
        env: Mapping[str, str],
        git: Git,
        emacs: Callable[[], Emacs],
        write_path: Callable[[], WritePath],
        settings: Callable[[], Settings],
        program: str,
    ) -> None:
        self.env = env
        self._settings = settings
        self.git = git
        self.root = git.root
        self._emacs_session = emacs
        self._write_path = write_path
        self._program = program

    def checks(self) -> Iterator[Check]:
        """One check after another."""
        yield self._python()
        git = self._program_there("git", "apt install git")
        yield git
        settings = self._readable_settings()
        yield settings
        if settings.good:
            yield self._emacs()
        yield self._program_there("rg", "apt install ripgrep (backlinks are slower without it)")
        yield from self._store(whole=git.good and settings.good)

    def _python(self) -> Check:
        version = ".".join(map(str, sys.version_info[:3]))
        return Check("python", sys.version_info >= (3, 11), version, "Python 3.11 or later")

    def _program_there(self, name: str, cure: str) -> Check:
        path = shutil.which(name, path=self.env.get("PATH"))
        return Check(name, path is not None, path or "not on PATH", cure)

    def _readable_settings(self) -> Check:
        path = os.path.join(self.root, SETTINGS_FILE)
        try:
            self._settings()
        except AikbError as error:
            return Check("settings", False, error.message, f"edit {path}")
        return Check("settings", True, path if os.path.exists(path) else "defaults")

    def _emacs(self) -> Check:
        try:
            with self._emacs_session() as emacs:
                emacs.start()
                emacs.read([os.devnull])
        except AikbError as error:
            return Check("emacs", False, error.message, error.hint or "apt install emacs-nox")
        return Check("emacs", True, "answers, with org-lint")

    def _store(self, *, whole: bool) -> Iterator[Check]:
        if not os.path.isdir(self.root):
            yield Check("store", False, f"'{self.root}' is not there", "ai-kb init")
            return
        if not self.git.exists():
            yield Check("store", False, f"'{self.root}' is no git repository", "ai-kb init")
            return
        try:
            self.git.check_trust()
        except AikbError as error:
            yield Check("store", False, error.message, error.hint or "")
            return
        yield Check("store", True, self.root)
        writable = os.access(self.root, os.W_OK)
        yield Check("permissions", writable, "writable" if writable else "read-only",
                    f"chmod -R u+w '{self.root}'")  # fmt: skip
        if not whole:
            return
        yield self._fit()
        state = hook_state(self.git, self._program)
        cure = "let it call `ai-kb check --staged`" if state == "foreign" else "ai-kb init"
        yield Check("pre-commit hook", state == "current", state, cure)
        config = self.git.config()
        wanted = local_settings(self._program)
        wrong = [k for k, v in wanted.items() if config.get(k.lower()) != v]
        yield Check("git settings", not wrong, ", ".join(wrong) or "set", "ai-kb init")
        named = bool(config.get("user.name") and config.get("user.email"))
        yield Check(
            "git identity", True,
            config.get("user.name", "") if named else "not set; commits are by 'ai-kb'",
        )  # fmt: skip
        yield from self._backup()
        yield self._index()

    def _fit(self) -> Check:
        git = self.git
        if hindered := obstacle.of(git, UNBORN):
            return Check("repository", False, *hindered)
        if os.path.exists(git.lock_file()):
            holder = git.busy_with() or "no running git"
            return Check(
                "repository", False, f"index.lock is held by {holder}", f"rm '{git.lock_file()}'"
            )
        if Journal(self.root).interrupted() and not is_locked(git.directory):
            return Check("repository", False, "a write was interrupted", "ai-kb index (repairs it)")
        return Check("repository", True, f"on {git.branch()}")

    def _backup(self) -> Iterator[Check]:
        backup = look(self.git, UNBORN)
        if not backup.remote:
            yield Check("backup", False, "no remote: the store is on this machine alone",
                        "ai-kb remote URL")  # fmt: skip
            return
        if backup.unpushed is None and backup.hindered:
            what, cure = backup.hindered
            yield Check("backup", False, f"{backup.remote}: {what}, so it cannot be told", cure)
            return
        words = f"{backup.remote}, {counted(backup.unpushed or 0, 'commit')} behind"
        words += f" since {backup.behind_since}" if backup.behind_since else ""
        words += f" ({backup.last_try})" if backup.last_try else ""
        words += f"; {backup.other_branch}" if backup.other_branch else ""
        yield Check("backup", not backup.unpushed, words, "ai-kb sync")

    def _index(self) -> Check:
        try:
            stale = self._write_path().stale_pages()
        except AikbError as error:
            return Check("index", False, error.message, error.hint or "")
        names = ", ".join(change.path for change in stale)
        return Check("index", not stale, f"stale: {names}" if stale else "current", "ai-kb index")
