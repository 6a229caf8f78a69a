"""Candidates without an agent: decision records, new documents and the bodies of commits.

Nothing is judged here that a program cannot judge; what comes of it says so in its gates' reasons and
stays unreviewed, as everything that the audit writes.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from aikb.audit.candidate import GATES, MOST, Candidate, Gate
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aikb.audit.gather import Material
    from aikb.tools.git_project import Commit

_TEXT = r"\.(?:md|org|rst|txt)$"
_DECISION = re.compile(
    rf"(?:^|/)(?:adrs?|decisions?|decision-records?)/[^/]+{_TEXT}", re.IGNORECASE
)
_DOC = re.compile(rf"(?:^|/)(?:docs?|documentation|guides?|runbooks?)/.+{_TEXT}", re.IGNORECASE)
_HOWTO = re.compile(
    r"\b(?:how[- ]?to|runbook|procedure|set ?up|deploy|release|install|upgrade)\b", re.IGNORECASE
)
_RULE = re.compile(r"\b(?:always|never|must|instead of|convention|rule|because)\b", re.IGNORECASE)
_NAME = re.compile(r"[^\w]+")
_NUMBER = re.compile(r"(?:(?:adr|rfc)[ -]?)?\d+(?:[.:)]|\s*[-–—])\s*(?=\S)", re.IGNORECASE)  # noqa: RUF001
_ASIDE = re.compile(r"^[ \t]*(?:#\+.*|:[A-Za-z_-]+:.*)\n?", re.MULTILINE)
_STARS = re.compile(r"^(\*+)(?= )", re.MULTILINE)
_LEAST_BODY = 200
_LONGEST = 6_000
_MOST_NAMED = 5
_LONGEST_TITLE = 110
SAYS = "found without an agent, by its place and form; a person must judge"


def extract(material: Material) -> tuple[Candidate, ...]:
    """At most five candidates, decisions first."""
    found = [*_documents(material), *_commits(material)]
    unique = {candidate.title.casefold(): candidate for candidate in reversed(found)}
    return tuple(sorted(unique.values(), key=found.index))[:MOST]


def passed_over(material: Material) -> list[Finding]:
    """What has the place or the form of a candidate, and too few words to be one."""
    short = [
        path for path, text in material.new_files.items()
        if (_DECISION.search(path) or _DOC.search(path)) and len(text.strip()) < _LEAST_BODY
    ]  # fmt: skip
    short += [
        f"commit {commit.id[:8]}" for commit in material.commits
        if len(reason := _reason(commit)) < _LEAST_BODY and _RULE.search(reason)
    ]  # fmt: skip
    if not short:
        return []
    more = f" and {len(short) - _MOST_NAMED} more" if len(short) > _MOST_NAMED else ""
    said = f"passed over, with fewer than {_LEAST_BODY} characters: {', '.join(short[:_MOST_NAMED])}{more}"
    return [Finding(material.project, 1, "warning", "audit-short", said)]


def _documents(material: Material) -> Iterable[Candidate]:
    decisions, docs = [], []
    for path, text in material.new_files.items():
        if _DECISION.search(path):
            decisions.append(_of_file(material, path, text, "reference", ("decision",)))
        elif _DOC.search(path):
            kind = "howto" if _HOWTO.search(f"{path} {text[:200]}") else "reference"
            docs.append(_of_file(material, path, text, kind, ()))
    return [c for c in (*decisions, *docs) if c]


def _of_file(
    material: Material, path: str, text: str, kind: str, tags: tuple[str, ...]
) -> Candidate | None:
    if len(text.strip()) < _LEAST_BODY:
        return None
    title, body = _titled(text)
    title = _NUMBER.sub("", title)
    if path.endswith(".org"):
        body = _from_org(body)
    if not title:
        title = _NAME.sub(" ", posixpath.basename(path).rpartition(".")[0]).strip()
    body = f"{_cut(body)}\n\nFrom `{path}` of {material.project}, commit {material.head[:8]}.\n"
    return _candidate(kind, title, (material.tag, *tags), body, f"{path} is new")


def _commits(material: Material) -> Iterable[Candidate]:
    for commit in material.commits:
        body = _reason(commit)
        if len(body) < _LEAST_BODY or not _RULE.search(body):
            continue
        body = f"{_cut(body)}\n\nFrom commit {commit.id[:8]} of {material.project}.\n"
        yield _candidate(
            "convention", commit.subject, (material.tag,), body, "the commit's body gives a reason"
        )


def _reason(commit: Commit) -> str:
    """A commit's body without its trailers."""
    paragraphs = [p for p in commit.body.split("\n\n") if p.strip() and not _is_trailer(p)]
    return "\n\n".join(paragraphs).strip()


def _candidate(kind: str, title: str, tags: Sequence[str], body: str, what: str) -> Candidate:
    title = "".join(c if c.isprintable() else " " for c in title)
    reason = f"{what}; {SAYS}"
    return Candidate(
        kind, " ".join(title.split())[:_LONGEST_TITLE].strip(" /\\~."), tuple(dict.fromkeys(tags)),
        body, {name: Gate(True, reason) for name in GATES},
    )  # fmt: skip


def _titled(text: str) -> tuple[str, str]:
    """A document's first heading, and what follows it; front matter is left out."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    for pattern in (r"#+\s+(.+?)\s*#*", r"#\+title:\s*(.+)", r"\*\s+(.+)"):
        if match := re.match(rf"\s*{pattern}\s*(?:\n|\Z)", text, re.IGNORECASE):
            return match.group(1), text[match.end() :].strip()
    return "", text.strip()


def _from_org(text: str) -> str:
    """Org text as Markdown reads it, as far as headings go; keywords and drawers are left out."""
    return _STARS.sub(lambda m: "#" * (len(m[1]) + 1), _ASIDE.sub("", text)).strip()


def _is_trailer(paragraph: str) -> bool:
    lines = paragraph.strip().splitlines()
    return all(re.match(r"[A-Z][\w-]+: \S|Merge (?:branch|pull)", line) for line in lines)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition("\n\n")[0] + "\n\n[cut]"
