"""Where a node says that it comes from: a capture that it names must be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.source import capture_of, is_safe
from aikb.model import Finding
from aikb.rules.properties import line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aikb.formats.org.document import Document


def check(document: Document, exists: Callable[[str], bool]) -> Iterator[Finding]:
    """A finding for each node whose SOURCE names a capture that is not there."""
    for node in document.nodes:
        path = capture_of(node.properties.get("SOURCE", ""))
        if path and not (is_safe(path) and exists(path)):
            yield Finding(
                document.path, line_of(document, node, "SOURCE"), "error", "missing-source",
                f"the store has no capture '{path[:80]}'; make it with `ai-kb capture`, or correct "
                ":SOURCE:",
            )  # fmt: skip
