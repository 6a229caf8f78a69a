"""A world whose commands run in the test's own process: three times as many in the same time.

What a command does is all real (git, Emacs, files); only the start of Python is left out.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING

from world import Ran, World

if TYPE_CHECKING:
    from collections.abc import Iterator


class NearWorld(World):
    """As :class:`World`; one command at a time."""

    def run(self, *words, stdin="", timeout=60, env=None, cwd=None, **further) -> Ran:
        """A command's end, without a process of its own."""
        del timeout
        assert not further
        from aikb.cli.entry import _run

        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = io.BytesIO(), io.BytesIO()
        with _swapped(self.environment(env), ["ai-kb", *map(str, words)], data, out, err):
            os.chdir(cwd or self.project)
            code = _run()
            sys.stdout.flush()
            sys.stderr.flush()
            return Ran(code, out.getvalue().decode(), err.getvalue().decode())


@contextlib.contextmanager
def _swapped(env, argv, data, out, err) -> Iterator[None]:
    """What a process has of its own, for a moment."""
    kept = (
        sys.argv,
        sys.stdin,
        sys.stdout,
        sys.stderr,
        dict(os.environ),
        os.getcwd(),
        os.umask(0o77),
    )
    os.environ.clear()
    os.environ.update(env)
    sys.argv = argv
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8")
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8")
    try:
        yield
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr, environ, folder, mask = kept
        os.environ.clear()
        os.environ.update(environ)
        os.chdir(folder)
        os.umask(mask)
