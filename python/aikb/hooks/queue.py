"""Sessions that ended and still want to be looked after: one job file a session, written whole.

A job stays until each of its steps is done, skipped, or has failed too often; what is done is marked
in it, so that a worker that was killed goes on where it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.hooks.log import now, state_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "sessions"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_LARGEST = 1 << 16
_STALE = 3600.0  # seconds


class Job(NamedTuple):
    """A session that ended: ``done`` and ``tries`` are by the name of a step.

    ``started`` and ``queued`` are times as the log has them, ``vault`` is the session's ``$AI_KB_VAULT``.
    """

    session: str
    cwd: str
    transcript: str = ""
    reason: str = ""
    started: str = ""
    queued: str = ""
    vault: str = ""
    done: Mapping[str, str] = {}
    tries: Mapping[str, int] = {}

    @property
    def name(self) -> str:
        """The name of its file, without what an id could do to a path."""
        return file_name(self.session)


def file_name(session: str) -> str:
    """A session's id as a file's name, or a hash where it could be none."""
    if _NAME.fullmatch(session):
        return session
    import hashlib  # late: nearly no id needs it

    return "x" + hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:32]


def folder(env: Mapping[str, str]) -> str:
    """Where job files are, made if need be."""
    path = os.path.join(state_folder(env), FOLDER)
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def put(env: Mapping[str, str], job: Job) -> bool:
    """Queue a session; whether it was not queued already.

    One that waits and is partly done went on meanwhile and ends again: it is looked at anew.

    Raises:
        OSError: the file cannot be written.
    """
    path = os.path.join(folder(env), job.name + ".json")
    known = _read(path)
    if known is None:
        _write(path, job._replace(queued=job.queued or now()), fresh=True)
    elif known.done:
        _write(path, job._replace(queued=job.queued or now(), tries=known.tries), fresh=False)
    return known is None


def save(env: Mapping[str, str], job: Job) -> None:
    """Write a job as it is now, unless the session was queued anew meanwhile."""
    if _is_current(env, job):
        _write(os.path.join(folder(env), job.name + ".json"), job, fresh=False)


def remove(env: Mapping[str, str], job: Job) -> None:
    """A job is done, unless the session was queued anew meanwhile."""
    if _is_current(env, job):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder(env), job.name + ".json"))


def sweep(env: Mapping[str, str]) -> None:
    """Take away what processes left that were killed while they wrote a job."""
    for place, _, names in os.walk(os.path.join(state_folder(env), FOLDER)):
        for name in names:
            path = os.path.join(place, name)
            with contextlib.suppress(OSError):
                if name.endswith(".tmp") and time.time() - os.stat(path).st_mtime > _STALE:
                    os.unlink(path)


def _is_current(env: Mapping[str, str], job: Job) -> bool:
    known = get(env, job.name)
    return known is None or known.queued == job.queued


def get(env: Mapping[str, str], name: str) -> Job | None:
    """A queued job by its file's name."""
    return _read(os.path.join(folder(env), file_name(name) + ".json"))


def pending(env: Mapping[str, str]) -> list[Job]:
    """All queued jobs, oldest first.  What cannot be read is put aside under another name."""
    jobs = []
    place = os.path.join(state_folder(env), FOLDER)
    try:
        names = [name for name in os.listdir(place) if name.endswith(".json")]
    except FileNotFoundError:
        return []
    for name in names:
        path = os.path.join(place, name)
        job = _read(path)
        if job:
            jobs.append(job)
        else:
            with contextlib.suppress(OSError):
                os.replace(path, path + ".damaged")
    return sorted(jobs, key=lambda job: (job.queued, job.session))


def _write(path: str, job: Job, *, fresh: bool) -> None:
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump(job._asdict(), file, ensure_ascii=False)
    try:
        if fresh:
            with contextlib.suppress(FileExistsError):  # queued meanwhile: as good
                os.link(temporary, path)
            os.unlink(temporary)
        else:
            os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            os.replace(temporary, path)  # a file system without hard links


def _read(path: str) -> Job | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            values = json.loads(file.read(_LARGEST))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return None
    return job_of(values)


def job_of(values: Any) -> Job | None:
    """A job from what its file has, or None if that is none; what is not known is left out."""
    if not isinstance(values, dict):
        return None
    texts = {
        name: value for name in Job._fields[:7] if isinstance(value := values.get(name, ""), str)
    }
    done, tries = values.get("done", {}), values.get("tries", {})
    if not texts.get("session") or not texts.get("cwd"):
        return None
    return Job(
        **texts,
        done={k: v for k, v in done.items() if isinstance(v, str)}
        if isinstance(done, dict)
        else {},
        tries={k: v for k, v in tries.items() if isinstance(v, int)}
        if isinstance(tries, dict)
        else {},
    )
