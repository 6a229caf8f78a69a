"""The merge driver for a person's own ``git merge``: notes by property, as ``ai-kb sync`` merges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.tools.git_merge import text_merger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.formats.threeway import Merge, TextMerger
    from aikb.tools.git import Git


def drive(git: Git, base: str, ours: str, theirs: str, path: str) -> bool:
    """Merge three files into *ours*, as git asks its drivers; where they clash with markers.

    *path* is what the repository calls the file; its ending tells Markdown from Org.

    Returns:
        Whether it is merged.

    Raises:
        OSError: a file cannot be read or written.
    """
    data = []
    for name in (base, ours, theirs):
        with open(name, "rb") as file:
            data.append(file.read())
    merged = _merged(path, data, text_merger(git))
    if merged.conflicts:
        return git.run("merge-file", "-q", ours, base, theirs).code == 0
    with open(ours, "wb") as file:
        file.write(merged.data)
    return True


def _merged(path: str, data: Sequence[bytes], merger: TextMerger) -> Merge:
    if path.casefold().endswith(".md"):
        from aikb.formats.markdown import merge as markdown

        return markdown.merge_file(data[0], data[1], data[2], merger)
    from aikb.formats.org import merge as org

    return org.merge_file(data[0], data[1], data[2], merger)
