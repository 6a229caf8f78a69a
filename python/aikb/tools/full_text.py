"""Words as the full-text table has them: what it is filled with, and how it is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.model import WIDE

if TYPE_CHECKING:
    from aikb.model import Note

_WIDE = re.compile(f"[{WIDE}]")


def columns(note: Note) -> tuple[str, str, str, str]:
    """What of a note can be searched."""
    return (
        _spread(note.title),
        _spread(" ".join(note.tags)),
        _spread(" ".join(note.projects)),
        _spread(note.summary),
    )


def _spread(text: str) -> str:
    """Chinese, Japanese and Korean one character a word: they are written without spaces."""
    if text.isascii():
        return text
    return _WIDE.sub(r" \g<0> ", text)


def _composed(word: str) -> str:
    """A word whose accents are parts of their letters: alone they would cut it in two."""
    if word.isascii():
        return word
    import unicodedata  # late: `find` waits for every import

    return unicodedata.normalize("NFC", word)


def pieces(text: str) -> str:
    """What of a text is a word to the table, one space between; empty if nothing is."""
    plain = _spread(_composed(text))
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


def term(word: str) -> str:
    """A word of a query as FTS5 wants it: quoted, and the last piece open at its end."""
    clean = pieces(word)
    return f'"{clean}"*' if clean else ""
