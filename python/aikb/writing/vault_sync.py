"""What people wrote in a vault with other programs, as a session's end commits it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.errors import DiskError
from aikb.model import Change, Finding
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from aikb.sources.base import NoteFiles
    from aikb.writing.ground import Ground

_LARGEST = 20 << 20
_LEAVING = re.compile(r"^\.|^#.*#$|~$|\.(?:tmp|swp|swo|orig|rej|part|crdownload)$", re.IGNORECASE)
_KEPT = frozenset({".gitignore", ".gitattributes"})
_MANY = 10  # notes gone at once, and half of all: that is a lost disk rather than a wish


def propose_sync(vault: NoteFiles, ground: Ground) -> Proposal:
    """Every file that differs from HEAD, good ones only; hidden ones and what editors leave stay out.

    Notes that are gone are taken out, because people delete notes in their editor and the history
    keeps them; but not if most of the vault is gone.
    """
    wanted = [path for path in sorted(ground.dirty) if may_sync(vault, path)]
    changes: list[Change] = []
    findings: list[Finding] = []
    for path in wanted:
        try:
            data = read_or_none(vault.root, path, most=_LARGEST)
        except DiskError as error:
            findings.append(Finding(path, 1, "error", "unreadable", error.message))
            data = None
        if data is not None and len(data) > _LARGEST:
            message = f"larger than {_LARGEST >> 20} MiB; keep it outside the vault, or commit it yourself"
            findings.append(Finding(path, 1, "error", "file-too-large", message))
        changes.append(Change(path, data, data))
    gone = [c for c in changes if c.after is None and vault.is_note_path(c.path)]
    if len(gone) > _MANY and len(gone) > len(ground.base.files) // 2:
        paths = {change.path for change in gone}
        changes = [change for change in changes if change.path not in paths]
        findings.append(
            Finding(
                gone[0].path, 1, "warning", "gone",
                f"{len(gone)} notes are gone at once and stay in the repository; commit it yourself if "
                "that is meant",
            )
        )  # fmt: skip
    return Proposal(tuple(changes), _message(changes), tuple(findings), keep_good=True)


def may_sync(vault: NoteFiles, path: str) -> bool:
    """Whether a file is one that a person would want in the vault's history."""
    if path in _KEPT:
        return True
    if path.endswith("/") or not path.isprintable() or vault.is_index_page(path):
        return False
    return not any(_LEAVING.search(part) for part in path.split("/"))


def _message(changes: list[Change]) -> str:
    if len(changes) == 1:
        return f"sync: {changes[0].path}"
    return f"sync: {len(changes)} files"
