"""A text as it is searched for credentials: folded, without hidden characters, wrapped lines joined.

What a person pastes may be broken by a fill column, a table cell, a property that goes on with
``KEY+``, or a character that nobody sees; a secret is one all the same.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------", "\r")
# What may stand between the two halves of a word that was wrapped: the end of a line with a table's
# or a quote's furniture, and a string that is put together.
_WRAP = re.compile(
    r"[ \t]*(?:[ \t]\|)?[ \t]*\\?(?<!\n)\n(?![ \t]*\n)[ \t]*(?:(?::[\w-]+\+:|[:>#|]|//|;+)[ \t]+|\|[ \t]*)?"
    r"|[\"'][ \t]*(?:\\?\n[ \t]*)?[+.][ \t]*(?:\\?\n[ \t]*)?[\"']"
)
# In a picture or the like: what is not legible, with the few characters that are so by chance.
_NOISE = re.compile(rb"[^\t\n\r\x20-\x7e]+(?:[\t\r\x20-\x7e]{1,5}[^\t\n\r\x20-\x7e]+)*")


def decode(data: bytes) -> str:
    """A file's text, however it is encoded; of a binary file what is legible in it."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        return _NOISE.sub(b" ", data.replace(b"\0", b"")).decode("ascii", "replace")
    return data.decode("utf-8", "replace")


def normalise(text: str) -> str:
    """The text folded to plain characters (NFKC), with as many lines as before."""
    if text.isascii():
        return _HIDDEN.sub("", text.replace("\r", ""))
    text = unicodedata.normalize("NFKC", _HIDDEN.sub("", text))
    return _HIDDEN.sub("", text.translate(_DASHES))


class View:
    """A normalised text to search, and the way back from its offsets to the lines of the file.

    ``breaks`` are the offsets at which lines were joined.
    """

    def __init__(self, text: str, breaks: list[int], gaps: list[int]) -> None:
        self.text = text
        self.breaks = breaks
        self._gaps = gaps  # for each break, how many characters were left out up to there

    @classmethod
    def plain(cls, text: str) -> View:
        """The text as it is."""
        return cls(text, [], [])

    @classmethod
    def joined(cls, text: str) -> View:
        """The text as if no line had been wrapped."""
        parts: list[str] = []
        breaks: list[int] = []
        gaps: list[int] = []
        length = gap = at = 0
        for match in _WRAP.finditer(text):
            parts.append(text[at : match.start()])
            length += match.start() - at
            at = match.end()
            gap += at - match.start()
            breaks.append(length)
            gaps.append(gap)
        parts.append(text[at:])
        return cls("".join(parts), breaks, gaps)

    def original(self, offset: int, *, end: bool = False) -> int:
        """An offset of this view in the text that it was made of."""
        place = (bisect_left if end else bisect_right)(self.breaks, offset)
        return offset + (self._gaps[place - 1] if place else 0)

    def is_break(self, offset: int) -> bool:
        """Whether a line was joined here."""
        place = bisect_left(self.breaks, offset)
        return place < len(self.breaks) and self.breaks[place] == offset

    def last_break(self, start: int, end: int) -> int | None:
        """Where the last line that ends between two offsets does."""
        place = bisect_left(self.breaks, end)
        return self.breaks[place - 1] if place and self.breaks[place - 1] > start else None

    def first_break(self, start: int, end: int) -> int:
        """Where the first line that ends between two offsets does; *start* if none does."""
        place = bisect_right(self.breaks, start)
        inside = place < len(self.breaks) and self.breaks[place] < end
        return self.breaks[place] if inside else start

    def crosses(self, start: int, end: int) -> bool:
        """Whether a line was joined between two offsets."""
        place = bisect_right(self.breaks, start)
        return place < len(self.breaks) and self.breaks[place] < end
