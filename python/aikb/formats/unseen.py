"""Characters that no eye sees and a terminal or a reader obeys: which they are, and text without them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
BIDI = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
HIDDEN = re.compile(
    r"[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff]"
)
_OBEYED = re.compile(f"{CONTROL.pattern[:-1]}\x0c\r\u2028\u2029\ud800-\udfff{BIDI.pattern[1:]}")
_ANY = re.compile(_OBEYED.pattern[:-1] + HIDDEN.pattern[1:])
_EMOJI = re.compile(r"[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff\ufe0f\u20e3]")
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_SELECTOR = re.compile(r"[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def is_text(text: str, at: int) -> bool:
    """Whether a hidden character stands where its script or an emoji needs it."""
    char = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1 : at + 2]
    if _SELECTOR.match(char):
        return _may_select(char, before)
    if char == "\u200d" and _EMOJI.match(before) and _EMOJI.match(after):
        return True
    if char == "\u200d" and "\U0001f3fb" <= before <= "\U0001f3ff":
        return True
    if char in "\u200c\u200d":
        return _joining(before) and (_joining(after) or not after.strip())
    if "\U000e0020" <= char <= "\U000e007f":  # a flag's region: black flag, tags, cancel tag
        start = text.rfind("\U0001f3f4", max(0, at - 8), at)
        return start >= 0 and all("\U000e0020" <= c <= "\U000e007f" for c in text[start + 1 : at])
    if char == "\u200b":  # Org puts one behind a link's words that end with a bracket
        return before == "]" and text[at + 1 : at + 3] == "]]"
    return char == "\u00ad" and before.isalpha() and after.isalpha()


def _may_select(char: str, before: str) -> bool:
    """Whether a variation selector has a character to vary: a row of them is a hidden message."""
    if not before.strip() or _SELECTOR.match(before):
        return False
    return char < "\U000e0100" or bool(_IDEOGRAPH.match(before))


def _joining(char: str) -> bool:
    """Whether a character belongs to a script that is written with joiners."""
    return (
        "\u0600" <= char <= "\u08ff" or "\u0900" <= char <= "\u0dff" or "\u1000" <= char <= "\u18af"
    )


def all_seen(text: str) -> bool:
    """Whether nothing in one line is hidden or obeyed: a quick look that may say no too often."""
    return text.isprintable() if text.isascii() else not _ANY.search(text)


def spelled(match: re.Match[str]) -> str:
    r"""A character by its number, as ``\x1b``, ``\u202e`` or ``\U000e0041``."""
    code = ord(match.group())
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


def shown(text: str, spell: Callable[[re.Match[str]], str] = spelled) -> str:
    """*text* with everything that a terminal would obey, or no eye sees, spelled out."""
    return _ANY.sub(lambda m: m.group() if _is_harmless(text, m.start()) else spell(m), text)


def _is_harmless(text: str, at: int) -> bool:
    return not _OBEYED.match(text, at) and is_text(text, at)


def has_any(text: str) -> bool:
    """Whether something in *text* acts or hides, and no script needs it there."""
    return any(not _is_harmless(text, match.start()) for match in _ANY.finditer(text))


def in_json(text: str) -> str:
    """JSON in which no such character stands as it is; it means the same as before."""
    return shown(text, lambda m: _escape(m.group()))


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
