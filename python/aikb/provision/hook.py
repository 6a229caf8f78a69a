"""The store's own pre-commit hook: a `git commit` by hand is checked like any other write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aikb.writing.files import write_synced

if TYPE_CHECKING:
    from aikb.provision.init import Step
    from aikb.tools.git import Git

_MARK = "# ai-kb: the store's check; `ai-kb init` writes this file anew"
_SCRIPT = """#!/bin/sh
{mark}
AI_KB_HOME=$(git rev-parse --show-toplevel) || exit 1
export AI_KB_HOME
if [ ! -x {program} ]; then
    echo "ai-kb is not at "{program}"; run \\`ai-kb init\\` again so that commits are checked" >&2
    exit 1
fi
exec {command} check --staged
"""


def hook_path(git: Git) -> str:
    """Where git looks for the hook."""
    return os.path.join(git.directory, "hooks", "pre-commit")


def called(program: str) -> str:
    """The words by which a shell calls us; *program* is the ``ai-kb``, or a Python that has it."""
    quoted = _quoted(program)
    is_python = os.path.basename(program).startswith("python")
    return f"{quoted} -m aikb" if is_python else quoted


def driver(program: str) -> str:
    """The words by which git has us merge a note."""
    return f"{called(program)} merge-file %O %A %B %P"


def hook_text(program: str) -> str:
    """The hook's script."""
    return _SCRIPT.format(mark=_MARK, program=_quoted(program), command=called(program))


def _quoted(program: str) -> str:
    return "'" + program.replace("'", "'\\''") + "'"


def hook_state(git: Git, program: str) -> str:
    """``current``, ``stale`` (ours, and another text), ``missing`` or ``foreign``."""
    try:
        with open(hook_path(git), encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return "missing"
    if _MARK not in text:
        return "foreign"
    executable = os.access(hook_path(git), os.X_OK)
    return "current" if text == hook_text(program) and executable else "stale"


def install_hook(git: Git, program: str) -> Step:
    """Write the hook, unless somebody else's stands there."""
    from aikb.provision.init import Step

    path = hook_path(git)
    state = hook_state(git, program)
    if state == "current":
        return Step("skipping", "pre-commit hook", "already there")
    if state == "foreign":
        return Step(
            "refusing", "pre-commit hook",
            f"'{path}' is not ours; let it call `ai-kb check --staged`",
        )  # fmt: skip
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_synced(path + ".new", hook_text(program).encode())
    os.chmod(path + ".new", 0o700)
    os.replace(path + ".new", path)
    return Step("writing", "pre-commit hook", path)
