"""The frozen values that every room speaks.

An org node and a Markdown note are both a :class:`Note`; nothing here knows a format.
They are named tuples rather than dataclasses because a snapshot of 10,000 notes is built from the
cache at every write, and a tuple is built in a third of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

# Letters of scripts that are written without spaces (and Korean), as the inside of a [class].
WIDE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
Severity = Literal["error", "warning"]


class Finding(NamedTuple):
    """Something about a file's content that somebody should know.

    ``error`` keeps a file out of the store, ``warning`` informs.  *code* is kebab-case and stable;
    *message* ends with how to mend it.
    """

    path: str
    line: int
    severity: Severity
    code: str
    message: str

    def render(self) -> str:
        """One line that editors and people can read: ``file:line: severity code message``."""
        path = self.path.replace("\n", "\\n").replace("\t", "\\t")
        return f"{path}:{self.line}: {self.severity} {self.code} {self.message}"


class Note(NamedTuple):
    """One note as the index and the finder see it.

    ``path`` is relative to the source's root, with ``/``.  ``level`` is 0 for a whole file and the
    heading's depth otherwise; ``line`` counts from 1.  ``summary`` is plain text.  Dates are text as
    the file has them (``YYYY-MM-DD``) or empty.  ``issue`` says against what it is contested, and why.
    ``type`` is what a Markdown note's front matter says; an Org node's type is one of its tags.
    """

    id: str
    path: str
    line: int
    level: int
    title: str
    tags: tuple[str, ...]
    projects: tuple[str, ...]
    status: str
    created: str
    updated: str
    source: str
    summary: str
    issue: str = ""
    type: str = ""


class Link(NamedTuple):
    """A link to a note's id, found in *path* at *line*, inside the node *source* (may be empty)."""

    path: str
    line: int
    source: str
    target: str
    description: str


class Draft(NamedTuple):
    """What somebody wants a new note to be, before it has an id, a path or a date.

    ``unreviewed``: no person has seen it yet, and the note says so.
    """

    title: str
    type: str
    tags: tuple[str, ...] = ()
    projects: tuple[str, ...] = ("general",)
    source: str = ""
    slug: str = ""
    body: str = ""
    unreviewed: bool = False


class Change(NamedTuple):
    """One file as it shall be: ``before`` is what the caller saw, ``after`` what it becomes.

    ``None`` means that the file is not there.  ``before`` is compared with the disk under the lock.
    """

    path: str
    before: bytes | None
    after: bytes | None


class Snapshot(NamedTuple):
    """All notes of a source at one moment.

    ``files`` maps each note file's path to the notes in it (possibly none); ``findings`` are the
    source's own about what it could not read.
    """

    files: Mapping[str, tuple[Note, ...]]
    findings: tuple[Finding, ...]

    @property
    def closed(self) -> list[Finding]:
        """The folders that could not be listed: their notes are not here, and are not gone either."""
        return [finding for finding in self.findings if finding.code == "unlistable-folder"]

    @property
    def notes(self) -> list[Note]:
        """Every note, in order of path and line."""
        return [note for path in sorted(self.files) for note in self.files[path]]
