"""What a project's session left, as an audit is shown it: bounded in bytes and time, without secrets.

Lock files, what is generated, vendored or no text, and what is larger than anybody reads, is left
out.  The project's repository is only read, and nothing that it configures is run
(:mod:`aikb.tools.git_project`).
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.rules.credentials import blot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from aikb.tools.git_project import Changed, Commit, ProjectGit

_LARGEST_FILE = 200_000
_MOST_FILES = 200
_MOST_BYTES = 2_000_000  # of the files whose differences are asked for
_MOST_COMMITS = 40
_LONGEST_BODY = 4_000
_LEFT_OUT_FOLDERS = frozenset({
    "node_modules", "vendor", "third_party", "third-party", "dist", "build", "target", ".venv", "venv",
    "__pycache__", ".git", ".idea", ".vscode", "coverage", "site-packages", "generated", "snapshots",
    "__snapshots__", "Pods", ".next", ".nuxt", "bower_components",
})  # fmt: skip
_LEFT_OUT_NAMES = frozenset({
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb", "go.sum",
    "Cargo.lock", "poetry.lock", "Pipfile.lock", "uv.lock", "pdm.lock", "composer.lock", "Gemfile.lock",
    "flake.lock", "requirements.lock", "mix.lock", "packages.lock.json", "gradle.lockfile",
})  # fmt: skip
_LEFT_OUT_ENDS = (
    ".lock", ".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", "_pb2_grpc.py", ".generated.ts", ".snap",
    ".svg", ".csv", ".tsv", ".ipynb", ".pem", ".key", ".p12", ".env",
)  # fmt: skip
_GENERATED = re.compile(
    r"^\+.*(?:@generated|code generated .{0,60} do not edit|automatically generated|"
    r"auto-generated file)", re.IGNORECASE | re.MULTILINE,
)  # fmt: skip
_FILE = re.compile(r"^diff --git ", re.MULTILINE)


class Material(NamedTuple):
    """What is audited: ``base`` and ``head`` are commits; every text is without secrets.

    ``new_files`` are whole new texts by path; ``tag`` is the project's own; ``cut`` says whether the
    differences are more than ``diff`` has.
    """

    project: str
    tag: str
    base: str
    head: str
    commits: Sequence[Commit]
    changed: Sequence[Changed]
    diff: str
    new_files: Mapping[str, str]
    cut: bool


def gather(git: ProjectGit, project: str, known: str, since: str, most: int) -> Material | None:
    """What came after the commit *known* (or the time *since*); None where there is nothing.

    Raises:
        GitError: the project cannot be looked at, or not in time.
    """
    head = git.head()
    if head is None or head == known:
        return None
    base = git.base(known, since)
    if base == head:
        return None
    commits = [
        c._replace(subject=blot(c.subject), body=blot(c.body[:_LONGEST_BODY]))
        for c in git.commits(base, _MOST_COMMITS)
    ]
    changed = git.changed(base)
    wanted = choose(changed)
    pieces = [p for p in split(git.diff(base, [c.path for c in wanted])) if not is_generated(p)]
    diff, cut = fit(pieces, most)
    return Material(
        project, tag_of(project), base or "", head, commits, changed, diff,
        {blot(path): text for path, text in new_files(pieces, most)}, cut,
    )  # fmt: skip


def choose(changed: Iterable[Changed]) -> list[Changed]:
    """The files worth looking at, words before programs, within bounds."""
    wanted = [c for c in changed if c.size <= _LARGEST_FILE and not is_left_out(c.path)]
    wanted.sort(key=lambda c: (not _is_prose(c.path), c.path))
    chosen, size = [], 0
    for one in wanted[:_MOST_FILES]:
        size += one.size
        if size > _MOST_BYTES:
            break
        chosen.append(one)
    return chosen


def is_left_out(path: str) -> bool:
    """Whether a file says nothing that somebody thought."""
    *folders, name = path.split("/")
    if not path.isprintable() or _LEFT_OUT_FOLDERS.intersection(folders):
        return True
    low = name.lower()
    return name in _LEFT_OUT_NAMES or low.endswith(_LEFT_OUT_ENDS) or low.startswith(".env")


def _is_prose(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in {".md", ".org", ".rst", ".txt", ".adoc"}


def split(diff: str) -> list[str]:
    """A diff, file by file; binary ones left out."""
    starts = [match.start() for match in _FILE.finditer(diff)]
    ends = [*starts[1:], len(diff)]  # one too many for the diff of a commit that changed nothing
    pieces = [diff[a:b] for a, b in zip(starts, ends, strict=False)]
    return [p for p in pieces if "\nBinary files " not in p and "\nGIT binary patch" not in p]


def is_generated(piece: str) -> bool:
    """Whether a file's first lines say that no person wrote it."""
    return bool(_GENERATED.search(piece[:2_000]))


def fit(pieces: Iterable[str], most: int) -> tuple[str, bool]:
    """Pieces without their secrets, as many whole ones as *most* characters hold; whether it is less."""
    texts, size, cut = [], 0, False
    for piece in pieces:
        if len(piece) > most - size:
            cut = True
            piece = piece[: max(0, most - size)].rpartition("\n")[0]  # noqa: PLW2901 - the part that fits
            if not piece:
                break
        texts.append(blot(piece))
        size += len(piece)
    return "\n".join(text.rstrip("\n") for text in texts) + ("\n" if texts else ""), cut


def new_files(pieces: Iterable[str], most: int) -> Iterable[tuple[str, str]]:
    """The new prose among the pieces: paths and whole texts without secrets."""
    for piece in pieces:
        head, _, body = piece.partition("\n@@ ")
        if "\nnew file mode" not in head or len(piece) > most:
            continue
        path = next((x[6:] for x in head.splitlines() if x.startswith("+++ b/")), "")
        path = path.split("\t")[0]
        if path and _is_prose(path):
            lines = [line[1:] for line in body.splitlines()[1:] if line.startswith("+")]
            yield path, blot("\n".join(lines) + "\n")


def tag_of(project: str) -> str:
    """A project's name as a tag."""
    return re.sub(r"[^\w-]+", "-", project.casefold()).strip("-_") or "project"
