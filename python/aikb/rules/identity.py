"""What only the whole store can tell: ids and names are unique, links resolve, no target is lost."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from aikb.links.short import is_short, matching
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from aikb.formats.org.document import Document
    from aikb.model import Link, Note


def places(files: Mapping[str, Sequence[Note]]) -> dict[str, list[str]]:
    """For each id the ``path:line`` of every node that has it."""
    found: dict[str, list[str]] = {}
    for path, notes in files.items():
        for note in notes:
            found.setdefault(note.id, []).append(f"{path}:{note.line}")
    return found


def check_unique(files: Mapping[str, Sequence[Note]], among: Iterable[str]) -> Iterator[Finding]:
    """A finding for each node of the files *among* whose id another file has too."""
    taken = places(files)
    for path in among:
        for note in files.get(path, ()):
            others = [p for p in taken[note.id] if p.rpartition(":")[0] != path]
            if others:
                yield Finding(
                    path, note.line, "error", "duplicate-id",
                    f"the id {note.id} stands in {', '.join(others)} too; make a new one "
                    "(uuidgen, or /proc/sys/kernel/random/uuid) for the copy",
                )  # fmt: skip


def check_names(paths: Collection[str], among: Iterable[str]) -> Iterator[Finding]:
    """A finding for each file *among* whose name is another's where case or accents do not count.

    macOS and Windows take ``Foo.org`` and ``foo.org`` for one file, and an accent that is a letter's
    part for one that follows it: a checkout there has only one of the two, and loses the other.
    """
    folded: dict[str, list[str]] = {}
    for path in paths:
        folded.setdefault(_fold(path), []).append(path)
    for path in among:
        others = [other for other in folded.get(_fold(path), ()) if other != path]
        if others:
            yield Finding(
                path, 1, "error", "file-name-taken",
                f"'{others[0]}' has this name too where case or the form of accents does not count "
                "(macOS, Windows), and only one of them would be there; rename one, links stay good",
            )  # fmt: skip


def _fold(path: str) -> str:
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path.casefold())


def check_links(document: Document, ids: Collection[str]) -> Iterator[Finding]:
    """A finding for each id link of a file that leads to no node, or not to one alone."""
    for link in document.links:
        if link.target and link.target in ids:
            continue
        line = document.line(link.pos)
        if not is_short(link.target):
            yield Finding(
                document.path, line, "error", "dangling-link",
                f"no node has the id '{link.target[:60]}'; find the right one with `ai-kb find`, "
                "or write the words without a link",
            )  # fmt: skip
            continue
        matches = matching(link.target, ids)
        if len(matches) == 1:
            yield Finding(
                document.path, line, "warning", "short-id",
                f"'id:{link.target}' is written out when it is committed",
            )  # fmt: skip
        elif matches:
            yield Finding(
                document.path, line, "error", "ambiguous-short-id",
                f"'id:{link.target}' could be {', '.join(matches[:4])}; give more "
                "of the id",
            )  # fmt: skip
        else:
            yield Finding(
                document.path, line, "error", "unknown-short-id",
                f"no node's id begins with '{link.target}'; look for it with `ai-kb find`",
            )  # fmt: skip


def check_referrers(gone: Collection[str], links: Iterable[Link]) -> Iterator[Finding]:
    """A finding for each link elsewhere that a change would leave without its target."""
    for link in links:
        if link.target in gone:
            yield Finding(
                link.path, link.line, "error", "target-removed",
                f"this links to {link.target}, which the change removes; change the link first, "
                "or mark the node superseded instead",
            )  # fmt: skip
