"""The value gate (plan, Phase 3 Part A), decided here and not by who proposes.

Longevity: it still holds in half a year.  Reusability: another session will want it.  Mutability: it
can be kept true where it stands, because it is no state that changes every day.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.audit.candidate import GATES
from aikb.formats.markdown.document import MarkdownDocument
from aikb.rules.vault import check_note

if TYPE_CHECKING:
    from collections.abc import Collection

    from aikb.audit.candidate import Candidate

_TAG = re.compile(r"[^\W_][\w-]*(?:/[\w-]+)*")
_UP = re.compile(r"(?:^|[\\/])\.{1,2}(?:[\\/]|$)|^[\\/~]|[\\/]$")
_WORD = re.compile(r"\w", re.UNICODE)
_PROGRAMS = frozenset({"templater-code", "script", "dataview-js"})  # nobody has read it yet
_LEAST_BODY = 40
_LEAST_REASON = 8


def why_not(candidate: Candidate, types: Collection[str]) -> str:
    """Why a candidate does not become a note; empty: it does."""
    for name in GATES:
        gate = candidate.gates[name]
        if not gate.passes:
            return f"{name}: {gate.reason or 'no reason given'}"
        if len(gate.reason) < _LEAST_REASON:
            return f"{name} passes without a reason"
    if candidate.type not in types:
        return f"'{candidate.type}' is no type that this vault has"
    if not _WORD.search(candidate.title) or _UP.search(candidate.title):
        return "its title is none that a note can have"
    if not candidate.tags:
        return "it has no tag, so nobody would find it"
    for tag in candidate.tags:
        if not _TAG.fullmatch(tag) or tag.replace("/", "").isdecimal():
            return f"'{tag}' is no tag"
    if len(candidate.body.strip()) < _LEAST_BODY:
        return "its body says next to nothing"
    document = MarkdownDocument("candidate.md", candidate.body.encode("utf-8", "replace"))
    program = next((f.message for f in check_note(document) if f.code in _PROGRAMS), "")
    return program.partition(";")[0]
