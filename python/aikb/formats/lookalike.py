"""Letters of other scripts that a person takes for Latin ones: text folded to what an eye reads."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = {
    **dict(zip("авеёкмнорстухіїјѕԁԛԝһӏьԍ", "abeekmhopctyxiijsdqwhlbg", strict=True)),
    **dict(zip("αβεγηικνορτυχωϲϳ", "abeynikvoptuxwcj", strict=True)),
    **dict(zip("օսհոզցքԁ", "ouhnqgqd", strict=True)),
    **dict(zip("ıɑɡɩʏᴄᴏᴜᴠᴡᴢ", "iagiycouvwz", strict=True)),
}  # fmt: skip
_TO_LATIN = str.maketrans(
    _LETTERS | {k.upper(): v for k, v in _LETTERS.items() if len(k.upper()) == 1}
)
_ALIKE = re.compile(f"[{''.join(map(chr, _TO_LATIN))}\uff21-\uff5a]")
_WORD = re.compile(r"[^\W\d_]+")


def skeleton(text: str) -> str:
    """*text* as an eye reads it, in small letters."""
    if text.isascii() or not _ALIKE.search(text):
        return text.casefold()
    return unicodedata.normalize("NFKC", text).translate(_TO_LATIN).casefold()


def mixed_word(text: str) -> str:
    """The first word in which Latin letters and look-alikes of theirs stand together, or nothing."""
    if text.isascii() or not _ALIKE.search(text):
        return ""
    for match in _WORD.finditer(text):
        word = match.group()
        if _ALIKE.search(word) and any(c.isascii() for c in word):
            return word
    return ""


def unmixed(text: str) -> str:
    """*text* with plain letters in the words that mix them with look-alikes."""
    while word := mixed_word(text):
        text = text.replace(word, skeleton(word))
    return text
