"""Flags: what waits for a person's word, a JSON file each in the vault's ``_review/``, never in a note.

The index does not see them, because they are no Markdown.  What was decided moves to
``_review/closed/``, so that the same is not asked twice.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "_review"
CLOSED = f"{FOLDER}/closed"
KINDS = ("update", "ambiguous", "produces")
_NAME = re.compile(r"[0-9a-f]{10}")
_LARGEST = 1 << 18


class Flag(NamedTuple):
    """What waits: ``path`` is the note's, ``digest`` the hash of its bytes when it was flagged.

    An ``update`` puts ``new`` in the place of ``old``; ``produces`` adds the line ``new`` to a project's
    note; an ``ambiguous`` one proposes nothing.
    """

    kind: str
    path: str
    digest: str
    reason: str
    old: str = ""
    new: str = ""
    project: str = ""
    session: str = ""
    flagged: str = ""

    @property
    def id(self) -> str:
        """The same for the same question, whoever asks it again."""
        asked = {
            "update": (self.old, self.new),
            "ambiguous": (self.digest,),
            "produces": (self.new,),
        }
        text = "\0".join((self.kind, self.path, *asked.get(self.kind, ())))
        import hashlib  # late: a session's start only counts

        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:10]

    @property
    def file(self) -> str:
        """Where it stands in the vault."""
        return f"{FOLDER}/{self.id}.json"


def render(flag: Flag, **decision: str) -> bytes:
    """A flag's file; *decision* is what became of it."""
    values = {name: value for name, value in flag._asdict().items() if value}
    text = json.dumps({**values, **decision}, ensure_ascii=False, indent=2)
    return (text + "\n").encode("utf-8", "replace")


def waiting(root: str) -> tuple[list[Flag], list[Finding]]:
    """The flags that wait in a vault, and findings about files there that are none."""
    flags, findings = [], []
    for name, path in _files(root, FOLDER):
        flag = read_flag(path)
        if isinstance(flag, str) or flag.id != name:
            why = flag if isinstance(flag, str) else "its name is not the one that its words give"
            findings.append(
                Finding(f"{FOLDER}/{name}.json", 1, "warning", "bad-flag", f"{why}; take it away")
            )
        else:
            flags.append(flag)
    return sorted(flags, key=lambda flag: (flag.flagged, flag.path, flag.id)), findings


def count(root: str) -> int:
    """How many flags wait; no file is read."""
    return len(list(_files(root, FOLDER)))


def closed(root: str) -> set[str]:
    """The ids of what was decided."""
    return {name for name, _ in _files(root, CLOSED)}


def _files(root: str, folder: str) -> Iterator[tuple[str, str]]:
    try:
        names = sorted(os.listdir(os.path.join(root, folder)))
    except OSError:
        return
    for name in names:
        stem, dot, suffix = name.partition(".")
        if dot and suffix == "json" and _NAME.fullmatch(stem):
            yield stem, os.path.join(root, folder, name)


def read_flag(path: str) -> Flag | str:
    """A flag from its file, or why it is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            values: Any = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return "this cannot be read as a flag"
    if not isinstance(values, dict):
        return "this is no flag"
    texts = {name: values.get(name, "") for name in Flag._fields}
    if not all(isinstance(text, str) for text in texts.values()):
        return "this is no flag"
    flag = Flag(**texts)
    if flag.kind not in KINDS or not is_inside(flag.path):
        return "this names no note"
    if flag.kind == "produces" and not flag.path.startswith("project/"):
        return "this names no project's note"
    return flag


def is_inside(path: str) -> bool:
    """Whether a path is one of a note below the vault's root."""
    parts = path.split("/")
    return path.isprintable() and path.endswith(".md") and not any(
        part in {"", ".", ".."} or part.startswith(".") for part in parts
    )  # fmt: skip


Decision = Literal["applied", "rejected"]
