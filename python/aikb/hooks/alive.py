"""Sessions that began: a session that is killed fires no hook, so its process is looked for later."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.hooks import queue
from aikb.hooks.log import now, state_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "open"
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "env", "timeout", "setsid"})
_UNKNOWN_FOR = 24 * 3600.0  # a session of which no process is known counts as ended after this


class Process(NamedTuple):
    """A process that cannot be mistaken for a later one with its number."""

    pid: int
    began: str


def opened(env: Mapping[str, str], job: queue.Job) -> None:
    """Remember a session that began, and the process that it runs in.

    Raises:
        OSError: that cannot be written.
    """
    place = _folder(env)
    os.makedirs(place, mode=0o700, exist_ok=True)
    path = os.path.join(place, job.name + ".json")
    process = agent()
    known = _read(path)
    started = known[0].started if known else now()  # a resumed session began before
    job = job._replace(started=started, queued=now())
    values = {**job._asdict(), "process": process}
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump(values, file, ensure_ascii=False)
    os.replace(temporary, path)


def started(env: Mapping[str, str], session: str) -> str:
    """When a session began, or an empty text."""
    known = _read(os.path.join(_folder(env), queue.file_name(session) + ".json"))
    return known[0].started if known else ""


def unseen(env: Mapping[str, str]) -> list[queue.Job]:
    """Sessions that began and that no worker has looked after yet."""
    place = _folder(env)
    try:
        names = [name for name in os.listdir(place) if name.endswith(".json")]
    except OSError:
        return []
    read = [_read(os.path.join(place, name)) for name in names]
    return [known[0] for known in read if known]


def closed(env: Mapping[str, str], job: queue.Job) -> None:
    """A session was looked after; one that was resumed since it ended is still open."""
    path = os.path.join(_folder(env), job.name + ".json")
    known = _read(path)
    if known is None or known[0].queued <= job.queued:
        with contextlib.suppress(OSError):
            os.unlink(path)


def lost(env: Mapping[str, str]) -> list[queue.Job]:
    """Sessions whose process is gone and that never said so."""
    place = _folder(env)
    try:
        names = [name for name in os.listdir(place) if name.endswith(".json")]
    except OSError:
        return []
    found = []
    for name in names:
        path = os.path.join(place, name)
        known = _read(path)
        if known is None:
            with contextlib.suppress(OSError):
                os.unlink(path)
        elif not _lives(known[1], path):
            found.append(known[0])
    return found


def agent() -> Process | None:
    """The nearest process above us that is no shell: the agent whose hook we are."""
    pid = os.getppid()
    for _ in range(8):
        read = _stat(pid)
        if pid <= 1 or read is None:
            return None
        name, parent, began = read
        if name not in _SHELLS:
            return Process(pid, began)
        pid = parent
    return None


def _lives(process: Process | None, path: str) -> bool:
    if process is None:
        try:
            return time.time() - os.stat(path).st_mtime < _UNKNOWN_FOR
        except OSError:
            return False
    read = _stat(process.pid)
    return read is not None and read[2] == process.began


def _stat(pid: int) -> tuple[str, int, str] | None:
    """A process's name, its parent, and when it began (in the kernel's ticks)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    words = rest.split()
    if len(words) < 20 or words[0] in {"Z", "X"}:
        return None
    return name, int(words[1]), words[19]


def _folder(env: Mapping[str, str]) -> str:
    return os.path.join(state_folder(env), queue.FOLDER, FOLDER)


def _read(path: str) -> tuple[queue.Job, Process | None] | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            values = json.loads(file.read(1 << 16))
    except (OSError, ValueError):
        return None
    job = queue.job_of(values)
    if job is None:
        return None
    process = values.get("process")
    if (
        isinstance(process, list)
        and len(process) == 2
        and isinstance(process[0], int)
        and isinstance(process[1], str)
    ):
        return job, Process(process[0], process[1])
    return job, None
