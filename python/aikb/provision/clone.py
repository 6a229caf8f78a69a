"""Clone a store: beside its place and moved there when it is whole, so that a kill leaves no half store."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import TYPE_CHECKING

from aikb.errors import GitError, StoreError
from aikb.sync.remote import REMOTE, words
from aikb.tools.git_format import shown_url
from aikb.writing.files import FOLDER_MODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aikb.tools.git import Git

BRANCH = "main"
_SECONDS = 120.0


def clone(git: Git, origin: str, is_wanted: Callable[[], bool]) -> str:
    """Clone *origin* to where *git* looks for its repository; what was done, in words.

    Raises:
        GitError: it cannot be cloned.
        StoreError: what was cloned is not wanted.  No folder is left of either.
    """
    made = [path for path in _above(git.root) if not os.path.lexists(path)]
    os.makedirs(os.path.dirname(git.root), FOLDER_MODE, exist_ok=True)
    try:
        _clone(git, origin, is_wanted)
    except BaseException:
        for path in made:  # the deepest first
            with contextlib.suppress(OSError):
                os.rmdir(path)
        raise
    return f"cloned from {shown_url(origin)}{'' if git.head() else ', which is empty'}"


def _above(path: str) -> Iterator[str]:
    """The folders above a path, from the deepest on."""
    while (parent := os.path.dirname(path)) != path:
        path = parent
        yield path


def _clone(git: Git, origin: str, is_wanted: Callable[[], bool]) -> None:
    existed, parent = os.path.isdir(git.root), os.path.dirname(git.root)
    with tempfile.TemporaryDirectory(prefix=".ai-kb-clone-", dir=parent) as folder:
        place = os.path.join(folder, "store")
        result = git.run(
            "-c", "core.symlinks=false", "clone", "--quiet", "--no-recurse-submodules", "--template=",
            f"--origin={REMOTE}", "--", origin, place, seconds=_SECONDS, cwd=parent, far=True,
        )  # fmt: skip
        if not result.ok:
            raise GitError(
                f"'{shown_url(origin)}' cannot be cloned: {words(result, origin)}",
                "Look at the address and your access, or run without an origin and add it later "
                "with `ai-kb remote URL`.",
            )
        os.chmod(place, FOLDER_MODE)
        os.rename(place, git.root)
    check_out(git)
    if not is_wanted():
        shutil.rmtree(git.root, ignore_errors=True)
        if existed:
            os.makedirs(git.root, FOLDER_MODE, exist_ok=True)
        raise StoreError(
            f"'{shown_url(origin)}' holds something else than an ai-kb store",
            "Nothing was changed there or here. Give the store a repository of its own, or take "
            "this one over with `ai-kb init --adopt`.",
        )


def check_out(git: Git) -> None:
    """Give a clone without a branch one: a bare repository's HEAD often names another.

    Without this the clone would begin a history of its own beside the origin's.
    """
    if git.head() is not None:
        return
    out = git.ask("for-each-ref", "--format=%(refname:lstrip=3)", f"refs/remotes/{REMOTE}")
    branches = [name for name in out.decode().split() if name != "HEAD"]
    if not branches:
        git.ask("symbolic-ref", "HEAD", f"refs/heads/{BRANCH}")
        return
    known = [name for name in (BRANCH, "master") if name in branches]
    branch = (known or branches)[0]
    git.ask("checkout", "--quiet", "-B", branch, "--track", f"{REMOTE}/{branch}")
