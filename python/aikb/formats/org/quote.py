"""Outside text as Org that means nothing: a block in which no line is Org syntax any more.

The escape is Org's own (a comma before ``*`` and ``#+``), so that Org gives the text back unchanged.
"""

from __future__ import annotations

import re

from aikb.formats.unseen import has_any, shown

BEGIN = "#+begin_example\n"
END = "\n#+end_example\n"
_SYNTAX = re.compile(r"^([ \t]*)(,*(?:\*|#\+))", re.MULTILINE)
_ESCAPED = re.compile(r"^([ \t]*,*),((?:\*|#\+))", re.MULTILINE)
_UNREAD = re.compile(r"[\ufffc-\uffff]")  # stands for what could not be read
_SPECIAL = str.maketrans(
    {"[": "(", "]": ")", "{": "(", "}": ")", "<": " ", ">": " ", "|": "-", "\\": "/"}
)


def escape(text: str) -> str:
    """*text* with a comma before all that Org would read as a heading or a keyword."""
    return _SYNTAX.sub(r"\1,\2", text)


def unescape(text: str) -> str:
    """The text that :func:`escape` was given."""
    return _ESCAPED.sub(r"\1\2", text)


def block(text: str) -> str:
    """*text* in an example block; exactly one line end is added, whether or not it has one."""
    return f"{BEGIN}{escape(text)}{END}"


def is_plain(text: str) -> bool:
    """Whether all of *text* can be seen: no control, no bidirectional, no hidden characters."""
    return not has_any(text) and not _UNREAD.search(text)


def visible(text: str) -> str:
    """Outside text with LF line ends, in which every character that no eye sees is spelled out."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNREAD.sub(_spell, shown(text, _spell))


def _spell(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def one_line(text: str, most: int = 200) -> str:
    """Outside text as words in a keyword or a property: one line, nothing of it a link or code."""
    text = " ".join(visible(text).translate(_SPECIAL).split())
    text = re.sub(r"(?<=[^\W\d]):(?=\S)", ": ", text)
    text = re.sub(r"(src|call)_", r"\1 ", text, flags=re.IGNORECASE)
    text = re.sub(r"@(?=@)|%(?=%)|-\*(?=-)", lambda m: " ".join((*m.group(), "")), text)
    return text[:most].strip()
