"""A folder that is no git repository, with as much of the door to git as the write path asks for.

So a vault without git takes the same steps: lock, compare, rules, record, promote.  What cannot be
promised there is said by :func:`aikb.sync.push.push`: no history, and no backup.  A write whose
process died is always taken back, since there is no HEAD that could have it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, TypeAlias

from aikb.tools.git_format import Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from aikb.tools.git import Git
    from aikb.tools.git_format import Identity

    Repository: TypeAlias = "Git | PlainFolder"


class PlainFolder:
    """A folder's root; every answer is that of a repository without a commit and without a change."""

    has_history: Literal[False] = False
    killed = False

    def __init__(self, root: str) -> None:
        self.root = root
        self.directory = os.path.join(root, ".ai-kb")
        self.keep: tuple[int, ...] = ()

    def exists(self) -> bool:
        """Whether the folder is there."""
        return os.path.isdir(self.root)

    def branch(self) -> str | None:
        """A name that stands for no branch."""
        return ""

    def under_way(self) -> str | None:
        """Nothing can be."""
        return None

    def head(self) -> str | None:
        """There is none."""
        return None

    def config(self) -> dict[str, str]:
        """No settings."""
        return {}

    def index_file(self) -> str:
        """A path where nothing is."""
        return os.path.join(self.directory, "no-git", "index")

    def lock_file(self) -> str:
        """A path where nothing is."""
        return os.path.join(self.directory, "no-git", "index.lock")

    def busy_with(self) -> str | None:
        """No git is at work here."""
        return None

    def mend_index(self) -> bool:
        """There is none to mend."""
        return False

    def status(self, paths: Iterable[str] = ()) -> Status:
        """What is on disk is what there is."""
        del paths
        return Status(None, {})

    def blobs(self, names: Sequence[str]) -> list[bytes | None]:
        """There are no objects."""
        return [None for _ in names]

    def stage(self, paths: Sequence[str]) -> None:
        """Nothing to bring up."""

    def staged(self, index_file: str, paths: Collection[str]) -> list[bytes]:
        """Nothing is staged."""
        del index_file, paths
        return []

    def unstage(self, paths: Sequence[str], entries: Sequence[bytes]) -> None:
        """Nothing to take back."""

    def commit(
        self,
        files: Mapping[str, bytes | None],
        message: str,
        branch: str,
        parent: str | None,
        identity: Identity,
        merged: str | None = None,
    ) -> str:
        """What was promoted stands; there is no commit."""
        del files, message, branch, parent, identity, merged
        return ""
