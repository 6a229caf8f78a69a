"""Run an outside program with a bound on time and no way to ask anybody anything."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LAST_WORDS = 1.0


class Result(NamedTuple):
    """How a program ended: exit code (negative: signal), output, and whether time ran out."""

    code: int
    out: bytes
    err: str
    timed_out: bool

    @property
    def ok(self) -> bool:
        """Whether it ended by itself and with 0."""
        return self.code == 0 and not self.timed_out

    @property
    def reason(self) -> str:
        """The last thing it said, in one line."""
        if self.timed_out:
            return "no answer in time"
        lines = [line.strip() for line in self.err.splitlines() if line.strip()]
        telling = [x for x in lines if x.startswith(("fatal:", "error:", "! [", "ssh:", "remote:"))]
        return (telling or lines or [f"exit code {self.code}"])[-1]


def run(
    command: Sequence[str],
    *,
    seconds: float,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    data: bytes = b"",
    keep: Sequence[int] = (),
    grace: float = 0.0,
) -> Result:
    """Run a program to its end.

    It gets a session of its own: no terminal on which it could prompt, and one process group that
    is killed as a whole when *seconds* are over or we are interrupted; before that it is asked to end
    by itself within *grace* seconds.  *keep* are file descriptors that it inherits (the store's lock).

    Raises:
        FileNotFoundError, PermissionError: the program cannot be started.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        cwd=cwd,
        start_new_session=True,
        pass_fds=tuple(keep),
    ) as child:
        timed_out = False
        try:
            out, err = child.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
            out, err = _end_gently(child, grace)
        except BaseException:
            end(child)
            raise
    return Result(child.returncode, out, err.decode("utf-8", "replace"), timed_out)


def _end_gently(child: subprocess.Popen[bytes], grace: float) -> tuple[bytes, bytes]:
    """Ask a child to end what it began, and kill it if it does not."""
    if grace > 0:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.communicate(timeout=grace)
    return end(child)


def end(child: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Kill a child and its whole group; gives what it said.

    Something that left the group may hold the pipes open for ever: they are not waited for.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    try:
        return child.communicate(timeout=_LAST_WORDS)
    except (subprocess.TimeoutExpired, ValueError):
        for pipe in (child.stdin, child.stdout, child.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        child.wait()
        return b"", b""


def at_work(program: str, folder: str) -> str | None:
    """A process whose name begins with *program* and that works in *folder*, as ``git (pid 123)``."""
    root = os.path.realpath(folder)
    try:
        pids = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return f"a {program} that may still run (this system cannot say)"
    for pid in pids:
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
                name = file.read().strip()
            if not name.startswith(program):
                continue
            cwd = os.readlink(f"/proc/{pid}/cwd")
        except OSError:
            continue
        if cwd == root or cwd.startswith(root + "/"):
            return f"{name} (pid {pid})"
    return None
