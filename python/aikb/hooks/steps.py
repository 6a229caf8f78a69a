"""The steps of a session's end, each for itself: what the worker calls, and a person by hand.

A step that finds its work done already says so and changes nothing.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.errors import AikbError, UsageError
from aikb.hooks import log, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aikb.hooks.queue import Job

LOCK = "steps.lock"
NAMES = (
    "session_end", "journal", "audit", "memsearch_sync", "vault_index_rebuild", "vault_sync",
)  # fmt: skip


class Outcome(NamedTuple):
    """How a step ended: ``done``, ``skipped`` or ``failed``; why; and what it counted and found."""

    state: str
    detail: str = ""
    counts: Mapping[str, int] = {}
    findings: tuple[str, ...] = ()

    def values(self) -> dict[str, Any]:
        """What the log has of it."""
        return {
            "state": self.state, "detail": self.detail,
            **({"counts": dict(self.counts)} if self.counts else {}),
            **({"findings": list(self.findings)} if self.findings else {}),
        }  # fmt: skip


def run_step(name: str, env: Mapping[str, str], job: Job, seconds: float, most: int = 5) -> Outcome:
    """Take one step for a session, one process at a time; an audit makes at most *most* notes.

    Raises:
        AikbError, OSError: it could not be done; nothing is half done.
    """
    from aikb.writing.lock import locked

    deadline = time.monotonic() + seconds
    state = log.state_folder(env)
    os.makedirs(state, mode=0o700, exist_ok=True)
    with locked(state, seconds, LOCK):
        if name == "session_end":
            first = _journal(env, job, deadline)
            second = _audit(env, job, deadline, most)
            detail = f"journal: {first.detail}; audit: {second.state}, {second.detail}"
            return second._replace(state=first.state if second.state == "skipped" else second.state,
                                   detail=detail)  # fmt: skip
        if name == "audit":
            return _audit(env, job, deadline, most)
        steps = {
            "journal": _journal, "memsearch_sync": _memsearch,
            "vault_index_rebuild": _index, "vault_sync": _sync,
        }  # fmt: skip
        if name not in steps:
            raise UsageError(f"'{name}' is no step", f"Steps are: {', '.join(NAMES)}.")
        return steps[name](env, job, deadline)


def _journal(env: Mapping[str, str], job: Job, deadline: float) -> Outcome:
    from aikb.hooks.journal import write_entry

    folder = settings.load(env).journal
    state, detail = write_entry(env, folder, job, project_name(job.cwd), deadline)
    return Outcome(state, detail)


def _audit(env: Mapping[str, str], job: Job, deadline: float, most: int) -> Outcome:
    from aikb.hooks.audit import audit_session

    return audit_session(env, job, deadline, most)


def _memsearch(env: Mapping[str, str], job: Job, deadline: float) -> Outcome:
    from aikb.tools.process import run

    command = settings.load(env).memsearch
    if not command:
        return Outcome("skipped", "no command is configured (session_end.memsearch)")
    try:
        result = run(
            command, seconds=max(0.1, deadline - time.monotonic() - 0.3), env=dict(env),
            cwd=job.cwd if os.path.isdir(job.cwd) else "/",
        )  # fmt: skip
    except OSError as error:
        return Outcome("skipped", f"'{command[0]}' cannot be started: {error.strerror}")
    return Outcome("done") if result.ok else Outcome("failed", f"{command[0]}: {result.reason}")


def _index(env: Mapping[str, str], job: Job, deadline: float) -> Outcome:
    del job
    from aikb.hooks.vault import rebuild_index

    return Outcome(*rebuild_index(env, deadline))


def _sync(env: Mapping[str, str], job: Job, deadline: float) -> Outcome:
    del job
    from aikb.hooks.vault import sync

    return Outcome(*sync(env, deadline))


def project_name(folder: str) -> str:
    """What the project at a folder is called."""
    names = project_names(folder)
    return names[0] if names else "project"


def project_names(folder: str) -> tuple[str, ...]:
    """All names that the project at a folder may go by, the likeliest first."""
    from aikb.recall.project import project_names as names

    return names(folder)


def trouble(error: BaseException) -> Outcome:
    """A step that could not be done, in words."""
    if isinstance(error, AikbError):
        return Outcome("failed", error.message)
    return Outcome("failed", f"{type(error).__name__}: {error}")
