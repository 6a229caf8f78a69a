"""What can stop a task: the exception tree, its exit codes and its hints.

A *finding* (:class:`aikb.model.Finding`) is a value about somebody's data; an *error* here is an
exception that stops a task.  Each class holds data, builds its sentence once, and may carry a hint: what a
tired person can do next.  This
file imports nothing of ours but the values it carries, so that everything can import it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Finding, Note

EXIT_DONE = 0
EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_INTERRUPTED = 130


class AikbError(Exception):
    """Anything of ours that stops a task: message, optional hint, exit code 1.

    ``repaired`` says what was put right before the task was stopped.
    """

    exit_code = EXIT_REFUSED

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.repaired: str | None = None

    code = "refused"

    def __init_subclass__(cls) -> None:
        """Give each kind a kebab-case name of its own, for ``--json``."""
        name = cls.__name__.removesuffix("Error")
        cls.code = "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class UsageError(AikbError):
    """The words of a call contradict each other or cannot be taken."""

    exit_code = EXIT_USAGE


class ConfigError(AikbError):
    """A setting in the environment or in a configuration file is wrong."""


class StoreMissingError(AikbError):
    """There is no store where one is looked for."""

    def __init__(self, root: str) -> None:
        super().__init__(
            f"there is no ai-kb store at '{root}'",
            "Run `ai-kb init` to make one, or set AI_KB_HOME to where it is.",
        )


class VaultMissingError(StoreMissingError):
    """There is no vault where one is looked for, or (``is_file``) something else than a folder."""

    def __init__(self, root: str, *, is_file: bool = False) -> None:
        AikbError.__init__(
            self,
            f"'{root}' is a file, and a vault is a folder"
            if is_file
            else f"there is no vault at '{root}'",
            "Set AI_KB_VAULT to the vault's directory, or give it with --vault; "
            "`ai-kb vault init DIR` makes one.",
        )


class StoreError(AikbError):
    """The store is in a state in which nothing may be written."""


class UncommittedError(StoreError):
    """A merge would change files in which somebody has changes that are not committed.

    Attributes:
        paths: these files, in order.
    """

    def __init__(self, paths: Sequence[str], command: str) -> None:
        self.paths = tuple(paths)
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        super().__init__(
            f"the remote changed what is not committed here: {', '.join(paths[:3])}{more}",
            f"Nothing was merged. Commit it, or put it back, and run `{command}` again.",
        )


class StoppedError(AikbError):
    """A person (or a polite kill) stopped a task on its way."""

    exit_code = EXIT_INTERRUPTED


class BusyError(AikbError):
    """Another writer holds the store's lock, and went on holding it."""

    def __init__(self, holder: str, seconds: float) -> None:
        super().__init__(
            f"the store is busy: {holder} holds its lock (waited {seconds:.0f} s)",
            "Try again in a moment; nothing was changed.",
        )
        self.holder = holder


class EditedError(AikbError):
    """A file has unsaved changes in a running Emacs."""

    def __init__(self, path: str, pid: str) -> None:
        super().__init__(
            f"'{path}' has unsaved changes in Emacs (pid {pid})",
            "Save or revert that buffer, then run the same command again; nothing was changed.",
        )
        self.path = path


class ChangedOnDiskError(AikbError):
    """A file is no longer what the caller saw when it began."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"'{path}' changed on disk since it was read",
            "Read it again and repeat the change; nothing was written.",
        )
        self.path = path


class PersonNeededError(AikbError):
    """Something that only a person may do, and no person sits there."""

    def __init__(self, what: str, why: str | None = None) -> None:
        super().__init__(
            f"only a person in a terminal can {what}" + (f" ({why})" if why else ""),
            "Run it yourself in a terminal of your own; nothing was changed.",
        )
        self.what = what


class NodeNotFoundError(AikbError):
    """No node goes by the given id, prefix, path or title."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        hint = "Use `ai-kb find WORD` to look for it."
        if near:
            hint = f"Near it: {'; '.join(near)}. " + hint
        super().__init__(f"no node is called '{name}'", hint)
        self.name = name


class NoteNotFoundError(NodeNotFoundError):
    """No note of a vault goes by the given path, name, alias or title."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        super().__init__(name)
        self.message = f"no note is called '{name}'"
        self.hint = "Use `ai-kb vault find TAG` to look for it."
        if near:
            self.hint = f"Near it: {'; '.join(near)}. " + self.hint
        self.args = (self.message,)


class AmbiguousNodeError(AikbError):
    """A prefix or a title names more than one node."""

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        super().__init__(
            f"'{name}' names {len(candidates)} nodes: {', '.join(candidates[:8])}",
            "Give more of the id.",
        )
        self.candidates = tuple(candidates)


class AmbiguousNoteError(AmbiguousNodeError):
    """A name means more than one note of a vault."""

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        super().__init__(name, candidates)
        self.message = f"'{name}' names {len(candidates)} notes: {', '.join(candidates[:8])}"
        self.hint = "Give the path."
        self.args = (self.message,)


class ValidationFailedError(AikbError):
    """Findings of severity *error* stand against a write: nothing was written.

    Attributes:
        findings: every finding, warnings included, in order of file and line.
    """

    def __init__(self, findings: Sequence[Finding], message: str | None = None) -> None:
        self.findings = tuple(findings)
        bad = sum(f.severity == "error" for f in findings)
        super().__init__(
            message or f"refused: {bad} error{'s' if bad != 1 else ''}; nothing was written",
            "Mend what the findings name and run the same command again.",
        )


class NearDuplicateError(AikbError):
    """The store says nearly this already: nothing was written.

    Attributes:
        candidates: the nodes that do, nearest first.
    """

    def __init__(self, candidates: Sequence[Note]) -> None:
        self.candidates = tuple(candidates)
        ids = [note.id[:8] for note in candidates]
        many = len(ids) != 1
        flags = " ".join(f"--related {i}" for i in ids)
        super().__init__(
            f"refused: {len(ids)} node{'s' if many else ''} say{'' if many else 's'} nearly this "
            "already; nothing was written",
            f"Either change what is there (`ai-kb edit {ids[0]}`), or, if this is another matter, "
            f"run the same command with `{flags}`, which links and proceeds. If the two cannot "
            "both hold, do the latter and then `ai-kb contest` both.",
        )


class NoteCoveredError(NearDuplicateError):
    """Notes of a vault cover this already: nothing was written."""

    def __init__(self, candidates: Sequence[Note]) -> None:
        super().__init__(candidates)
        paths = [note.path for note in candidates]
        many = len(paths) != 1
        flags = " ".join(f"--force-related '{path}'" for path in paths)
        self.message = (
            f"refused: {len(paths)} note{'s' if many else ''} cover{'' if many else 's'} this already; "
            "nothing was written"
        )
        self.hint = (
            f"Read it (`ai-kb vault recall '{paths[0]}'`) and add what it lacks; if this is another "
            f"matter, run the same command with `{flags}`, which links and proceeds."
        )
        self.args = (self.message,)


class ToolError(AikbError):
    """An outside program is missing, failed, or did not answer in time."""


class EmacsError(ToolError):
    """Emacs is missing, hung, or did not say what it should."""


class GitError(ToolError):
    """Git is missing, refused, or did not end in time."""


class FetchError(ToolError):
    """A page could not be had; ``status`` is what its server answered, or 0."""

    def __init__(self, url: str, reason: str, status: int = 0) -> None:
        super().__init__(f"'{url}' cannot be fetched: {reason}")
        self.reason = reason
        self.status = status


class HeadMovedError(GitError):
    """Somebody committed while a write was prepared; nothing of the write is left."""

    def __init__(self, root: str) -> None:
        super().__init__(
            f"somebody else commits to '{root}' without pause",
            "Run the command again in a moment; nothing was changed.",
        )


class DiskError(AikbError):
    """The file system refused: full, read-only, or not ours."""
