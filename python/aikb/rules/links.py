"""Links that were meant to be id links and are not quite: each kind shows wrong or leads nowhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.model import Finding
from aikb.rules.literal import in_literal
from aikb.rules.shape import UUID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.formats.org.document import Document

_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_ID = r"id:[^\]\[\s]+"
_MARKDOWN = re.compile(rf"\[[^\]\[\n]*\]\((?:id:[^)\s]*|{_UUID}(?:\.org)?)\)")
_SINGLE = re.compile(rf"(?<!\[)\[{_ID}\](?:\[|(?!\]))")
_OTHER_CASE = re.compile(r"\[\[(?!id:)[iI][dD]:|(?<![\w\[])(?!id:)[iI][dD]:(?=" + _UUID + ")")
_SPACE = re.compile(r"\[\[\s*id:\s|\[\[\s+id:|\[\[\s*id\s+:")
_BARE = re.compile(
    rf"\[(?!\[?(?:id:|https?:|file:|attachment:|mailto:|doi:))(?:(?!\[\[)[^\s/]){{0,12}}{_UUID}\](?:\[|\])",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\[\[id:([^\]\[\n]*)(\][^\[\]]|\]$|\[|$|\n)|\[\[id:[^\]\[\n]*\]\[[^\]\[\n]*(?:\](?!\])|$)",
    re.MULTILINE,
)
_TEXT = "xihtkp"


def check(document: Document) -> Iterator[Finding]:
    """Findings about malformed id links, line by line outside of literal text."""
    text = document.text
    if "id:" not in text.lower() and not _BARE.search(text):
        return
    real = {link.pos for link in document.links if link.style == "bracket"}
    for pattern, code, message in (
        (_MARKDOWN, "link-markdown", "this is a Markdown link; write [[id:UUID][words]]"),
        (_SINGLE, "link-brackets", "an id link has two brackets on each side: [[id:UUID][words]]"),
        (_OTHER_CASE, "link-case", "Org knows only lower case `id:`"),
        (_SPACE, "link-space", "no space may stand around `id:` in a link"),
        (_BARE, "link-without-id", "a link to a node begins with `id:`; write [[id:UUID][words]]"),
        (_OPEN, "link-unclosed", "this link is not closed; write [[id:UUID][words]]"),
    ):
        for match in pattern.finditer(text):
            at = match.start()
            if at in real and code != "link-space":
                continue
            if document.structure.kind_at(at) in _TEXT and not _literal(document, at):
                yield Finding(document.path, document.line(at), "error", code, message)


def _literal(document: Document, at: int) -> bool:
    """Whether an offset stands in =verbatim= or ~code~ on its line."""
    structure = document.structure
    number = structure.line_of(at)
    return in_literal(
        structure.lines[number], at - structure.starts[number], structure.kinds[number]
    )


def looks_like_id(target: str) -> bool:
    """Whether a link's target is a whole UUID (and not a prefix that may be expanded)."""
    return bool(UUID.fullmatch(target.lower()))
