"""What a repository's own configuration would make git run: a store has no say in that.

Git obeys ``.git/config`` as it obeys the person's own: filters, helpers and programs at the other end of
a push stand there too.  Our own settings go over most of it (:mod:`aikb.tools.git`); what they cannot go
over is found here, before git is asked anything that could run it.  Merge drivers stand there by our
own wish: no command of ours runs any.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# What every git of ours is told.
SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    "push.recurseSubmodules=no",
    "fetch.recurseSubmodules=no",
    "core.autocrlf=false",
    "core.quotePath=false",
    "core.fsync=committed,reference",
    "gc.auto=0",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=5",
    "protocol.ext.allow=never",
)
_WORDS = re.compile(
    rb"(?i)filter|include|credential|textconv|external|command\b|receivepack|uploadpack|vcs|gitproxy"
    rb"|alternaterefs"
)
_RUNS = re.compile(
    r"filter\..*\.(?:clean|smudge|process)|core\.(?:gitproxy|alternaterefscommand)"
    r"|diff\.(?:external|.*\.(?:command|textconv))|remote\..*\.(?:receivepack|uploadpack|vcs)"
    r"|credential\.(?:.*\.)?helper"
)
# What a person installs for one repository, by the program's own name in a place of the system's.
_KNOWN = re.compile(
    r"git-lfs (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?|\"?git-crypt\"? (?:clean|smudge|diff)"
    r"|!?(?:/usr/(?:local/)?bin/)?gh auth git-credential|/usr/(?:lib|libexec|share)/[\w./-]+"
)


def runs(directory: str, ask: Callable[[], bytes]) -> str:
    """The first setting of the repository's own that would run a program, or an empty string.

    *ask* gives the answer to ``git config --list --show-scope --null``; it is asked only if a file
    of the configuration has a word that could be one.
    """
    if not any(
        _is_suspect(os.path.join(directory, name)) for name in ("config", "config.worktree")
    ):
        return ""
    words = ask().decode("utf-8", "replace").split("\0")
    for scope, entry in zip(words[::2], words[1::2], strict=False):
        name, _, value = entry.partition("\n")
        if scope in {"local", "worktree"} and _RUNS.fullmatch(name) and not _is_inert(name, value):
            return name
    return ""


def _is_suspect(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return os.path.basename(os.path.dirname(path)) != ".git"  # its settings stand elsewhere
    return bool(_WORDS.search(text))


def _is_inert(name: str, value: str) -> bool:
    if name.startswith("credential.") and value.replace("-", "").isalnum():
        return True  # a helper of git's own
    return not value or (bool(_KNOWN.fullmatch(value)) and ".." not in value)
