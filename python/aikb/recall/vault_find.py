"""``ai-kb vault find``: notes of a vault by their tags, in notes or in the text of ``vault-index.json``."""

from __future__ import annotations

import difflib
import json
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from aikb.model import Note

_NEAR = 5


class Entry(NamedTuple):
    """A note as the index has it, and its source where the note itself was read."""

    path: str
    title: str
    summary: str
    source: str = ""


class Found(NamedTuple):
    """What was found, and for each tag that no note has, tags that are spelled nearly so."""

    entries: list[Entry]
    unknown: dict[str, list[str]]


def find(sections: Mapping[str, Iterable[Entry]], wanted: Sequence[str], *, any_of: bool) -> Found:
    """Entries that have all of the *wanted* tags, or with *any_of* one of them; by title, each once.

    A tag finds itself and what is nested below it, whatever the letters' case.
    """
    by_tag: dict[str, list[str]] = {}
    for tag in sections:
        by_tag.setdefault(fold(tag), []).append(tag)
    sets: list[dict[str, Entry]] = []
    unknown: dict[str, list[str]] = {}
    for name in wanted:
        key = fold(name)
        tags = [t for k, ts in by_tag.items() if k == key or k.startswith(key + "/") for t in ts]
        if not tags:
            unknown[name] = _near(key, by_tag)
        sets.append({entry.path: entry for tag in tags for entry in sections[tag]})
    paths: set[str] = set()
    if sets:
        paths = set().union(*sets) if any_of else set(sets[0]).intersection(*sets)
    every = {path: entry for one in sets for path, entry in one.items()}
    return Found(sorted((every[path] for path in paths), key=_by_title), unknown)


def by_tag_of_notes(notes: Iterable[Note]) -> dict[str, list[Entry]]:
    """The sections of an index, made of notes; superseded ones are left out, as there."""
    sections: dict[str, list[Entry]] = {}
    for note in notes:
        if note.status != "superseded":
            entry = Entry(note.path, note.title, note.summary, note.source)
            for tag in note.tags:
                sections.setdefault(tag, []).append(entry)
    return sections


def by_tag_of_index(data: bytes) -> dict[str, list[Entry]] | None:
    """The sections in the bytes of a ``vault-index.json``; None: it is none, or damaged."""
    try:
        sections = {
            tag: [Entry(e["path"], e["title"], e["summary"]) for e in entries]
            for tag, entries in json.loads(data).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if all(isinstance(field, str) for es in sections.values() for e in es for field in e):
        return sections
    return None


def fold(tag: str) -> str:
    """A tag as it is compared."""
    return "-".join(
        unicodedata.normalize("NFC", tag).strip().lstrip("#").strip("/").casefold().split()
    )


def _near(key: str, known: Mapping[str, Sequence[str]]) -> list[str]:
    """Tags spelled nearly so, as notes spell them: the nearest first, also by a part of a nested one."""
    parts: dict[str, list[str]] = {}
    for folded, spelled in known.items():
        for part in {folded, *folded.split("/")}:
            parts.setdefault(part, []).append(spelled[0])
    close = difflib.get_close_matches(key, parts, n=_NEAR, cutoff=0.6)
    close += sorted(
        part for part in parts if len(key) > 2 and (key in part or (part in key and len(part) > 2))
    )
    return list(dict.fromkeys(tag for part in close for tag in parts[part]))[:_NEAR]


def _by_title(entry: Entry) -> tuple[str, str]:
    return entry.title.casefold(), entry.path
