"""``[[id:1a2b3c4d]]``: short ids in links written out in full, with the title where no words are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.org.links import find_id_links
from aikb.links.graph import SHORTEST_PREFIX
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.model import Note

_SHORT = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]*")
_FULL = 36


def expand_short_ids(text: str, notes: Iterable[Note], path: str) -> tuple[str, list[Finding]]:
    """*text* with every short id link written out, and a finding for each that cannot be.

    A target that is a whole id, known or not, is left alone; whether it resolves is for
    :func:`aikb.rules.identity.check_links` to say.
    """
    links = [link for link in find_id_links(text) if _is_short(link.target)]
    if not links:
        return text, []
    by_id = {note.id: note for note in notes}
    findings: list[Finding] = []
    for link in reversed(links):
        if link.target in by_id:
            continue
        prefix = link.target.lower()
        matches = [i for i in by_id if i.lower().startswith(prefix)]
        if len(matches) != 1 or len(prefix) < SHORTEST_PREFIX:
            line = text.count("\n", 0, link.pos) + 1
            findings.append(_refusal(path, line, link.target, [by_id[i] for i in matches]))
            continue
        note = by_id[matches[0]]
        old = text[link.pos : link.end]
        new = old.replace(f"id:{link.target}", f"id:{note.id}", 1)
        if link.style == "bracket" and not link.description:
            new = f"{new[:-1]}[{_words(note.title)}]]"
        text = text[: link.pos] + new + text[link.end :]
    return text, findings[::-1]


def _is_short(target: str) -> bool:
    return len(target) < _FULL and bool(_SHORT.fullmatch(target))


def _words(title: str) -> str:
    return title.replace("[", "(").replace("]", ")")


def _refusal(path: str, line: int, target: str, matches: list[Note]) -> Finding:
    if len(matches) > 1:
        names = ", ".join(f"{note.id[:13]} ({note.title})" for note in matches[:4])
        return Finding(
            path, line, "error", "ambiguous-short-id",
            f"'id:{target}' could be {names}; give more of the id",
        )  # fmt: skip
    return Finding(
        path, line, "error", "unknown-short-id",
        f"no node's id begins with '{target}'; look for it with `ai-kb find`",
    )  # fmt: skip
