"""Run an outside program with a bound on time and no way to ask anybody anything."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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
) -> Result:
    """Run a program to its end.

    It gets a session of its own: no terminal on which it could prompt, and one process group that
    is killed as a whole when *seconds* are over or we are interrupted.  *keep* are file descriptors
    that it inherits (the store's lock).

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
            kill_group(child.pid)
            out, err = child.communicate()
        except BaseException:
            kill_group(child.pid)
            raise
    return Result(child.returncode, out, err.decode("utf-8", "replace"), timed_out)


def kill_group(pid: int) -> None:
    """Kill a child and whatever it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
