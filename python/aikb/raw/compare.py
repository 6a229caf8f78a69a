"""A node's claims beside its source's words: the passages nearest to them, and what changed."""

from __future__ import annotations

import difflib
import re
from collections import Counter

from aikb.formats.counted import counted

_WORD = re.compile(r"\w{3,}")
_MOST_PASSAGES = 5
_LONGEST = 600
_MOST_LINES = 120


def passages(text: str, claims: str, most: int = _MOST_PASSAGES) -> list[str]:
    """The paragraphs of *text* that share the rarest words with *claims*, in the text's own order."""
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text) if p.strip()]
    if len(paragraphs) < most:
        paragraphs = [line.strip() for line in text.splitlines() if line.strip()]
    words = [set(_words(paragraph)) for paragraph in paragraphs]
    counts = Counter(word for some in words for word in some)
    wanted = set(_words(claims))
    scores = [sum(1 / counts[word] for word in some & wanted) for some in words]
    ranked = sorted(range(len(paragraphs)), key=lambda n: (-scores[n], n))
    best = sorted(n for n in ranked[:most] if scores[n] > 0)
    return [_short(paragraphs[n]) for n in best]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0] + " …"


def differences(old: str, new: str) -> list[str]:
    """The lines of a diff of two texts, spaces not counted, at most some hundred; empty if alike."""
    before, after = _lines(old), _lines(new)
    if before == after:
        return []
    lines = [*difflib.unified_diff(before, after, "captured", "live", lineterm="", n=1)]
    if len(lines) > _MOST_LINES:
        lines = [
            *lines[:_MOST_LINES],
            f"… {counted(len(lines) - _MOST_LINES, 'more line differs', 'more lines differ')}",
        ]
    return [_short(line) for line in lines]


def _lines(text: str) -> list[str]:
    return [line for line in (" ".join(raw.split()) for raw in text.splitlines()) if line]


def lost(excerpts: tuple[str, ...], text: str) -> list[str]:
    """The excerpts that a text no longer has, spaces not counted."""
    whole = " ".join(text.split())
    return [_short(excerpt) for excerpt in excerpts if " ".join(excerpt.split()) not in whole]
