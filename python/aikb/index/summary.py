"""One line that says what a note says (ai-kb.org, "Startup surface and retrieval contract")."""

from __future__ import annotations

import re

LIMIT = 140
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s+\S)|[。！？]")  # noqa: RUF001 - Chinese stops
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|no|fig|approx|resp|z\.B|d\.h|Dr|Mr|Mrs|St)|\b[A-Za-z])\.$"
)


def summarise(opening: str, limit: int = LIMIT) -> str:
    """The first one or two sentences of plain text within *limit* characters.

    A first sentence that is longer is cut at a word and ends with an ellipsis.
    """
    text = opening if opening.isspace() or "  " not in opening else " ".join(opening.split())
    if len(text) <= limit and not _SENTENCE_END.search(text):
        return text.strip()
    ends = []
    for match in _SENTENCE_END.finditer(text):
        if text[match.start()] == "." and _ABBREVIATION.search(text[: match.start() + 1]):
            continue
        ends.append(match.end())
        if len(ends) == 2 or match.end() > limit:
            break
    ends.append(len(text))
    fitting = [end for end in ends[:2] if end <= limit]
    if fitting:
        return text[: fitting[-1]].strip()
    return cut(text, limit)


def cut(text: str, limit: int) -> str:
    """*text* cut at a word so that with its ellipsis it has at most *limit* characters."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    if text[limit - 1] != " " and space > limit // 2:
        head = head[:space]
    return head.rstrip(" ,;:-–—") + "…"  # noqa: RUF001 - dashes that a cut may leave behind
