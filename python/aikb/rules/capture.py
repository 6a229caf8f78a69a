"""Captures in ``raw/``: they stay as they are, and a person's Emacs that visits one obeys nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.org import capture
from aikb.formats.org.document import Document
from aikb.model import Finding
from aikb.rules import hostile

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "raw/"
LARGEST = 20 << 20
_LARGEST_ORG = 4 << 20
_ENRICHED = re.compile(rb"\s*content-type:[ \t]*text/enriched", re.IGNORECASE)
_LOCAL = re.compile(rb"local variables:", re.IGNORECASE)
_MODELINE = re.compile(
    rb"(?:^|\s)(?:vim?|ex)(?:[<=>]?\d+)?:\s*(?:set?\s|\w+[=+-]|no\w+)", re.IGNORECASE
)
_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_ASCII_ALIKE = re.compile(
    rb"(?:utf-?8(?:-sig)?|us-ascii|ascii|iso-?8859-\d+|windows-125\d|cp125\d|latin-?\d|koi8-[ru]|gbk|"
    rb"gb2312|gb18030|big5|shift[_-]jis|euc-(?:jp|kr|tw|cn)|tis-620|macintosh)",
    re.IGNORECASE,
)
_NEAR = 4 * 3500  # Emacs looks for file variables in the last 3000 characters, of up to 4 bytes


def armed(data: bytes) -> str:
    """What an editor that visits these bytes would obey, in words; empty if nothing.

    NUL bytes are skipped, for a UTF-16 file is decoded before Emacs looks at it; a charset in which
    letters are other bytes than in ASCII could hide the words that are looked for.
    """
    lines = [line.replace(b"\0", b"") for line in data.split(b"\n", 2)[:2]]
    if any(line.count(b"-*-") > 1 for line in lines):
        return "a -*- line at its beginning sets Emacs variables"
    if _ENRICHED.match(data):
        return "Emacs takes it for enriched text, which it decodes"
    if _LOCAL.search(data[-_NEAR:].replace(b"\0", b"")):
        return "Emacs sets variables, or evaluates, what follows `Local Variables:` at its end"
    for part in (data[:_NEAR], data[-_NEAR:]):
        if any(not _ASCII_ALIKE.fullmatch(name) for name in _CHARSET.findall(part)):
            return "it names a charset in which file variables can hide"
    ends = [*data[:2000].splitlines()[:6], *data[-2000:].splitlines()[-6:]]
    if any(_MODELINE.search(line) for line in ends):
        return "a modeline sets Vim options"
    return ""


def check(path: str, data: bytes) -> Iterator[Finding]:
    """Findings about one capture by itself; what is quoted in a record is not judged."""
    if len(data) > LARGEST:
        yield Finding(
            path, 1, "error", "file-too-large",
            f"{len(data):,} bytes are more than a capture has ({LARGEST >> 20} MiB); keep it outside "
            "the store and capture an excerpt",
        )  # fmt: skip
        return
    if capture.is_record(data):
        record = capture.parse(data)
        what = "it is no longer as ai-kb wrote it" if record is None else capture.damage(record)
        if what:
            yield Finding(path, 1, "error", "capture-changed", f"{what}; {_restore(path)}")
        return
    if reason := armed(data):
        yield Finding(
            path, 1, "error", "file-variables",
            f"{reason}; take it away and run `ai-kb capture FILE`, which quotes it",
        )  # fmt: skip
    elif path.endswith(".org"):
        if len(data) > _LARGEST_ORG:
            yield Finding(
                path, 1, "error", "file-too-large",
                "too long for Org; take it away and run `ai-kb capture FILE`, which quotes it",
            )  # fmt: skip
        else:
            yield from hostile.check(Document(path, data))


def frozen(path: str, what: str) -> Finding:
    """The finding about a committed capture that somebody *what* (``changed``, ``removed``…)."""
    return Finding(
        path, 1, "error", "capture-changed",
        f"this capture was {what}, and captures stay as they are; {_restore(path)}",
    )  # fmt: skip


def _restore(path: str) -> str:
    return (
        f"put it back with `git checkout HEAD -- '{path}'` in the store, and capture what is new as a "
        "new file"
    )
