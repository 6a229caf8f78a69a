"""The door to Emacs: one ``emacs --batch`` that lints files and says what it reads in them.

The Lisp side is ``elisp/ai-kb-batch.el``; it evaluates nothing from a file and runs only checkers
known to be safe (facts/org-lint.md).  Emacs is started before the files are ready, because loading
Org takes it as long as everything that we have to do before we can ask.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

from aikb.errors import EmacsError
from aikb.formats.org.emacs_view import EmacsNode, LintMessage, Reading
from aikb.tools.process import end

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LISP = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "elisp", "ai-kb-batch.el"
)
_MEMORY = 4 << 30
_CPU_SECONDS = 600
_PIPE = 4096  # what any pipe takes without being read
_MISSING = "Install Emacs (Debian: apt install emacs-nox); nothing is committed without its check."
_DROPPED = ("EMACSLOADPATH", "EMACSDATA", "EMACSDOC", "EMACSPATH")


class Emacs:
    """One batch session: start it early, ask it once, take the answers, and it is gone.

    Use as a context manager: leaving the block kills whatever is still running.
    """

    def __init__(self, env: Mapping[str, str], seconds: float) -> None:
        self._env = {k: v for k, v in env.items() if k not in _DROPPED}
        self._env["LC_ALL"] = "C.UTF-8"
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: list[str] = []
        self._unsent = b""

    def __enter__(self) -> Emacs:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start loading; returns at once.

        Raises:
            EmacsError: there is no Emacs to start.
        """
        if self._child is not None:
            return
        program = shutil.which("emacs", path=self._env.get("PATH"))
        if program is None:
            raise EmacsError(
                "Emacs is not installed, and a node is not checked without it", _MISSING
            )
        command = [program, "-Q", "--batch", "-l", os.path.normpath(_LISP)]
        try:
            self._child = subprocess.Popen(
                [*command, "-f", "ai-kb-batch-serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._env,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise EmacsError(f"Emacs cannot be started: {error.strerror}", _MISSING) from error
        _bound(self._child.pid)

    def ask(self, paths: Sequence[str]) -> None:
        """Name the files, by absolute path, that are to be read; does not wait for the answers."""
        self._asked = list(paths)
        if not self._asked:
            self.stop()
            return
        self.start()
        data = "".join(f"{path}\n" for path in paths).encode("utf-8", "surrogateescape")
        pipe = self._child.stdin if self._child else None
        if pipe is None or len(data) > _PIPE:
            self._unsent = data
            return
        with contextlib.suppress(BrokenPipeError):  # its end is found out when it is asked
            pipe.write(data)
            pipe.flush()

    def answers(self) -> list[Reading]:
        """What Emacs makes of the files, in the order in which they were named.

        The session ends with this call.  Its time is bounded: as long as the settings say, and a
        little for each further file.

        Raises:
            EmacsError: Emacs did not answer in time, or not as it should.
        """
        paths, child = self._asked, self._child
        if not paths or child is None:
            return []
        seconds = self._seconds + 0.2 * len(paths)
        try:
            out, err = child.communicate(self._unsent or None, timeout=seconds)
        except subprocess.TimeoutExpired:
            self.stop()
            raise EmacsError(
                f"Emacs did not answer within {seconds:.0f} s",
                "A file may be nested too deeply, or have too much unclosed markup, for Org; or Emacs "
                "hangs at its start: try `emacs -Q --batch`. Nothing was written.",
            ) from None
        self._child = None
        readings = _parse(out)
        if child.returncode != 0 or [reading.path for reading in readings] != paths:
            said = err.decode("utf-8", "replace").strip().splitlines()
            raise EmacsError(
                f"Emacs ended without an answer (exit code {child.returncode})"
                + (f": {said[-1]}" if said else ""),
                "Run `ai-kb doctor`.",
            )
        return readings

    def read(self, paths: Sequence[str]) -> list[Reading]:
        """Lint and read files, and wait for the answers.

        Raises:
            EmacsError: as :meth:`answers`.
        """
        self.ask(paths)
        return self.answers()

    def stop(self) -> None:
        """End the session, whatever it does."""
        if self._child is not None:
            end(self._child)
            self._child = None


def _bound(pid: int) -> None:
    """Keep a runaway parse from taking the machine, even when we are killed and cannot stop it."""
    import resource

    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            resource.prlimit(pid, resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))


def _parse(out: bytes) -> list[Reading]:
    """The answers; none where one of them is not what the Lisp side prints."""
    from sexpdata import loads

    lines = out.decode("utf-8", "replace").split("\n")
    try:
        return [_reading(loads(line)) for line in lines if line.startswith("(file ")]
    except Exception:  # whatever stands in front of us, it is not our Emacs
        return []


def _reading(form: list[Any]) -> Reading:
    path, fields = form[1], _plist(form[2:])
    return Reading(
        path,
        tuple(LintMessage(int(n), str(name), text) for n, name, text in fields.get("lint") or ()),
        tuple(_node(_plist(node)) for node in fields.get("nodes") or ()),
        tuple(link[0] for link in fields.get("links") or ()),
        fields.get("error") or "",
    )


def _node(fields: dict[str, Any]) -> EmacsNode:
    return EmacsNode(
        int(fields["line"]),
        int(fields["level"]),
        fields["id"] or "",
        fields["title"] or "",
        tuple(fields["tags"] or ()),
        {pair[0]: _tail(pair) for pair in fields["properties"] or ()},
    )


def _tail(pair: list[Any]) -> str:
    """The value of a dotted pair, which is read as a list with a dot in it."""
    value = pair[-1]
    return value if isinstance(value, str) else ""


def _plist(items: list[Any]) -> dict[str, Any]:
    return {str(items[n]).lstrip(":"): items[n + 1] for n in range(0, len(items) - 1, 2)}
