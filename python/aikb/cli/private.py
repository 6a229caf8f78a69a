"""Words for people and logs, without any secret that came in with a command's own words.

An error repeats what it was given (a tag, a title, a path); what was given may be a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST = 4  # a shorter word of a command would blot out letters everywhere


def safe(text: str) -> str:
    """The text with every credential in it blotted out."""
    from aikb.rules.credentials import blot

    return blot(text)


def command_line(words: Sequence[str]) -> str:
    """What was called, for a log: the command and its options, never their values."""
    shown = ["ai-kb"]
    for word in words:
        name, equals, _ = word.partition("=")
        if name.startswith("-") and name.strip("-").replace("-", "").isalpha() and name.isascii():
            shown.append(name + ("=…" if equals else ""))
        elif len(shown) == 1 and _is_command(word):
            shown.append(word)
        elif shown[-1] != "…":
            shown.append("…")
    return " ".join(shown)


def _is_command(word: str) -> bool:
    from aikb.cli.main import COMMANDS

    return word in COMMANDS


def traceback_text(text: str, words: Sequence[str]) -> str:
    """A traceback for a log: without credentials, and without the command's own values."""
    text = safe(text)
    for word in sorted({w.partition("=")[2] or w for w in words}, key=len, reverse=True):
        if len(word) >= _LEAST and not word.startswith("-") and not _is_command(word):
            text = text.replace(word, "…")
    return text
