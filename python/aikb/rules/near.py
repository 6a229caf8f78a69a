"""How near two notes say the same: pure functions on words, without a model and without a language.

A text becomes a set of *terms*: its words, and where a script writes without spaces (Chinese,
Japanese, Thai …) each two neighbouring characters.  What two texts share is weighed by how rare the
shared terms are in the store.  The thresholds are measured: ``docs/decisions/0020-near-nodes.md``,
``benchmarks/near.py``.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.org.links import BRACKET
from aikb.model import WIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from aikb.model import Note

_PIECE = re.compile(rf"[{WIDE}]+|[^\W_{WIDE}]+")
_ASIDE = re.compile(
    r"^[ \t]*:(?:PROPERTIES|LOGBOOK):[ \t]*\n(?:.*\n)*?[ \t]*:END:[ \t]*$"
    r"|^[ \t]*#\+(?!title:)[\w-]+:.*$|^[ \t]*#\+(?:begin|end)_\w+.*$",
    re.IGNORECASE | re.MULTILINE,
)
_ADDRESS = re.compile(r"\b(?:https?|file|id|mailto):[^\s\]]+")
DUPLICATE = 0.36  # refused from here on
RELATED = 0.10  # named from here on
_TITLE = 0.2
_EVIDENCE = 8
_SAID = 2  # words besides a title that is the same: two empty notes prove nothing
_LONGEST = 40_000
_SHORT_WORD = 6
_LATIN_END = "\u0250"


class Words(NamedTuple):
    """The terms of a note's title, and of its title, labels and body together."""

    title: frozenset[str]
    all: frozenset[str]


class Likeness(NamedTuple):
    """How near two notes are, 0 to 1, and whether that is much to go by."""

    score: float
    sure: bool

    @property
    def is_duplicate(self) -> bool:
        """Whether they say the same."""
        return self.sure and self.score >= DUPLICATE

    @property
    def is_related(self) -> bool:
        """Whether they are about the same."""
        return self.score >= RELATED


def words_of(title: str, labels: Iterable[str], body: str) -> Words:
    """The terms of a note.  Drawers, keywords and addresses say nothing about its subject."""
    head = frozenset(terms(title))
    return Words(head, head.union(terms(" ".join(labels)), terms(plain(body))))


def plain(body: str) -> str:
    """A body's running text: links by their words, without drawers, keywords and addresses."""
    body = body[:_LONGEST]
    if ":" in body:
        body = _ASIDE.sub("", body)
    if "[[" in body:
        body = BRACKET.sub(lambda m: m.group(2) or m.group(1), body)
    return _ADDRESS.sub(" ", body) if ":" in body else body


def terms(text: str) -> Iterator[str]:
    """The terms of a text in order, with repetitions; a pair of wide characters is ``"a b"``."""
    for piece in _PIECE.findall(text.casefold()):
        if piece.isascii():
            yield piece
        elif _is_wide(piece[0]):
            letters = [c for c in piece if c.isalnum()]
            if len(letters) == 1:
                yield letters[0]
            for first, second in itertools.pairwise(letters):
                yield f"{first} {second}"
        elif max(piece) < _LATIN_END:
            yield "".join(c for c in unicodedata.normalize("NFKD", piece) if c.isalnum())
        else:
            yield piece


def _is_wide(character: str) -> bool:
    return bool(re.match(f"[{WIDE}]", character))


class Weights:
    """How much a shared term says: the rarer in the store, the more; a short word says little.

    ``counts`` is in how many notes each term stands, as far as somebody counted.
    """

    def __init__(self, counts: Mapping[str, int], notes: int) -> None:
        self._counts = counts
        self._notes = max(notes, 8)
        seen = [self._rarity(count) for count in counts.values()]
        self._usual = sum(seen) / len(seen) if seen else 1.0

    def _rarity(self, count: int) -> float:
        return max(math.log((self._notes + 1) / (count + 1)), 0.1)

    def of(self, term: str) -> float:
        """A term's weight."""
        count = self._counts.get(term)
        rarity = self._usual if count is None else self._rarity(count)
        if " " in term or term[0].isdigit():
            return rarity
        return rarity * min(len(term), _SHORT_WORD) / _SHORT_WORD

    def sum(self, these: Iterable[str]) -> float:
        """The weight of many."""
        return sum(map(self.of, these))


def likeness(draft: Words, other: Words, weights: Weights) -> Likeness:
    """What two notes share of all that they say, by weight; the titles count by themselves too.

    Few common terms prove nothing, unless the titles are the same; and who numbers two notes
    differently in their titles means two things.
    """
    title = _shared(draft.title, other.title, weights)
    score = _TITLE * title + (1 - _TITLE) * _shared(draft.all, other.all, weights)
    said = (draft.all & other.all) - draft.title
    same_title = bool(draft.title) and draft.title == other.title and len(said) >= _SAID
    numbers = _numbers(draft.title), _numbers(other.title)
    told_apart = all(numbers) and numbers[0] != numbers[1]
    enough = same_title or len(draft.all & other.all) >= _EVIDENCE
    return Likeness(score, enough and not told_apart)


def _numbers(title: frozenset[str]) -> set[str]:
    return {term for term in title if any(map(str.isdigit, term))}


def _shared(a: frozenset[str], b: frozenset[str], weights: Weights) -> float:
    both = weights.sum(a & b)
    return both / (weights.sum(a) + weights.sum(b) - both) if both else 0.0


class Postings:
    """Which of some notes have a term, found by reading them: where the cache cannot say."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._notes = list(notes)
        self._rows: dict[str, list[int]] = {}
        for row, note in enumerate(self._notes):
            labels = " ".join((note.title, *note.tags, *note.projects, note.summary))
            for term in set(terms(labels)):
                self._rows.setdefault(term, []).append(row)

    def holders(self, wanted: Iterable[str], most: int) -> dict[str, list[int]]:
        """For each term the rows of notes that have it, at most ``most + 1``."""
        return {term: self._rows.get(term, [])[: most + 1] for term in wanted}

    def places(self, rows: Iterable[int]) -> list[tuple[str, str]]:
        """Id and path of the notes in these rows, in their order."""
        return [(self._notes[row].id, self._notes[row].path) for row in rows]
