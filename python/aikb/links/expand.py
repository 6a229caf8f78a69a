"""``[[id:1a2b3c4d]]``: short ids in links written out in full, with the title where no words are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.org.links import find_id_links
from aikb.links.short import is_short, matching

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.model import Note


def expand_short_ids(text: str, notes: Iterable[Note], *, words: bool = False) -> str:
    """*text* with every short id link that names one node written out.

    With *words*, for text that is new, whole ids get the title too where no words are given.

    Whole ids, and short ones that name none or several, are left alone: what does not resolve is
    for :func:`aikb.rules.identity.check_links` to say.
    """
    links = [link for link in find_id_links(text) if words or is_short(link.target)]
    if not links:
        return text
    by_id = {note.id: note for note in notes}
    for link in reversed(links):
        matches = [link.target] if link.target in by_id else matching(link.target, by_id)
        if len(matches) != 1:
            continue
        note = by_id[matches[0]]
        new = text[link.pos : link.end].replace(f"id:{link.target}", f"id:{note.id}", 1)
        if link.style == "bracket" and not link.description:
            new = f"{new[:-1]}[{_words(note.title)}]]"
        text = text[: link.pos] + new + text[link.end :]
    return text


def _words(title: str) -> str:
    return title.replace("[", "(").replace("]", ")")
