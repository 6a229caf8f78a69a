"""What Emacs itself said: org-lint's messages, and every place where it reads other than we do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from aikb.formats.org.document import Document
    from aikb.formats.org.emacs_view import EmacsNode, LintMessage, Reading

# Matters of taste, or of export, which break neither Org nor org-roam; and of dates, which
# `rules/dates` judges the same for every Emacs: only newer ones look at them.
ADVICE = frozenset({
    "colon-in-name", "deprecated-category-setup", "deprecated-export-blocks",
    "deprecated-header-syntax", "duplicate-custom-id", "duplicate-footnote-definition",
    "duplicate-name", "duplicate-target", "empty-header-argument", "export-result",
    "extraneous-element-in-footnote-section", "file-application", "incomplete-citation",
    "invalid-coderef-link", "invalid-custom-id-link", "invalid-effort-property",
    "invalid-fuzzy-link", "invalid-image-alignment", "item-number", "LaTeX-$", "link-to-local-file",
    "mismatched-planning-repeaters", "misplaced-heading", "missing-backend-in-export-block",
    "missing-language-in-src-block", "missing-print-bibliography", "misspelled-export-option",
    "named-result", "non-existent-setupfile-parameter", "obsolete-affiliated-keywords",
    "obsolete-include-markup", "orphaned-affiliated-keywords", "percent-encoding-link-escape",
    "planning-inactive", "quote-section", "special-property-in-properties-drawer",
    "spurious-colons", "suspicious-language-in-src-block", "tabs", "timestamp-syntax",
    "trailing-bracket-after-link", "unclosed-brackets-in-link-description",
    "undefined-footnote-reference", "unknown-options-item", "unreferenced-footnote-definition",
    "wrong-header-argument", "wrong-header-value",
})  # fmt: skip


_TIMESTAMP = re.compile(r"Potentially malformed timestamp (.*?)\s*\.?\s*Parsed as: (.*)")
_DAY_NAME = re.compile(r"(?<=\d{4}-\d\d-\d\d)\s+[^\W\d]+\.?|\s+(?=[]>])")


def check_reading(document: Document, reading: Reading) -> list[Finding]:
    """Everything that Emacs's view of a file gives cause to say."""
    if reading.error:
        message = f"Org cannot parse this file: {reading.error}"
        return [Finding(document.path, 1, "error", "org-cannot-parse", message)]
    return [
        *check_lint(document, reading.lint),
        *check_agreement(document, reading.nodes, reading.links),
    ]


def check_lint(document: Document, messages: Sequence[LintMessage]) -> Iterator[Finding]:
    """org-lint's messages as findings; decided by the checker's name, never by its trust."""
    for message in messages:
        if _is_day_name_alone(message.message):
            continue
        severity = "warning" if message.checker in ADVICE else "error"
        yield Finding(
            document.path, message.line, severity, f"org-lint-{message.checker}",  # type: ignore[arg-type]
            " ".join(message.message.split()),
        )  # fmt: skip


def _is_day_name_alone(message: str) -> bool:
    """Whether a timestamp only lacks its weekday, or has it in another language: it means the same.

    Org 9.7 tells of those too; we write ``[2026-11-30]`` ourselves.
    """
    if not (match := _TIMESTAMP.match(" ".join(message.split()))):
        return False
    written, read = (_DAY_NAME.sub("", text).strip() for text in match.groups())
    return written == read


def check_agreement(
    document: Document, nodes: Sequence[EmacsNode], links: Sequence[str]
) -> Iterator[Finding]:
    """Findings wherever Emacs reads an id, title, tags, properties or links other than we do."""
    ours = {(node.level > 0, node.id): node for node in document.nodes}
    theirs = {(node.level > 0, node.id): node for node in nodes if node.id}
    for key in sorted(ours.keys() ^ theirs.keys()):
        who, other = ("Emacs", "ai-kb") if key in theirs else ("ai-kb", "Emacs")
        if key in theirs and "ROAM_EXCLUDE" in theirs[key].properties:
            continue
        line = theirs[key].line if key in theirs else document.line(ours[key].pos)
        yield _disagreement(document, line, f"{who} reads a node {key[1]} here, {other} does not")
    for key in sorted(ours.keys() & theirs.keys()):
        mine, emacs = ours[key], theirs[key]
        for what, a, b in (
            ("title", mine.title or "", emacs.title),
            ("tags", sorted(set(mine.tags)), sorted(set(emacs.tags))),
            ("properties", dict(mine.properties), _without_nil(emacs.properties)),
        ):
            if a != b:
                message = f"Emacs reads the {what} {b!r}, ai-kb reads {a!r}"
                yield _disagreement(document, emacs.line, message[:300])
    mine_links = sorted(link.target for link in document.links)
    emacs_links = sorted(target.partition("::")[0] for target in links)
    if mine_links != emacs_links:
        odd = sorted(set(mine_links) ^ set(emacs_links)) or mine_links
        yield _disagreement(document, 1, f"Emacs and ai-kb read different id links: {odd[:3]}")


def _without_nil(properties: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in properties.items() if value != "nil"}


def _disagreement(document: Document, line: int, message: str) -> Finding:
    return Finding(
        document.path, line, "error", "emacs-disagrees",
        f"{message}; write it more plainly, or report it as a bug of ai-kb",
    )  # fmt: skip
