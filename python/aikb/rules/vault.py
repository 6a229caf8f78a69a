"""What there is to say of a Markdown note: what was not read as it was meant, and what is hostile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.formats.markdown.document import MOST_READ
from aikb.formats.markdown.mask import HOLE
from aikb.model import Finding
from aikb.rules.text import characters, conflicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from aikb.formats.markdown.document import MarkdownDocument
    from aikb.links.names import Names
    from aikb.model import Note

_PROGRAMS = (
    (re.compile(r"<%[*_~+=-]?\s"), "templater-code", "Templater runs this where it meets it"),
    (
        re.compile(r"<script\b", re.IGNORECASE),
        "script",
        "a browser runs this where the note is published",
    ),
    (
        re.compile(r"\]\([\s<]{0,20}javascript:", re.IGNORECASE),
        "script",
        "following this link runs a program",
    ),
)
_BLOCK = re.compile(
    r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*(dataviewjs|js-engine|customjs|meta-bind-js-view)\b",
    re.MULTILINE,
)
_INLINE_JS = re.compile(r"`\$=[^`\n]*`")
_ATTACHMENT = re.compile(r"\.[A-Za-z0-9]{1,12}\Z")


def check_reading(document: MarkdownDocument) -> Iterator[Finding]:
    """Why a note, or a part of it, is not read as it was meant; such a note is in the index all the same."""
    path, data = document.path, document.data
    if len(data) > MOST_READ:
        yield Finding(
            path, 1, "error", "file-too-large",
            f"{len(data):,} bytes are more than a note has, and only its beginning is read; split it, or "
            "keep it outside of the vault",
        )  # fmt: skip
    if b"\0" in data and not document.decoded.problem:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        yield Finding(path, line, "error", "nul", "a NUL byte makes this a binary file; remove it")
    elif document.decoded.problem and len(data) <= MOST_READ:
        line, what = document.decoded.problem
        yield Finding(path, line, "error", "not-utf8", f"{what}; save the file as UTF-8")
    for problem in document.front.problems:
        yield Finding(path, *problem)


def check_note(document: MarkdownDocument) -> list[Finding]:
    """Everything that can be said of one note by itself, in order of line."""
    findings = [*_name(document.path), *check_reading(document)]
    if any(f.code in {"file-too-large", "nul", "not-utf8"} for f in findings):
        return findings
    text = document.text
    findings += characters(document.path, text)
    findings += _escaped(document)
    findings += conflicts(document.path, text)
    findings += _programs(document)
    return sorted(set(findings), key=lambda f: (f.line, f.severity, f.code))


def _name(path: str) -> Iterator[Finding]:
    """An error for a name that no commit takes in."""
    if not path.isprintable():
        yield Finding(
            path, 1, "error", "file-name", "the name has a character that cannot be seen; rename the file"
        )  # fmt: skip


def _escaped(document: MarkdownDocument) -> Iterator[Finding]:
    """Findings about such characters that the front matter's quotes bring in, as ``\\e`` does."""
    if "\\" not in document.text[: document.front.body]:
        return
    values = "\n".join(text for texts in document.front.values.values() for text in texts)
    for finding in characters(document.path, values):
        yield finding._replace(line=1)


def _programs(document: MarkdownDocument) -> Iterator[Finding]:
    """Warnings about what a plug-in or a browser would run; code that is only shown is none."""
    body, masked = document.body, document.masked
    if "<" in body or "](" in body:
        for pattern, code, why in _PROGRAMS:
            match = pattern.search(body)
            if (
                match
                and not masked[match.start() : match.end()].strip(f" \n{HOLE}")
                and code != "script"
            ):
                match = pattern.search(masked)
            if match:
                yield _program(document, match.start(), code, why)
    for pattern in (_BLOCK, _INLINE_JS):
        if match := pattern.search(body):
            yield _program(
                document, match.start(), "dataview-js", "a plug-in runs this when the note is shown"
            )


def _program(document: MarkdownDocument, pos: int, code: str, why: str) -> Finding:
    message = f"{why}; ai-kb never does, remove it if it is not yours"
    return Finding(document.path, document.line(pos), "warning", code, message)


def check_links(document: MarkdownDocument, names: Names) -> Iterator[Finding]:
    """A warning for each link that leads to no note, once a target."""
    told = set()
    for link in document.links:
        if link.target in told or names.resolve(link.target, document.path):
            continue
        told.add(link.target)
        if _ATTACHMENT.search(link.target) and not link.target.lower().endswith(".md"):
            continue  # a picture or other attachment, which is no note
        if not link.wiki and not link.target.lower().endswith(".md"):
            continue
        yield Finding(
            document.path, document.line(link.pos), "warning", "broken-link",
            f"no note is called '{link.target[:80]}'; mend the link, or write that note",
        )  # fmt: skip


def check_untagged(notes: Iterable[Note]) -> Iterator[Finding]:
    """A warning for each note without tags: it stands nowhere in the index."""
    for note in notes:
        if not note.tags and note.status != "superseded":
            yield Finding(
                note.path, 1, "warning", "untagged",
                "the note has no tags, so it is not in the index; add `tags:` to its front matter",
            )  # fmt: skip


def for_vault(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that every collection has, with cures that name the vault's commands."""
    return [
        finding._replace(message=finding.message.replace("`ai-kb allow", "`ai-kb vault allow"))
        for finding in findings
    ]
