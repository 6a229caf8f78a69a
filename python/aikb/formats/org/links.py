"""Id links of an Org text, the ones that org-roam would store, and none that it would not.

org-roam looks at every match of ``org-link-any-re`` and asks ``org-element-context`` what stands
there.  So a link counts in running text, headings, tables, and (org-roam's addition) in properties
other than ``ROAM_REFS`` and in keywords other than ``#+transclude``; it does not count in source,
example and comment blocks, comments, fixed-width lines and ``=verbatim=``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.org.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

BRACKET = re.compile(
    r"\[\[((?:[^\[\]\\]|\\(?:\\\\)*+[\[\]]|\\++[^\[\]\\])++)\](?:\[((?:.|\n)+?)\])?\]"
)
_PATH = r"(?:[^\]\[ \t\n()<>]|\((?:[^\]\[ \t\n()<>]|\([^\]\[ \t\n()<>]*\))*\))+"
_TYPES = (
    "id|https?|file(?:\\+sys|\\+emacs)?|ftp|mailto|news|shell|elisp|help|attachment|doi|bbdb"
    "|bibtex|docview|eww|gnus|info|irc|mhe|rmail|w3m|roam"
)
# Emacs begins a word after anything but a Latin letter, a digit and a few signs: a link may follow
# upon Chinese without a space between.  x_id is a subscript.
WORD_START = (
    r"(?<![0-9A-Za-z\u00b2\u00b3\u00b5\u00b9\u00bc-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0300-\u036f"
    r"\u1e00-\u1eff\ufb00-\ufb06%$'\\])(?<!\S_)"
)
PLAIN = re.compile(rf"{WORD_START}({_TYPES}):({_PATH})", re.IGNORECASE)
_ANGLE = re.compile(rf"<({_TYPES}):([^>\n]*(?:\n[ \t]*[^> \t\n][^>\n]*)*)>", re.IGNORECASE)
_VERBATIM = re.compile(
    r"([=~])(?=\S)(?:[^\s]|\S[^\n]*?(?:\n[^\n]*?)?\S)\1(?=[-\s\u200b.,:!?;'\")}\\\[]|$)"
)
_OBJECT = re.compile(
    r"\[\[|[=~]|\{\{\{|\bsrc_[^\s\[{]+[\[{]|\bcall_\w|@@|\\\(|\\\[|<|"
    + WORD_START
    + "(?:"
    + _TYPES
    + "):",
    re.IGNORECASE,
)
_SKIP = {
    "{{{": re.compile(r"\{\{\{[a-zA-Z][-\w]*(?:\((?:.|\n)*?\))?\}\}\}"),
    "@@": re.compile(r"@@[-\w]+:(?:.|\n)*?@@"),
    "\\(": re.compile(r"\\\((?:.|\n)*?\\\)"),
    "\\[": re.compile(r"\\\[(?:.|\n)*?\\\]"),
}
_INLINE_CODE = re.compile(
    r"(?:src_[^\s\[{]+|call_[^\s\[(]+)(?:\[[^\]\n]*\])?(?:\{[^}\n]*\}|\([^)\n]*\))?"
)
_BEFORE_VERBATIM = frozenset("-('\"{\u200b")
_KEY = re.compile(r"[ \t]*(?:#\+(\S+?):|:([^ \t\n]+?):)")
_EXCLUDED = {"k": "TRANSCLUDE", "p": "ROAM_REFS"}
_LONGEST_LINK = 20_000
_ID_HINT = re.compile(r"id:")


class IdLink(NamedTuple):
    """An id link: offset of its first character, target, words shown, and where it stands.

    ``target`` is what follows ``id:`` up to ``::``; ``search`` what follows that.  ``meta`` tells
    that it stands in a property or a keyword, which org-roam books on the file's node.
    """

    pos: int
    target: str
    description: str
    search: str
    meta: bool
    style: str
    end: int


def display_format(text: str) -> str:
    """Bracket links replaced by the words they show (``org-link-display-format``)."""
    if "[[" not in text:
        return text
    return BRACKET.sub(lambda m: m.group(2) or m.group(1), text)


def find_id_links(text: str, structure: Structure | None = None) -> list[IdLink]:
    """All id links of *text* in order of place."""
    if not _ID_HINT.search(text):
        return []
    structure = structure or Structure(text)
    found: list[IdLink] = []
    for kind, start, end in _chunks(structure):
        if text.find("id:", start, end) < 0:
            continue
        if kind in "kp":
            found.extend(_meta_links(text, kind, start, end))
        else:
            found.extend(_text_links(text, start, end))
    return found


def _chunks(structure: Structure) -> Iterator[tuple[str, int, int]]:
    """Pieces of text that Org parses as one: a paragraph's lines together, others line by line.

    A list item's paragraph ends at a line that is indented no more than the item itself.
    """
    start = None
    item = -1
    lines, starts = structure.lines, structure.starts
    for number, kind in enumerate(structure.kinds):
        if start is not None and (kind != "x" or (item >= 0 and _indent(lines[number]) <= item)):
            yield "x", start, starts[number] - 1
            start = None
        if kind in "xi":
            if start is None:
                start = starts[number]
                item = _indent(lines[number]) if kind == "i" and lines[number][0] != "[" else -1
        elif kind in "htkp":
            yield kind, starts[number], starts[number] + len(lines[number])
    if start is not None:
        yield "x", start, len(structure.text)


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip(" "))


def _meta_links(text: str, kind: str, start: int, end: int) -> Iterator[IdLink]:
    key = _KEY.match(text, start, end)
    if key and (key.group(1) or key.group(2)).upper() == _EXCLUDED[kind]:
        return
    pos = start
    while match := _OBJECT.search(text, pos, end):
        link, pos = _link_at(text, match.start(), end, meta=True)
        if link:
            yield link


def _text_links(text: str, start: int, end: int) -> Iterator[IdLink]:
    """Walk the objects of a paragraph from left to right: whoever begins first hides the rest."""
    pos = start
    while match := _OBJECT.search(text, pos, end):
        at, mark = match.start(), match.group()
        if mark in "=~":
            pos = _after_verbatim(text, start, at, end)
        elif mark in _SKIP:
            skipped = _SKIP[mark].match(text, at, end)
            pos = skipped.end() if skipped else match.end()
        elif mark.startswith(("src_", "call_")):
            code = _INLINE_CODE.match(text, at, end)
            pos = code.end() if code else match.end()
        else:
            link, pos = _link_at(text, at, end, meta=False)
            if link:
                yield link


def _after_verbatim(text: str, start: int, at: int, end: int) -> int:
    before = text[at - 1] if at > start else "\n"
    if before.isspace() or before in _BEFORE_VERBATIM:
        span = _VERBATIM.match(text, at, end)
        if span:
            return span.end()
    return at + 1


def _link_at(text: str, at: int, end: int, *, meta: bool) -> tuple[IdLink | None, int]:
    """The id link that begins at an offset, if it is one, and where to go on."""
    if text.startswith("[[", at):
        match, style = BRACKET.match(text, at, end), "bracket"
        if not match:
            # org-roam's search runs over the paragraph's end, and then stands outside of any link
            runs_over = BRACKET.match(text, at, at + _LONGEST_LINK)
            return None, end if runs_over else at + 2
        raw = re.sub(r"[ \t]*\n[ \t]*", " ", _unescape(match.group(1)))
        words = match.group(2) or ""
    elif text[at] == "<":
        match, style = _ANGLE.match(text, at, end), "angle"
        if not match:
            return None, at + 1
        raw, words = f"{match.group(1)}:{match.group(2)}", ""
    else:
        match, style = PLAIN.match(text, at, end), "plain"
        path = _trim_punctuation(match.group(2)) if match else ""
        if not match or not path:
            return None, at + 1
        raw, words = f"{match.group(1)}:{path}", ""
        stop = match.start(2) + len(path)
        if not raw.startswith("id:"):
            return None, stop
        return _make(at, raw, words, style, stop, meta=meta), stop
    if not raw.startswith("id:"):
        return None, match.end()
    return _make(at, raw, words, style, match.end(), meta=meta), match.end()


def _make(at: int, raw: str, words: str, style: str, end: int, *, meta: bool) -> IdLink:
    target, _, search = raw[3:].partition("::")
    return IdLink(at, target, " ".join(words.split()), search, meta, style, end)


def _unescape(raw: str) -> str:
    if "\\" not in raw:
        return raw
    return re.sub(r"(\\+)([\[\]]|$)", lambda m: "\\" * (len(m[1]) // 2) + m[2], raw)


def _trim_punctuation(path: str) -> str:
    """A plain link ends with a letter, a digit, a slash or a closed parenthesis."""
    while path and not (path[-1].isalnum() or path[-1] in "/)"):
        path = path[:-1]
    return path
