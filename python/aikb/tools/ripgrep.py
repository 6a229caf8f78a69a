"""The door to ripgrep: which files of a store have a string.  Python does it where rg is missing."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from aikb.tools.process import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SECONDS = 30.0
_FOUND, _NOT_FOUND = 0, 1


def files_with(root: str, needle: str, env: Mapping[str, str], suffix: str = ".org") -> list[str]:
    """Paths, relative to *root* and sorted, of files whose bytes contain *needle*.

    Hidden files and folders are left out, as by the store's own scan.  Where ripgrep is missing, or
    fails, or leaves something unread, Python gives the answer: a link that is not found would let
    its target be removed.
    """
    program = shutil.which("rg", path=env.get("PATH"))
    if program is None:
        return sorted(files_with_python(root, needle, suffix))
    command = [
        program, "--no-config", "--no-ignore", "--text", "--encoding=none", "--no-messages",
        "--files-with-matches", "--null", "--fixed-strings", "--glob", f"*{suffix}",
        "--regexp", needle, "--", ".",
    ]  # fmt: skip
    try:
        result = run(command, seconds=_SECONDS, env=env, cwd=root)
    except OSError:
        return sorted(files_with_python(root, needle, suffix))
    if result.code not in (_FOUND, _NOT_FOUND) or result.timed_out:
        return sorted(files_with_python(root, needle, suffix))
    names = result.out.decode("utf-8", "surrogateescape").split("\0")
    found = (name.removeprefix("./") for name in names if name)
    # a glob makes ripgrep take hidden files in
    return sorted(name for name in found if "/." not in f"/{name}")


def files_with_python(root: str, needle: str, suffix: str = ".org") -> Iterable[str]:
    """The same answer without ripgrep."""
    wanted = needle.encode()
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(folder, name)
            if name.startswith(".") or not name.endswith(suffix) or os.path.islink(path):
                continue
            try:
                with open(path, "rb") as file:
                    if wanted in file.read():
                        yield os.path.relpath(path, root)
            except OSError:
                continue
