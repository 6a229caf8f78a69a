"""Markdown to plain words: what a summary or a title may show."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FEW_CHARACTERS = 320
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))
_MOST_CHARACTERS = 1_000  # of one long line
_IMAGE = re.compile(
    r"!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*[^()\n]*\)"
)
_WIKI = re.compile(r"\[\[([^\[\]\n|]*)(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"\[([^\[\]\n]*)\](?:\(<?[^()\n]*(?:\([^()\n]*\)[^()\n]*)*>?\)|\[[^\[\]\n]*\])")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\](?!:)|\^\[[^\[\]\n]*\]")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_HTML = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>|<(?=[a-z]+://)|(?<=\S)>(?=\s|$)")
_COMMENT = re.compile(r"%%.*?%%")
_BLOCK_ID = re.compile(r"(?:^|\s)\^[A-Za-z0-9-]+$")
_STRONG = re.compile(r"(?<!\\)(\*\*\*|\*\*|~~|==)(?=\S)(.+?)(?<=[^\s\\])\1")
_STAR = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![\w*])")
_UNDERLINE = re.compile(r"(?<![\w\\])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_\\])\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HASH = re.compile(r"(?:(?<=\s)|^)#(?=[^\s#\d])")
_ONLY_TAGS = re.compile(r"(?:#[^\s#,]+[ \t,]*)+\Z")
_MARKER = re.compile(
    r"(?:[ \t]*>)*[ \t]*(?:(?P<item>[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX/-]\][ \t]+)?)?"
)
_CALLOUT = re.compile(r"\[![\w-]+(?:\|[^\]]*)?\][+-]?[ \t]*")
_SKIPPED = re.compile(
    r"\||(?:-[ \t]*){3,}\Z|(?:\*[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z|=+\Z|\[\^?[^\[\]]+\]:"
    r"|:?[\w ]+::|:::|\^[\w-]+\Z|\{[%{].*[%}]\}\Z"
)
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}(?!.*`)|~{3,})")


def one_line(text: str) -> str:
    """A value in one line, without the control characters that YAML's escapes can bring in."""
    words = " ".join(text.split())
    return words if words.isprintable() else words.translate(_CONTROLS)


def plain_text(text: str) -> str:
    """*text* without markup: links by their words, no images and footnotes, white space folded."""
    if "%%" in text:
        text = _COMMENT.sub("", text)
    if "`" in text:
        text = _CODE.sub(lambda m: m.group(2).strip(), text)
    if "[" in text:
        text = _IMAGE.sub("", text)
        text = _WIKI.sub(_words_of_link, text)
        text = _FOOTNOTE.sub("", text)
        text = _LINK.sub(r"\1", text)
    if "<" in text:
        text = _HTML.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    for _ in range(2):  # emphasis nests
        if "*" in text or "~~" in text or "==" in text:
            text = _STAR.sub(r"\1", _STRONG.sub(r"\2", text))
        if "_" in text:
            text = _UNDERLINE.sub(r"\2", text)
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if "#" in text:
        text = _HASH.sub("", text)
    return " ".join(text.split())


def _words_of_link(match: re.Match[str]) -> str:
    if match.group(2):
        return match.group(2)
    name, _, part = match.group(1).rstrip("\\").partition("#")
    return name.rpartition("/")[2] or part.lstrip("^")


def first_heading(text: str, start: int) -> str:
    """The words of the first heading of depth one behind *start*, or an empty string."""
    if not re.search(r"^ {0,3}(?:#[ \t]|=+[ \t]*$)", text[start:], re.MULTILINE):
        return ""
    before = ""
    for line in _shown_lines(text, start):
        heading = HEADING.match(line)
        if heading and len(heading.group(1)) == 1 and heading.group(2):
            return plain_text(heading.group(2))
        if before and re.fullmatch(r" {0,3}=+[ \t]*", line):
            return plain_text(before)
        usable = line.strip() and not heading and not _MARKER.match(line).group().strip()  # type: ignore[union-attr]
        before = line if usable else ""
    return ""


def opening(text: str, start: int) -> str:
    """The first paragraph behind *start* as plain text, at most some 300 characters.

    Headings, code, tables, rules, images and lines of nothing but tags are passed over.
    """
    return " ".join(_paragraph(text, start))


def _paragraph(text: str, start: int) -> Iterator[str]:
    length = 0
    for line in _shown_lines(text, start):
        marker = _MARKER.match(line)
        end = marker.end() if marker else 0
        body = (
            _CALLOUT.sub("", line[end:], count=1).strip()
            if line[end : end + 1] == "["
            else line[end:].strip()
        )
        ends = (
            not body
            or bool(HEADING.match(line))
            or bool(_SKIPPED.match(body))
            or bool(_ONLY_TAGS.match(body))
        )
        if ends or (length and marker and marker.group("item")):
            if length:
                return
            if ends:
                continue
        words = plain_text(_BLOCK_ID.sub("", body))
        if not words:
            continue
        yield words
        length += len(words)
        if length > _FEW_CHARACTERS:
            return


def _shown_lines(text: str, start: int) -> Iterator[str]:
    """The beginnings of the lines from *start* on, an empty one for each that is code or a comment."""
    fence = ""
    comment = ""
    end = start - 1
    while end < len(text):
        begin = end + 1
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        line = text[begin : min(end, begin + _MOST_CHARACTERS)]
        if fence:
            bare = line.strip(" \t>")
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
            yield ""
        elif comment:
            if comment in line:
                comment = ""
            yield ""
        elif opened := FENCE.match(line.lstrip("> \t")):
            fence = opened.group(1)
            yield ""
        elif line.startswith("<!--") and "-->" not in line:
            comment = "-->"
            yield ""
        elif line.strip() in {"%%", "$$"}:
            comment = line.strip()
            yield ""
        elif line.startswith("%%") and line.count("%%") == 1:
            comment = "%%"
            yield ""
        else:
            yield line
