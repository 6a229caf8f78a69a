"""What of a Markdown text is only shown, as code, math, HTML or a comment.

It is blanked out, so that tags and links are looked for in the rest; offsets and line breaks stay.
Blocks become spaces; spans become a character that is no space, for what follows one begins no word.
"""

from __future__ import annotations

import re

HOLE = "\x01"
_IN_PARAGRAPH = r"(?:[^\n]|\n(?![ \t]*\n))"
_FENCE = re.compile(
    r"^(?P<quote>(?:[ \t]*>)*)[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?"
    r"(?P<fence>`{3,}(?!.*`)|~{3,}).*$",
    re.MULTILINE,
)
_HIDDEN = re.compile(
    rf"(?<!`)(`+)(?!`){_IN_PARAGRAPH}{{1,2000}}?(?<!`)\1(?!`)"
    rf"|\$\${_IN_PARAGRAPH}{{1,5000}}?\$\$"
    r"|<!--.*?(?:-->|\Z)"
    r"|(?<!\]\()</?[A-Za-z][^<>]{0,2000}>",
    re.DOTALL,
)
_NOT_BREAK = re.compile(r"[^\n]")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_INDENTED_MARK = re.compile(r"^(?: {4}| {0,3}\t).*[#\[]", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")


def mask(text: str) -> str:
    """*text*, of the same length, with everything blank that is code, math, HTML or a comment."""
    if "```" in text or "~~~" in text:
        text = _mask_fences(text)
    if _INDENTED_MARK.search(text):
        text = _mask_indented(text)
    if "`" in text or "$$" in text or "<" in text:
        text = _HIDDEN.sub(lambda match: blank(match.group(), HOLE), text)
    return text


def blank(text: str, filler: str = " ") -> str:
    """As many fillers as *text* has characters; its line breaks stay."""
    return filler * len(text) if "\n" not in text else _NOT_BREAK.sub(filler, text)


def _mask_fences(text: str) -> str:
    parts, done = [], 0
    while opened := _FENCE.search(text, done):
        fence = opened.group("fence")
        quote = r"(?:[ \t]*>)*" if opened.group("quote") else ""
        closing = rf"^{quote}[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*$"
        closed = re.compile(closing, re.MULTILINE).search(text, opened.end())
        end = closed.end() if closed else len(text)
        parts += [text[done : opened.start()], blank(text[opened.start() : end])]
        done = end
    return "".join([*parts, text[done:]])


def _mask_indented(text: str) -> str:
    """Blank what is code because it is indented: not in a list, and not in a paragraph."""
    lines = text.split("\n")
    in_list, after_blank = False, True
    for number, line in enumerate(lines):
        if not line.strip():
            after_blank = True
        elif after_blank and not in_list and _INDENTED.match(line):
            lines[number] = " " * len(line)  # and so is the next line, if it is indented
        else:
            if _ITEM.match(line):
                in_list = True
            elif after_blank and line[0] not in " \t":
                in_list = False
            after_blank = False
    return "\n".join(lines)
