"""``ai-kb vault recall``: which note a person or an agent means by a path, a link, a name or a title."""

from __future__ import annotations

import difflib
import os
import unicodedata
from typing import TYPE_CHECKING

from aikb.errors import AmbiguousNoteError, NoteNotFoundError, UsageError
from aikb.formats.markdown.notes import name_of
from aikb.links.names import Names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aikb.model import Note, Snapshot

_NEAR = 5


def recall(
    root: str, snapshot: Snapshot, name: str, aliases: Callable[[Note], Iterable[str]]
) -> Note:
    """The note that *name* means.

    *aliases* gives the other names that a note gives itself; it is asked only where nothing else fits.

    Raises:
        UsageError: the name leads out of the vault.
        NoteNotFoundError: nothing goes by it; the error has names that are near.
        AmbiguousNoteError: several notes do.
    """
    wanted = _bare(name)
    path = _path_inside(root, wanted)
    for exact in (path, f"{path}.md"):
        if exact in snapshot.files:
            return snapshot.files[exact][0]
    notes = snapshot.notes
    folded = _fold(wanted)
    by_title = [note for note in notes if _fold(note.title) == folded]
    for found in (Names(snapshot.files).candidates(path or wanted), [n.path for n in by_title]):
        if found:
            return snapshot.files[_only(name, found)][0]
    called = [n.path for n in notes if folded in {_fold(alias) for alias in aliases(n)}]
    if called:
        return snapshot.files[_only(name, called)][0]
    raise NoteNotFoundError(name, _near(wanted, notes))


def _bare(name: str) -> str:
    """A link's or path's name without brackets, alias, heading and block."""
    name = name.strip()
    if name.startswith(("[[", "![[")) and name.endswith("]]"):
        name = name.lstrip("!")[2:-2].partition("|")[0].partition("#")[0].partition("^")[0]
    return name.strip()


def _path_inside(root: str, name: str) -> str:
    """A path relative to the vault, of a file that need not be there.

    Raises:
        UsageError: it leads out of the vault.
    """
    real_root = os.path.realpath(root)
    place = os.path.normpath(os.path.join(real_root, name))
    if os.path.isabs(name):
        place = os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))
    if place == real_root or not place.startswith(real_root.rstrip("/") + "/"):
        raise UsageError(
            f"'{name}' is not in the vault '{root}'",
            "Give a path below the vault, or a note's name.",
        )
    return os.path.relpath(place, real_root)


def _only(name: str, paths: list[str]) -> str:
    if len(set(paths)) > 1:
        raise AmbiguousNoteError(name, paths)
    return paths[0]


def _near(name: str, notes: Iterable[Note]) -> list[str]:
    """Paths of notes whose name or title is spelled nearly so."""
    known: dict[str, str] = {}
    for note in notes:
        for word in (note.title, name_of(note.path), note.id):
            known.setdefault(_fold(word), note.path)
    key = _fold(name.removesuffix(".md"))
    close = difflib.get_close_matches(key, known, n=_NEAR, cutoff=0.6)
    close += sorted(word for word in known if len(key) > 2 and key in word)
    return list(dict.fromkeys(known[word] for word in close))[:_NEAR]


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
