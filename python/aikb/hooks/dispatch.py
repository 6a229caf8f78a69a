"""The two hooks that an agent calls: read a little, write a file, start a worker, be gone.

SessionEnd has 1.5 seconds, and everything that is still alive then is killed with its children
(facts/agent-hooks.md); so the work is done by a process of a session of its own.  Whatever goes wrong
here: no output, exit code 0, the reason in the log.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from typing import TYPE_CHECKING, Any

from aikb.hooks import alive, log, queue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GUARD = "AI_KB_HOOK"  # "off": this agent was started by the worker, or a person wants no hooks
_LARGEST = 1 << 20
_PATIENCE = 0.5  # seconds for an agent that keeps the pipe open
_LONGEST = 4096


def answer(words: Sequence[str], env: Mapping[str, str]) -> int | None:
    """Answer a hook, without click: an agent waits.  None: *words* ask for something else.

    Always exit code 0: another would be shown to a person who can do nothing about it.
    """
    if list(words) == ["session-end"]:
        session_end(env)
        return 0
    if list(words) == ["session-start"]:
        _tell(session_start(env), env)
        return 0
    return None


def _tell(text: str, env: Mapping[str, str]) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:  # nobody reads it any more, or it goes into a file on a full disk
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        _trouble(env, "session-start", error)


def is_off(env: Mapping[str, str]) -> bool:
    """Whether hooks shall do nothing."""
    return env.get(GUARD, "").lower() in {"off", "0", "no", "false"}


def session_end(env: Mapping[str, str]) -> None:
    """Queue the session that ends, and start a worker for it."""
    try:
        if is_off(env):
            return
        job = _job(env, read_input(), "session-end")
        if job is None:
            return
        job = job._replace(started=alive.started(env, job.session))
        fresh = queue.put(env, job)
        log.write(env, "queued" if fresh else "queued-before", session=job.session, cwd=job.cwd,
                  detail=job.reason)  # fmt: skip
        start_worker(env)
    except BaseException as error:
        _trouble(env, "session-end", error)


def session_start(env: Mapping[str, str]) -> str:
    """Remember the session that begins, catch up with what was left, and give what to tell it."""
    if is_off(env):
        return ""
    data = b""
    try:
        data = read_input()
        job = _job(env, data, "session-start")
        if job is not None:
            alive.opened(env, job)
        catch_up(env)
        send_backup(env)
    except BaseException as error:  # what the session is told does not depend on it
        _trouble(env, "session-start", error)
    try:
        from aikb.hooks import session_start as surface

        return surface.run(data, env)
    except BaseException as error:
        _trouble(env, "session-start", error)
        return ""


def _trouble(env: Mapping[str, str], event: str, error: BaseException) -> None:
    log.write(env, "trouble", detail=f"{event}: {type(error).__name__}: {error}")


def catch_up(env: Mapping[str, str]) -> int:
    """Start a worker for what sessions left that were killed, or whose worker was; how many wait."""
    for job in alive.lost(env):
        if queue.put(env, job._replace(reason="lost", queued="")):
            log.write(env, "lost", session=job.session, cwd=job.cwd)
    waiting = len(queue.pending(env))
    if waiting:
        start_worker(env)
    return waiting


def send_backup(env: Mapping[str, str]) -> None:
    """Have the store's unpushed work sent, if a push failed before; not waited for.

    Raises:
        AikbError, OSError: nobody knows where the store is, or no process can be started.
    """
    from aikb.config import find_places
    from aikb.sync.pause import NAME

    if os.path.exists(os.path.join(find_places(env).store, ".git", NAME)):
        start(env, "push", "--if-due")


def program() -> list[str]:
    """The words that start this very program anew, in a directory that it does not trust."""
    main = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "__main__.py")
    if sys.flags.no_site:  # as the launcher does
        return [sys.executable, "-I", "-S", "-X", "utf8", main]
    return [sys.executable, "-P", "-X", "utf8", "-m", "aikb"]


def worker_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of everything that a hook starts: hooks inside of it do nothing."""
    return {**env, GUARD: "off"}


def start_worker(env: Mapping[str, str]) -> None:
    """Start a worker.

    Raises:
        OSError: it cannot be started.
    """
    start(env, "hook", "worker")


def start(env: Mapping[str, str], *words: str) -> None:
    """Start this program with *words*, so that it outlives us, whatever is done to our session.

    Raises:
        OSError: it cannot be started.
    """
    import subprocess

    subprocess.Popen(
        [*program(), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=worker_environment(env),
        cwd="/",
        start_new_session=True,
    )


def read_input(descriptor: int = 0) -> bytes:
    """What the agent says about the event: all that comes before it closes, within bounds."""
    data = b""
    deadline = time.monotonic() + _PATIENCE
    while len(data) <= _LARGEST:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            break
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            break
        data += piece
    return data[:_LARGEST]


def _job(env: Mapping[str, str], data: bytes, event: str) -> queue.Job | None:
    """The session that an event names, or None with the reason in the log."""
    try:
        values: Any = json.loads(data)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        log.write(env, "trouble", detail=f"{event}: no JSON object on standard input")
        return None
    session = _text(values, "session_id")
    cwd = env.get("CLAUDE_PROJECT_DIR") or _text(values, "cwd") or os.getcwd()
    if not session or not os.path.isabs(cwd):
        log.write(env, "trouble", detail=f"{event}: no session_id, or a cwd that is no full path")
        return None
    return queue.Job(
        session, os.path.normpath(cwd), _text(values, "transcript_path"), _text(values, "reason"),
        vault=env.get("AI_KB_VAULT", ""),
    )  # fmt: skip


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    good = isinstance(value, str) and len(value) <= _LONGEST and "\0" not in value
    return value if good and isinstance(value, str) else ""
