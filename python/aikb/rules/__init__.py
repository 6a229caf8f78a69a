"""What keeps a note out of the store, or is worth a warning: notes and changes to findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.formats.org.document import Document
    from aikb.model import Finding


def check_document(document: Document, types: Sequence[str]) -> list[Finding]:
    """Everything that can be said of one Org file by itself, in order of line.

    What only the whole store can tell (ids unique, links resolve) is in
    :mod:`aikb.rules.identity`; what only Emacs can tell in :mod:`aikb.rules.emacs`.
    """
    # late: a command that only wants one rule, as those for a vault do, waits for no other
    from aikb.rules import dates, hostile, links, markdown, properties, shape, structure, text

    findings = list(text.check(document))
    if any(f.code in text.UNREADABLE for f in findings):
        return findings
    for rule in (
        shape.check,
        lambda d: properties.check(d, types),
        structure.check,
        dates.check,
        links.check,
        hostile.check,
        markdown.check,
    ):
        findings.extend(rule(document))
    return sorted(set(findings), key=lambda f: (f.line, f.severity, f.code))
