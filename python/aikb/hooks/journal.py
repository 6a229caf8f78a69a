"""The episodic journal (plan, ``session_end.py``): one entry a session, one Markdown file a day and project.

It stands outside of the vault: it says what happened, not what is known.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
import zlib
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import AikbError
from aikb.hooks import alive, projects
from aikb.rules.credentials import blot
from aikb.tools.git_project import ProjectGit, find_root

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.hooks.queue import Job
    from aikb.tools.git_project import Changed, Commit

_MOST_COMMITS = 50
_MOST_FILES = 60
_LONGEST = 160
_MARK = re.compile(r"^<!-- ai-kb \S+ \S+ ([0-9a-f]{8}) (\S+) -->$", re.MULTILINE)
_DAY = 24 * 3600


class Seen(NamedTuple):
    """What a session left in its project: HEAD, and what came since the last entry."""

    head: str = ""
    commits: Sequence[Commit] = ()
    changed: Sequence[Changed] = ()
    uncommitted: Sequence[tuple[str, str]] = ()
    trouble: str = ""


def write_entry(
    env: Mapping[str, str], folder: str, job: Job, name: str, deadline: float
) -> tuple[str, str]:
    """Write a session's entry; returns ``done`` or ``skipped``, and the file or the reason.

    Raises:
        OSError: the journal cannot be written.
    """
    root = find_root(job.cwd) or job.cwd
    known = projects.load(env, root)
    path = os.path.join(folder, name, f"{(job.queued or _now())[:10]}.md")
    text = _read(path)
    place = f"{zlib.crc32(os.fsencode(root)):08x}"
    # An entry whose writer was killed before it could remember it is known by what stands in it.
    written = _last_head(text, place) or known.written
    seen = look(env, root, written, since(env, job, root), deadline)
    mark = f"{_mark(job, seen)} {place} {seen.head or '-'}"
    if known.mark == mark:
        return "skipped", "this session has its entry already"
    if f"<!-- ai-kb {mark} -->" not in text:
        head = text if text.strip() else f"# {name}, {os.path.basename(path)[:-3]}\n"
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        temporary = f"{path}.tmp"  # one writer at a time; what a killed one left is used up
        with open(temporary, "w", encoding="utf-8", errors="replace") as file:
            file.write(head.rstrip("\n") + "\n\n" + render(job, root, seen, mark))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    projects.save(env, root, known._replace(written=seen.head or known.written, mark=mark))
    return "done", path


def since(env: Mapping[str, str], job: Job, root: str) -> str:
    """The time from which work counts where no commit of the project is remembered, as git reads it.

    From then on one is remembered; so what others did that began there earlier and are still at
    work, or wait, counts now or never.
    """
    if not job.started:
        return str(int(time.time()) - _DAY)
    others = [other for other in alive.unseen(env) if (find_root(other.cwd) or other.cwd) == root]
    return min([job.started, *(other.started for other in others if other.started)])


def look(env: Mapping[str, str], root: str, known: str, start: str, deadline: float) -> Seen:
    """What is new in a project; nothing where it is no repository, and why it cannot be seen."""
    if not os.path.exists(os.path.join(root, ".git")):
        return Seen()
    git = ProjectGit(root, env, deadline)
    try:
        head = git.head()
        if head is None:
            return Seen(uncommitted=git.uncommitted())
        base = git.base(known, start)
        return Seen(head, git.commits(base, _MOST_COMMITS), git.changed(base), git.uncommitted())
    except AikbError as error:
        return Seen(trouble=error.message)


def render(job: Job, root: str, seen: Seen, mark: str) -> str:
    """An entry's text, without control characters and without secrets."""
    ended = job.queued or _now()
    times = f"{_clock(job.started)} to {_clock(ended)}" if job.started else _clock(ended)
    reason = f" ({_line(job.reason)})" if job.reason else ""
    lines = [f"## {ended[11:16]} session {_line(job.name)[:8]}", ""]
    lines += [f"- project: {_line(root)}", f"- time: {times}{reason}"]
    if seen.trouble:
        lines.append(f"- not seen: {_line(seen.trouble)}")
    if seen.commits:
        lines.append(f"- commits: {len(seen.commits)}")
        lines += [f"  - {c.id[:8]} {_line(c.subject)}" for c in seen.commits]
    files = [f"{c.letter} {c.path}" for c in seen.changed]
    lines += _list("files", files)
    lines += _list(
        "not committed", [f"{letters.strip()} {path}" for letters, path in seen.uncommitted]
    )
    if not (seen.commits or files or seen.uncommitted or seen.trouble):
        lines.append("- nothing changed in the project")
    return "\n".join([*lines, f"<!-- ai-kb {mark} -->", ""])


def _list(label: str, files: Sequence[str]) -> list[str]:
    if not files:
        return []
    shown = [f"  - {_line(name)}" for name in files[:_MOST_FILES]]
    if len(files) > len(shown):
        shown.append(f"  - {len(files) - len(shown)} more")
    return [f"- {label}: {len(files)}", *shown]


def _mark(job: Job, seen: Seen) -> str:
    """By what an entry is known: the same session with nothing new has the same one."""
    rest = "\n".join(f"{letters} {path}" for letters, path in seen.uncommitted)
    digest = hashlib.sha256(f"{seen.head}\n{rest}".encode("utf-8", "replace")).hexdigest()[:12]
    return f"{job.name} {digest}"


def _last_head(text: str, place: str) -> str:
    """The commit of the last entry that a file has of the project at a place."""
    heads = _MARK.findall(text)
    return next((head for where, head in reversed(heads) if where == place and head != "-"), "")


def _line(text: str) -> str:
    """Somebody's words on one line: nothing that a terminal obeys, no comment's end, no secret."""
    text = text.encode("utf-8", "replace").decode()
    text = "".join(c if c.isprintable() else " " for c in text)
    text = " ".join(text.split()).replace("<!--", "<! --").replace("-->", "-- >")
    return blot(text)[:_LONGEST]


def _clock(stamp: str) -> str:
    return stamp[:16].replace("T", " ")


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""
