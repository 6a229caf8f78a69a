"""The merge driver for a person's own ``git merge``: notes by property, as ``ai-kb sync`` merges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.threeway import MARKED, UnmergeableError
from aikb.tools.git_merge import text_merger

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.formats.threeway import Merge, TextMerger
    from aikb.tools.git import Git


_TEXT = {"body", "text"}  # what can be told by markers, with the rest merged around them


def drive(git: Git, base: str, ours: str, theirs: str, path: str) -> bool:
    """Merge three files into *ours*, as git asks its drivers; where they clash with markers.

    If only words clash, the markers stand around these, and history and properties are merged; else
    around whatever lines differ.
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
    merger = text_merger(git)
    try:
        merged = _merged(path, data, merger, {})
        if merged.conflicts and {c.what for c in merged.conflicts} <= _TEXT:
            marked = _merged(path, data, merger, {c.node: MARKED for c in merged.conflicts})
            if marked.data.count(b">>>>>>> theirs") > data[1].count(b">>>>>>> theirs"):
                _write(ours, marked.data)
                return False
    except UnmergeableError:
        return False
    if merged.conflicts:
        labels = ("-L", "ours", "-L", "base", "-L", "theirs")
        return git.run("merge-file", "-q", *labels, ours, base, theirs).code == 0
    _write(ours, merged.data)
    return True


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _merged(
    path: str, data: Sequence[bytes], merger: TextMerger, favour: Mapping[str, str]
) -> Merge:
    if path.casefold().endswith(".md"):
        from aikb.formats.markdown import merge as markdown

        side = next(iter(favour.values()), "")
        return markdown.merge_file(data[0], data[1], data[2], merger, side)
    from aikb.formats.org import merge as org

    return org.merge_file(data[0], data[1], data[2], merger, favour)
