"""Text that Emacs would run, fetch or include: it must not enter a store that a person opens.

Measured in facts/git-and-safety.md: these fire in a person's Emacs on visiting, exporting,
recalculating or following a link, whatever our own batch Emacs does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.org.links import WORD_START
from aikb.model import Finding
from aikb.rules.literal import in_literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.formats.org.document import Document

_FOLD = re.IGNORECASE
_COOKIE = re.compile(r"-\*-.*-\*-|-\*-\s*coding", _FOLD)
_LOCAL = re.compile(r"local variables:", _FOLD)
_KEYWORDS = {
    "SETUPFILE": "Emacs would read another file, or fetch it, on opening this one",
    "INCLUDE": "Emacs would read another file, or connect to its host",
    "LINK": "a link abbreviation can run a function, and can turn all id links into web links",
    "BIND": "it sets Emacs variables on export",
    "CALL": "it runs code on export",
    "CITE_EXPORT": "Org loads the Lisp file that it names",
    "HEADER": "header arguments can be Lisp that Emacs evaluates",
    "HEADERS": "header arguments can be Lisp that Emacs evaluates",
}
_KEYWORD = re.compile(r"[ \t]*#\+(\w+)(?:\[.*?\])?:(.*)", _FOLD)
_BEGIN_SRC = re.compile(r"[ \t]*#\+begin_src\b(.*)", _FOLD)
_LISP_ARGUMENT = re.compile(
    r":[\w-]+\s+[^:]*[(`']|[\s=]['`]?\(|\((?:progn|eval|let|lambda|shell|call|delete)"
)
_CALLED = re.compile(  # what a dynamic block calls when it is updated, or a table of it evaluates
    r":formatter|%s::\(|\(\s*(?:progn|lambda|closure|function|eval)\b|'\(|:scope\s+"
    r"(?!(?:nil|file(?:-with-archives)?|subtree|tree\d*|agenda(?:-with-archives)?)(?:\s|$)|[(:]|$)[\w-]",
    _FOLD,
)
_INLINE = re.compile(r"\b(?:src_[^\s\[{]+(?:\[[^\]\n]*\])?\{|call_[^\s\[(]+(?:\[[^\]\n]*\])?\()")
_LINK = re.compile(
    WORD_START + r"(?:elisp|e?shell|file\+sys|file\+emacs):(?=\S)|\[\[e?shell:", _FOLD
)
_REMOTE = re.compile(
    r"(?<![\w./~-])/(?:ssh|sshx|scp|scpx|sftp|ftp|rsync|rsh|rcp|sudo|sudoedit|su|doas|sg|ksu|plink|"
    r"pscp|psftp|smb|dav|davs|adb|docker|podman|kubernetes|rclone|sshfs|telnet|nc|method|mtp|gdrive)"
    r":[^\s\]\"]*:",
    _FOLD,
)
_DIARY = re.compile(r"<%%\(|\[%%\(|^&?%%\(")


def check(document: Document) -> Iterator[Finding]:
    """Findings about everything that could be evaluated, included or fetched."""
    path, lines, kinds = document.path, document.structure.lines, document.structure.kinds
    for number in range(2 if lines[0].startswith("#!") else 1):
        if number < len(lines) and "-*-" in lines[number] and _COOKIE.search(lines[number]):
            yield _finding(path, number, "file-variables", "a -*- line sets Emacs variables")
    yield from _local_variables(document)
    for number, line in enumerate(lines):
        if kinds[number] in "of-":
            continue
        stripped = line.lstrip(" \t")
        if stripped.startswith("#+"):
            yield from _keyword(path, number, line)
        elif kinds[number] == "p":
            yield from _property(path, number, line)
        if kinds[number] == "c":
            continue
        if ":" in line or "_" in line or "%%(" in line:
            yield from _inline(path, number, line, kinds[number])


def _finding(path: str, number: int, code: str, why: str) -> Finding:
    return Finding(path, number + 1, "error", code, f"{why}; remove it")


def _local_variables(document: Document) -> Iterator[Finding]:
    for match in _LOCAL.finditer(document.text):
        start = document.text.rfind("\n", 0, match.start()) + 1
        end = document.text.find("\n", match.end())
        after = document.text[match.end() : end if end >= 0 else None]
        near_end = len(document.text) - match.start() < 3500
        alone = not re.search(r"\w", document.text[start : match.start()]) and not after.strip(
            " */"
        )
        if near_end or alone:
            number = document.structure.line_of(match.start())
            yield _finding(
                document.path, number, "file-variables",
                "Emacs sets variables, or evaluates, what follows these words",
            )  # fmt: skip


def _keyword(path: str, number: int, line: str) -> Iterator[Finding]:
    if match := _BEGIN_SRC.match(line):
        if _LISP_ARGUMENT.search(match.group(1)):
            yield _finding(
                path,
                number,
                "header-argument",
                "a header argument here is Lisp that Emacs evaluates",
            )
        return
    match = _KEYWORD.match(line)
    if not match:
        return
    key, value = match.group(1).upper(), match.group(2)
    if key in _KEYWORDS:
        yield _finding(path, number, f"keyword-{key.lower()}", _KEYWORDS[key])
    elif key == "MACRO" and re.search(r"\(\s*eval\b", value):
        yield _finding(path, number, "keyword-macro", "this macro evaluates Lisp on export")
    elif key == "PROPERTY" and "header-args" in value.lower():
        yield _finding(path, number, "header-argument", "header arguments can be Lisp")
    elif key == "TBLFM" and re.search(r"'\(|\(\s*(?:progn|eval|shell|call|let|lambda)\b", value):
        yield _finding(path, number, "table-formula", "this formula is Lisp that Emacs evaluates")
    elif key in {"BEGIN", "ARCHIVE", "COLUMNS"} and _CALLED.search(value):
        yield _finding(path, number, f"keyword-{key.lower()}", "it names Lisp that Emacs calls")


def _property(path: str, number: int, line: str) -> Iterator[Finding]:
    key = line.lstrip(" \t:").partition(":")[0].lower()
    if key.startswith("header-args"):
        yield _finding(path, number, "header-argument", "header arguments can be Lisp")


def _inline(path: str, number: int, line: str, kind: str) -> Iterator[Finding]:
    for pattern, code, why in (
        (_INLINE, "inline-code", "inline code runs on export"),
        (
            _LINK,
            "code-link",
            "following this link runs a program (what is only shown can stand as =verbatim=)",
        ),
        (_REMOTE, "remote-file", "Emacs would connect to that host when it shows or follows this"),
        (_DIARY, "diary-expression", "a diary expression is Lisp that the agenda evaluates"),
    ):
        for match in pattern.finditer(line):
            if not in_literal(line, match.start(), kind):
                yield _finding(path, number, code, why)
                break
