"""Notes that no person has seen yet: ``reviewed: false`` in their front matter, until one accepts them.

How many there are is kept beside the log, because a session's start waits for no look into every file.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from typing import TYPE_CHECKING

from aikb.errors import DiskError, NoteNotFoundError, StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.audit.review import Vault, Word
    from aikb.model import Change, Note
    from aikb.writing.write import Written

FOLDER = "unreviewed"
_WORD = b"reviewed"
_LINE = re.compile(
    rb"""["']?reviewed["']?[ \t]*:[ \t]*["']?false["']?[ \t]*(?:#.*)?\r?""", re.IGNORECASE
)
_BOM = b"\xef\xbb\xbf"


def waiting(vault: Vault) -> list[Note]:
    """The notes that wait to be read, oldest first.

    Raises:
        DiskError: the vault cannot be listed.
    """
    found = []
    for note in vault.source.snapshot().notes:
        try:
            data = vault.source.read(note.path)
        except (NoteNotFoundError, DiskError):  # gone since
            continue
        if _waits(note.path, data):
            found.append(note)
    return sorted(found, key=lambda note: (note.created, note.path))


def contested(vault: Vault) -> list[tuple[Note, str]]:
    """The notes whose status is contested, by path, each with what its front matter says of it.

    Raises:
        DiskError: the vault cannot be listed.
    """
    from aikb.formats.markdown.document import MarkdownDocument

    found = []
    for note in vault.source.snapshot().notes:
        if note.status != "contested":
            continue
        with contextlib.suppress(NoteNotFoundError, DiskError):  # gone since
            front = MarkdownDocument(note.path, vault.source.read(note.path)).front
            found.append((note, front.first("contested").strip()))
    return sorted(found, key=lambda pair: pair[0].path)


def accept(vault: Vault, paths: Sequence[str], word: Word) -> Written:
    """Take ``reviewed: false`` out of these notes, all in one commit; every other byte stays.

    Raises:
        StoreError: its line is not one that can be taken out alone.
        UsageError: one of them is no note that waits.
    """
    from aikb.writing.gate import Proposal

    paths = list(dict.fromkeys(paths))

    def propose(_: object) -> Proposal:
        changes = tuple(_accepted(vault, path) for path in paths)
        what = paths[0] if len(paths) == 1 else f"{len(paths)} notes"
        because = f": {word.because}" if word.because else ""
        return Proposal(changes, f"review: accepted {what}\n\nDecided by {word.who}{because}")

    return vault.write_path.write(propose)


def _accepted(vault: Vault, path: str) -> Change:
    from aikb.model import Change

    try:
        data = vault.source.read(path) if vault.source.is_note_path(path) else b""
    except NoteNotFoundError:
        data = b""
    if not _waits(path, data):
        raise UsageError(f"'{path}' is no new note that waits", "`ai-kb vault review` lists them.")
    after = without_line(data)
    if _waits(path, after):
        raise StoreError(f"'reviewed' in '{path}' is no line of its own", "Take it out by hand.")
    return Change(path, data, after)


def without_line(data: bytes) -> bytes:
    """A note's bytes without the line ``reviewed: false`` of its front matter."""
    lines = data.split(b"\n")
    if lines[0].removeprefix(_BOM).rstrip() != b"---":
        return data
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() == b"---":
            break
        if _LINE.fullmatch(line):
            return b"\n".join([*lines[:number], *lines[number + 1 :]])
    return data


def _waits(path: str, data: bytes) -> bool:
    from aikb.formats.markdown.document import MarkdownDocument

    if _WORD not in data.lower():
        return False
    return MarkdownDocument(path, data).front.first("reviewed").strip().lower() == "false"


# -- how many there were when somebody looked last


def remember(state: str, root: str, number: int) -> None:
    """Keep how many notes of the vault at *root* wait.

    Raises:
        OSError: it cannot be written.
    """
    path = _file(state, root)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump({"root": os.path.realpath(root), "notes": number}, file)
    os.replace(temporary, path)


def remembered(state: str, root: str) -> int:
    """How many waited then; 0 where nobody looked, or what is kept cannot be read."""
    try:
        with open(_file(state, root), encoding="utf-8", errors="replace") as file:
            number = json.loads(file.read(1 << 16)).get("notes", 0)
    except (OSError, ValueError, AttributeError):
        return 0
    return number if isinstance(number, int) else 0


def _file(state: str, root: str) -> str:
    number = zlib.crc32(os.fsencode(os.path.realpath(root)))
    return os.path.join(state, FOLDER, f"{number:08x}.json")
