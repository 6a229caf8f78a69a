"""Text that Emacs would run, fetch or include: it must not enter a store that a person opens.

Measured in facts/git-and-safety.md: these fire in a person's Emacs on visiting, exporting,
recalculating or following a link, whatever our own batch Emacs does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.model import Finding

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
    "HEADER": "header arguments can be Lisp that Emacs evaluates",
    "HEADERS": "header arguments can be Lisp that Emacs evaluates",
}
_KEYWORD = re.compile(r"[ \t]*#\+(\w+)(?:\[.*?\])?:(.*)", _FOLD)
_BEGIN_SRC = re.compile(r"[ \t]*#\+begin_src\b(.*)", _FOLD)
_LISP_ARGUMENT = re.compile(r":[\w-]+\s+[^:]*[(`']|\((?:progn|eval|let|lambda|shell|call|delete)")
_INLINE = re.compile(r"\b(?:src_\w+(?:\[[^\]\n]*\])?\{|call_\w+(?:\[[^\]\n]*\])?\()")
_LINK = re.compile(r"(?:\[\[|<|(?<!\w))(elisp|shell|file\+sys|file\+emacs):(?=\S)", _FOLD)
_BRACKET_LINK = re.compile(r"\[\[(elisp|shell|file\+sys|file\+emacs):", _FOLD)
_DIARY = re.compile(r"<%%\(|\[%%\(|^%%\(")
_LITERAL = re.compile(r"(?<![^\s\-('\"{])([=~])(?=\S).*?\S\1(?![^\s\-.,:!?;'\")}\\\[])")


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
            yield from _inline(path, number, line)


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
    elif key in {"BEGIN", "ARCHIVE", "COLUMNS"} and re.search(
        r":formatter|%s::\(|\(\s*progn", value
    ):
        yield _finding(path, number, f"keyword-{key.lower()}", "it names Lisp that Emacs calls")


def _property(path: str, number: int, line: str) -> Iterator[Finding]:
    key = line.lstrip(" \t:").partition(":")[0].lower()
    if key.startswith("header-args"):
        yield _finding(path, number, "header-argument", "header arguments can be Lisp")


def _inline(path: str, number: int, line: str) -> Iterator[Finding]:
    for pattern, code, why in (
        (_INLINE, "inline-code", "inline code runs on export"),
        (_LINK, "code-link", "following this link runs a program"),
        (_DIARY, "diary-expression", "a diary expression is Lisp that the agenda evaluates"),
    ):
        for match in pattern.finditer(line):
            if code == "code-link" and not (
                match.group().startswith(("[[", "<")) or _plain(line, match)
            ):
                continue
            if not _in_literal(line, match.start()):
                yield _finding(path, number, code, why)
                break


def _plain(line: str, match: re.Match[str]) -> bool:
    """Whether a plain link of such a type stands there, and not a word with a colon in prose."""
    rest = line[match.end() :]
    return match.group(1).lower().startswith("file+") or rest.startswith(("(", "/"))


def _in_literal(line: str, column: int) -> bool:
    return any(m.start() < column < m.end() for m in _LITERAL.finditer(line))
