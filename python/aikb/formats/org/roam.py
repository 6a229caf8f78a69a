"""Values that org-roam reads with a grammar of its own: ROAM_ALIASES and ROAM_REFS."""

from __future__ import annotations

import re

_STRING = re.compile(r'"((?:[^"\\]|\\[^xuUNMCSHAs^0-9])*)"')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CITATION = re.compile(r"\[cite(?:/[^\]:]*)?:([^\]]*)\]")
_KEY = re.compile(r"@([-\w.:?!`'/*@+|(){}<>&^$#%~]+)")
_REF = re.compile(
    r"@\S+|\[cite[^\]:]*:[^\]]*@[^\]\s;]+[^\]]*\]|[A-Za-z][\w+.-]*:\S+"
    r"|\[\[[^\]]+\](?:\[[^\]]*\])?\]"
)


def split_and_unquote(value: str) -> list[str] | None:
    """Words and quoted strings as ``split-string-and-unquote`` reads them; None where it raises.

    It looks for a quote, reads a Lisp string from there, and raises where that does not end or has
    an escape that Lisp does not know: org-roam then drops the whole file.
    """
    words: list[str] = []
    at = 0
    while (quote := value.find('"', at)) >= 0:
        match = _STRING.match(value, quote)
        if not match:
            return None
        words += value[at:quote].split()
        words.append(_ESCAPE.sub(r"\1", match.group(1)))
        at = match.end()
    return words + value[at:].split()


def read_refs(value: str) -> tuple[list[str], list[str]]:
    """The references of a ROAM_REFS value, citations as ``@key``, and the words that are none."""
    refs: list[str] = []
    rest = _CITATION.sub(lambda m: " ".join(f"@{key}" for key in _KEY.findall(m[1])) or m[0], value)
    wrong: list[str] = []
    for word in re.findall(r'\[cite[^\]]*\]|\[\[.*?\]\]|"[^"]*"|\S+', rest):
        bare = word.strip('"')
        (refs if _REF.fullmatch(bare) else wrong).append(bare)
    return refs, wrong
