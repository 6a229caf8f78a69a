"""Before a note is made in a vault: which notes cover it already (10-sb-findability-plan.md, part C).

First the tags: what shares none with a draft is looked at only where its title is much the same.
Then title and summary say which few are read, and what is read decides, as for the org store
(:mod:`aikb.rules.near`).
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.plain import plain_text
from aikb.rules.near import (
    DUPLICATE,
    Likeness,
    Postings,
    Weights,
    likeness,
    terms,
    words_of,
)
from aikb.writing.guard import Near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from aikb.model import Draft, Note

    Body = Callable[[Note], str]

_MOST_READ = 12
_TITLES_ALIKE = 0.5  # of all words of two titles, how many are in both


def body_of(path: str, data: bytes) -> str:
    """What a note's file says, in plain words, without its front matter."""
    return plain_text(MarkdownDocument(path, data).body)


def near_notes(draft: Draft, notes: Iterable[Note], read: Body | None = None) -> list[Near]:
    """The notes that are about the same as a draft, nearest first.

    *read* gives a note's body (see :func:`body_of`); without it the summary stands for it.  Superseded
    notes count too: what somebody retired does not come back unseen.
    """
    ranked, weights = _ranked(draft, list(notes))
    said = words_of(draft.title, draft.tags, plain_text(draft.body))
    found = []
    for note in ranked[:_MOST_READ]:
        body = read(note) if read else note.summary
        how = likeness(said, words_of(note.title, note.tags, body), weights)
        if _folded(note.title) == _folded(draft.title) and _share(draft.tags, note.tags):
            how = Likeness(max(how.score, DUPLICATE), sure=True)
        if how.is_related:
            found.append(Near(note, how))
    return sorted(found, key=lambda near: (-near.likeness.score, near.note.path))


def covering(draft: Draft, notes: Iterable[Note], read: Body | None = None) -> list[Near]:
    """The notes that say a draft already, nearest first; none: it may be made."""
    return [near for near in near_notes(draft, notes, read) if near.likeness.is_duplicate]


def _ranked(draft: Draft, notes: Sequence[Note]) -> tuple[list[Note], Weights]:
    """Candidates by what title, tags and summary share with the draft, and what terms weigh."""
    title = frozenset(terms(draft.title))
    candidates = [
        note
        for note in notes
        if _share(draft.tags, note.tags) or _alike(title, frozenset(terms(note.title)))
    ]
    wanted = words_of(draft.title, draft.tags, plain_text(draft.body)).all
    holders = Postings(candidates).holders(wanted, len(candidates))
    weights = Weights({term: len(rows) for term, rows in holders.items()}, len(candidates))
    scores = [0.0] * len(candidates)
    for term, rows in holders.items():
        weight = weights.of(term) * (2 if term in title else 1)
        for row in rows:
            scores[row] += weight
    order = sorted(range(len(candidates)), key=lambda row: (-scores[row], candidates[row].path))
    return [candidates[row] for row in order], weights


def _share(wanted: Iterable[str], tags: Iterable[str]) -> bool:
    """Whether a tag is in both, or is a parent of one in the other."""
    here = {part for tag in wanted for part in _with_parents(tag)}
    return any(part in here for tag in tags for part in _with_parents(tag))


def _with_parents(tag: str) -> list[str]:
    parts = tag.casefold().split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    both = len(one & other)
    return bool(both) and both >= _TITLES_ALIKE * len(one | other)


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFC", title).casefold().split())
