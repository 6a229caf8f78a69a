"""Secrets in commits: those that a push would send, and all that there ever were."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE
from aikb.rules.credential_text import decode
from aikb.rules.credentials import blot, find, is_allowed
from aikb.rules.secrets import MESSAGE, allowed_by
from aikb.tools import git_merge
from aikb.tools.git_history import pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from aikb.tools.git import Git
    from aikb.tools.git_history import Piece

_MANY = 200
_MOST_REMOVED = 16 << 20  # bytes of one commit that are kept to be compared


class Leak(NamedTuple):
    """A secret that a commit brought.

    ``path`` is fit to be shown; ``name`` is the file's own, which may hold the secret itself.
    """

    commit: str
    date: str
    path: str
    kind: str
    digest: str
    name: str

    def render(self) -> str:
        """One line."""
        return f"{self.commit[:10]} {self.date} {self.path}: {self.kind}"


def leaks(
    git: Git,
    revisions: Sequence[str],
    seconds: float,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Leak]:
    """The secrets that commits brought, each once for each file.

    What a commit took away where it added it again is none that it brought.

    Raises:
        GitError: git failed, or it took too long.
    """
    allowed: Sequence[str] | None = None
    seen: set[tuple[str, str]] = set()
    for number, (brought, gone) in enumerate(_by_commit(pieces(git, revisions, seconds)), 1):
        if progress:
            progress(number)
        if brought and allowed is None:
            allowed = allowed_by(git.show("HEAD", SETTINGS_FILE)) if git.head() else ()
        for leak in brought:
            key = (leak.path, leak.digest)
            if key in seen or leak.digest in gone or is_allowed(leak.digest, allowed or ()):
                continue
            seen.add(key)
            yield leak


def _by_commit(parts: Iterable[Piece]) -> Iterator[tuple[list[Leak], set[str]]]:
    """For each commit what it brought, and the hashes of what it took away.

    A merge brought what none of its parents had.
    """
    for _, group in groupby(parts, lambda piece: piece.commit):
        brought: list[Leak] = []
        removed: list[bytes] = []
        sides: dict[tuple[str, str], set[int]] = {}
        parents = 1
        for piece in group:
            path = piece.path or MESSAGE
            found = [*find(decode(piece.added)), *find(path)]
            shown = blot(path) if found else path
            parents = piece.parents
            for s in found:
                sides.setdefault((piece.path, s.digest), set()).add(piece.side)
            brought += [
                Leak(piece.commit, piece.date, shown, s.kind, s.digest, piece.path) for s in found
            ]
            if sum(map(len, removed)) < _MOST_REMOVED:
                removed.append(piece.removed)
        if parents > 1:
            brought = [k for k in brought if not k.name or len(sides[k.name, k.digest]) == parents]
        gone = {s.digest for data in removed for s in find(decode(data))} if brought else set()
        yield brought, gone


def still_there(git: Git, leak: Leak) -> bool:
    """Whether the last commit has the secret in the same file."""
    data = git.show("HEAD", leak.name) if leak.name else None
    if data is None:
        return False
    return any(s.digest == leak.digest for s in [*find(decode(data)), *find(leak.name)])


def unsent(git: Git, branch: str, remote: str, seconds: float) -> list[Leak]:
    """The secrets in commits that the remote is not known to have.

    Raises:
        GitError: git failed, or it took too long.
    """
    found = []
    known: set[str] | None = None
    for leak in leaks(git, [f"refs/heads/{branch}", "--not", f"--remotes={remote}"], seconds):
        if known is None:  # a merge brings, and an index repeats, what the remote has already
            known = _held(git, f"refs/remotes/{remote}/{branch}")
        if leak.digest in known:
            continue
        found.append(leak)
        if len(found) >= _MANY:
            break
    return found


def _held(git: Git, commit: str) -> set[str]:
    """The hashes of all secrets in the files of a commit; none if there is no such commit."""
    if git_merge.commit_of(git, commit) is None:
        return set()
    found: set[str] = set()
    names = git_merge.names(git, commit)
    for start in range(0, len(names), _MANY):
        part = names[start : start + _MANY]
        for name, data in zip(part, git.blobs([f"{commit}:{n}" for n in part]), strict=True):
            found |= {s.digest for s in [*find(decode(data or b"")), *find(name)]}
    return found
