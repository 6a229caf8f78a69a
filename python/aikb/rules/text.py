"""The bytes and characters of a file: what Emacs would misread, and what no eye can see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.unseen import BIDI, CONTROL, HIDDEN, is_text
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.formats.org.document import Document

UNREADABLE = frozenset({"not-utf8", "nul", "file-too-large", "carriage-return", "empty-file"})
LARGEST = 4 << 20
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |$)|^={7}$|^\|{7}(?: |$)", re.MULTILINE)
_CONFLICT_LABEL = re.compile(r"^(?:<{7}|>{7}) \S", re.MULTILINE)


def check(document: Document) -> Iterator[Finding]:
    """Findings about encoding, line ends, invisible characters and conflict markers."""
    path, data = document.path, document.data
    if not data.strip():
        yield Finding(
            path, 1, "error", "empty-file", "the file is empty; write a node or delete it"
        )
        return
    if len(data) > LARGEST:
        yield Finding(
            path, 1, "error", "file-too-large",
            f"{len(data):,} bytes are more than a note has; split it, or keep it outside the store",
        )  # fmt: skip
        return
    decoded = document.decoded
    if b"\0" in data and not decoded.problem:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        yield Finding(path, line, "error", "nul", "a NUL byte makes this a binary file; remove it")
        return
    if decoded.problem:
        line, what = decoded.problem
        yield Finding(path, line, "error", "not-utf8", f"{what}; save the file as UTF-8")
        return
    yield from _line_ends(document)
    if decoded.bom:
        yield Finding(
            path, 1, "error", "byte-order-mark",
            "the file begins with a byte order mark; save it as UTF-8 without one",
        )  # fmt: skip
    yield from characters(path, decoded.text)
    yield from conflicts(path, decoded.text)


def _line_ends(document: Document) -> Iterator[Finding]:
    path, data, eol = document.path, document.data, document.decoded.eol
    if eol == "crlf":
        yield Finding(
            path, 1, "warning", "crlf", "lines end with CR LF; `ai-kb` keeps them, LF is usual"
        )
    elif eol != "lf":
        at = re.search(rb"\r(?!\n)|\r\n", data)
        line = data.count(b"\n", 0, at.start()) + 1 if at else 1
        what = "only with CR" if eol == "cr" else "partly with CR"
        yield Finding(
            path, line, "error", "carriage-return",
            f"lines end {what}, in which Emacs finds no drawer; end every line with LF",
        )  # fmt: skip
    if not data.endswith((b"\n", b"\r")):
        line = document.text.count("\n") + 1
        yield Finding(path, line, "warning", "no-final-newline", "the last line has no line end")


def characters(path: str, text: str) -> Iterator[Finding]:
    """Findings about characters that no eye sees and a terminal or reader obeys, one for each kind."""
    if text.isascii() and not CONTROL.search(text):
        return
    for pattern, code, what in (
        (CONTROL, "control-character", "a control character, which a terminal would obey"),
        (BIDI, "bidi-control", "a character that turns the direction of what is shown"),
        (HIDDEN, "hidden-character", "an invisible character"),
    ):
        for match in pattern.finditer(text):
            at = match.start()
            char = match.group()
            if char == "\ufeff" and at == 0:
                continue
            if code == "hidden-character" and is_text(text, at):
                continue
            line = text.count("\n", 0, at) + 1
            yield Finding(path, line, "error", code, f"U+{ord(char):04X} is {what}; remove it")
            break


def conflicts(path: str, text: str) -> Iterator[Finding]:
    """A finding where a merge left its markers."""
    found = [(m.start(), m.group()[0]) for m in _CONFLICT.finditer(text)]
    kinds = {kind for _, kind in found}
    if _CONFLICT_LABEL.search(text) or (kinds & set("<>") and len(kinds) > 1):
        line = text.count("\n", 0, found[0][0]) + 1
        yield Finding(
            path, line, "error", "conflict-marker",
            "a merge left its markers here; keep the words you want and delete the marker "
            "lines (or put a space before them, where they are an example)",
        )  # fmt: skip
