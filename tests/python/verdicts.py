"""What ``ai-kb check`` says of a file, and what the real org-roam makes of it."""

from __future__ import annotations

import fcntl
import json
import os
import pickle
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

import builders
from aikb.config import Settings
from aikb.formats.org.document import Document
from aikb.provision.check import Checker
from aikb.sources.org_store import OrgStore
from aikb.tools.emacs import Emacs
from aikb.tools.git import Git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from aikb.formats.org.emacs_view import Reading
    from aikb.model import Finding

ROAM_LISP = os.path.join(os.path.dirname(__file__), "data", "roam.el")
ELPA = "/usr/share/emacs/site-lisp/elpa"
TRIED = "tried.org"


class Case(NamedTuple):
    """A file, and what a user is told of it; a harmless one has an empty ``code``."""

    name: str
    data: bytes
    code: str = ""
    line: int = 0
    severity: str = "error"


def bad(name: str, text: str | bytes, code: str, line: int) -> Case:
    """A file that must be refused, with the finding that says why."""
    return Case(name, text if isinstance(text, bytes) else text.encode(), code, line)


def odd(name: str, text: str | bytes, code: str, line: int) -> Case:
    """A file that passes with a warning."""
    return bad(name, text, code, line)._replace(severity="warning")


def fine(name: str, text: str | bytes) -> Case:
    """A file that passes."""
    return bad(name, text, "", 0)


def mended(findings: Iterable[Finding], case: Case) -> str:
    """The findings for a failure's message."""
    return "\n".join([case.name, *(f.render() for f in findings)])


class _Recorded:
    """Stands for Emacs and answers with what it said of the same bytes before."""

    def __init__(self, readings: Mapping[bytes, Reading]) -> None:
        self._readings = readings

    def __enter__(self) -> _Recorded:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""

    def start(self) -> None:
        """Nothing to load."""

    def read(self, paths: Sequence[str]) -> list[Reading]:
        found = []
        for path in paths:
            with open(path, "rb") as file:
                found.append(self._readings[file.read()])
        return found


def ask_emacs(texts: Iterable[bytes], folder: Path) -> dict[bytes, Reading]:
    """What one batch Emacs reads in each text."""
    known = list(dict.fromkeys(texts))
    paths = []
    for number, data in enumerate(known):
        paths.append(str(folder / f"{number}.txt"))
        (folder / f"{number}.txt").write_bytes(data)
    readings: list[Reading] = []
    for start in range(0, len(paths), 400):
        with Emacs(os.environ, 120.0) as emacs:
            readings += emacs.read(paths[start : start + 400])
    return dict(zip(known, readings, strict=True))


def worth_asking(data: bytes) -> bool:
    """Whether a text may be shown to Emacs at all: some take it minutes."""
    return len(data) < 1 << 20 and data.count(b"\n*") < 100


def check(
    data: bytes, folder: Path, readings: Mapping[bytes, Reading] | None, name: str = TRIED
) -> list[Finding]:
    """All findings about a file that lies between two good ones."""
    for path, text in {**builders.neighbours(), name: data}.items():
        (folder / path).write_bytes(text)

    def emacs() -> Any:
        return Emacs(os.environ, 60.0) if readings is None else _Recorded(readings)

    checker = Checker(OrgStore(str(folder)), Git(str(folder), {}), emacs, Settings(), lambda _: ())
    return checker.paths([str(folder / name)])


def once(tmp_path_factory: Any, name: str, make: Callable[[Path], Any]) -> Any:
    """What *make* gives, made by one of the test processes and read by the others."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with open(shared / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = shared / f"{name}.pickle"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(make(tmp_path_factory.mktemp(name))))
        return pickle.loads(kept.read_bytes())


def need_roam() -> None:
    """Fail where Debian's org-roam is missing: ``make test`` installs it, so its lack is no excuse."""
    found = os.path.isdir(ELPA) and any(n.startswith("org-roam-2") for n in os.listdir(ELPA))
    assert found, f"elpa-org-roam is not in {ELPA}; `make dev-packages` installs it"


def roam_version() -> tuple[int, ...]:
    """The installed org-roam's version, as ``(2, 3, 1)``."""
    name = next(n for n in os.listdir(ELPA) if n.startswith("org-roam-2"))
    return tuple(int(part) for part in name.rpartition("-")[2].split("."))


def ask_roam(files: Mapping[str, Mapping[str, bytes]], folder: Path) -> dict[str, Any]:
    """What ``org-roam-db-sync`` makes of each folder of files."""
    root, home = folder / "notes", folder / "home"
    home.mkdir()
    for name, texts in files.items():
        (root / name).mkdir(parents=True)
        for path, data in texts.items():
            (root / name / path).write_bytes(data)
    out = folder / "out.json"
    subprocess.run(
        ["emacs", "-Q", "--batch", "-l", ROAM_LISP, "-f", "aikb-roam-main", str(root), str(out)],
        env={**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8"},
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=600,
    )
    return json.loads(out.read_text(encoding="utf-8"))


def differences(data: bytes, answer: Mapping[str, Any], path: str = TRIED) -> list[str]:
    """Where org-roam's database does not hold what we read in a file, or lost its neighbours."""
    wrong = []
    if answer["error"]:
        wrong.append(f"the sync gave up: {answer['error']}")
    wrong += [w for w in answer["warnings"] or () if "Failed to process" in w or "no title" in w]
    rows = answer["nodes"]
    for neighbour in ("aaa.org", "zzz.org"):
        if not any(row[0] == neighbour for row in rows):
            wrong.append(f"{neighbour} is lost")
    document = Document(path, data)
    name = path.rpartition(".")[0]
    theirs = sorted(tuple(row[1:]) for row in rows if row[0] == path)
    ours = sorted((n.id, n.level, n.title if n.title is not None else name) for n in document.nodes)
    if ours != theirs:
        wrong.append(f"nodes: {theirs}, we read {ours}")
    ids = {row[0] for row in ours}
    tags = {(n.id, tag) for n in document.nodes for tag in n.tags}
    their_tags = {(i, tag) for i, tag in answer["tags"] if i in ids}
    if tags != their_tags:
        wrong.append(f"tags: {their_tags}, we read {tags}")
    links = {
        (document.source_of(link), link.target)
        for link in document.links
        if document.source_of(link)
    }
    their_links = {
        (source, target.partition("::")[0])
        for source, target, _, kind in answer["links"]
        if kind == "id" and source in ids
    }
    if links != their_links:
        wrong.append(f"links: {their_links}, we read {links}")
    return wrong
