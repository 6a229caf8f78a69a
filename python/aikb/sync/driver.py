"""The merge driver for a person's own ``git merge``: nodes by property, as ``ai-kb sync`` merges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.org.merge import merge_file
from aikb.tools.git_merge import text_merger

if TYPE_CHECKING:
    from aikb.tools.git import Git


def drive(git: Git, base: str, ours: str, theirs: str) -> bool:
    """Merge three files into *ours*, as git asks its drivers; where they clash with markers.

    Returns:
        Whether it is merged.

    Raises:
        OSError: a file cannot be read or written.
    """
    data = []
    for name in (base, ours, theirs):
        with open(name, "rb") as file:
            data.append(file.read())
    merged = merge_file(data[0], data[1], data[2], text_merger(git))
    if merged.conflicts:
        return git.run("merge-file", "-q", ours, base, theirs).code == 0
    with open(ours, "wb") as file:
        file.write(merged.data)
    return True
