"""What the writing commands want changed in a vault, decided under the lock from its notes as they are."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from typing import TYPE_CHECKING

from aikb.config import SETTINGS_FILE, read_settings
from aikb.errors import ConfigError, DiskError, NoteCoveredError, NoteNotFoundError, UsageError
from aikb.formats.markdown.notes import id_of, name_of
from aikb.formats.markdown.write import TYPES
from aikb.links.names import Names
from aikb.model import Change, Finding
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal
from aikb.writing.vault_guard import body_of, near_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from aikb.model import Draft, Note, Snapshot
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.writing.ground import Ground
    from aikb.writing.guard import Near

_LONGEST_SLUG = 60
_NO_NAME = re.compile(r"[^\w]+")
_TAG = re.compile(r"[^\s#,;:.!?\"'()\[\]{}|<>\\@&*%^$+=~`\x00-\x1f]+")
_PROJECT = re.compile(r"\w[\w.+-]*")
_LEAVING = re.compile(r"~$|^#.*#$|\.(?:tmp|swp|swo|orig|rej|part|crdownload)$")
_LARGEST = 50 << 20
_MANY = 10  # so many notes gone at once, and a fifth of all: that is no tidying up


# -- new


def slug_of(title: str) -> str:
    """A file name's part from a title: letters of any script and digits, with hyphens between."""
    words = _NO_NAME.sub("-", unicodedata.normalize("NFC", title).lower().replace("_", " ")).strip(
        "-"
    )
    slug = words
    while len(slug) > _LONGEST_SLUG or len(slug.encode()) > 3 * _LONGEST_SLUG:
        slug = slug.rpartition("-")[0] or slug[: _LONGEST_SLUG // 2]
    return slug or "note"


def check_draft(draft: Draft, further: Collection[str] = ()) -> None:
    """Refuse values that no note may have, before anything else is done.

    *further* are types that the note's projects have of their own.

    Raises:
        UsageError: with the value and what may stand there.
    """
    if not draft.title.strip() or not draft.title.isprintable():
        raise UsageError("a title is one line of visible characters")
    if draft.type not in TYPES and draft.type not in further:
        raise UsageError(
            f"'{draft.type}' is no type of a note",
            f"Types are: {', '.join((*TYPES, *further))}. One that a project has of its own stands "
            "under `produces:` in its note.",
        )
    for tag in draft.tags:
        if not _TAG.fullmatch(tag) or tag.replace("/", "").isdecimal() or "" in tag.split("/"):
            raise UsageError(
                f"'{tag}' is no tag", "Letters, digits, - _ and / for nesting, not digits alone."
            )
    for project in draft.projects:
        if not _PROJECT.fullmatch(project):
            raise UsageError(f"'{project}' is no project's name: letters, digits, - . and _ only")
    if not draft.tags and draft.type != "project":
        raise UsageError(
            "a note without a tag is found by nobody", "Give at least one: --tags a,b."
        )


def propose_new(
    vault: MarkdownVault,
    snapshot: Snapshot,
    draft: Draft,
    today: str,
    related: Sequence[str] = (),
    *,
    path: str = "",
    further: Collection[str] = (),
) -> tuple[Proposal, str, list[Near]]:
    """A new note by its type's template; returns the proposal, the note's path, and what is near it.

    *related* names notes that it is to link to, and that may say nearly the same.  Without *path* the
    file is ``TYPE/slug-of-the-title.md``.  *further*: as in :func:`check_draft`.

    Raises:
        UsageError: the draft has something that no note may have.
        NoteCoveredError: the vault says this already.
        NoteNotFoundError: a related note is none.
    """
    check_draft(draft, further)
    named = [find_related(snapshot, name) for name in related]
    near = [n for n in near_notes(draft, snapshot.notes, reader(vault)) if n.note not in named]
    if covered := [n.note for n in near if n.likeness.is_duplicate]:
        raise NoteCoveredError(covered)
    names = Names(snapshot.files)
    path = path or free_path(vault.root, f"{draft.type}/{slug_of(draft.title)}")
    body = _with_links(draft.body, named, names)
    text = vault.render_note(draft._replace(body=body), id_of(path), today)
    return Proposal((Change(path, None, text.encode()),), f"new: {draft.title}"), path, near


def reader(vault: MarkdownVault) -> Callable[[Note], str]:
    """What gives a note's body, or nothing where it is gone since the snapshot."""

    def read(note: Note) -> str:
        try:
            return body_of(note.path, vault.read(note.path))
        except (NoteNotFoundError, DiskError):
            return ""

    return read


def find_related(snapshot: Snapshot, name: str) -> Note:
    """The note that a path or name means.

    Raises:
        NoteNotFoundError: there is none.
    """
    path = Names(snapshot.files).resolve(name.removeprefix("[[").removesuffix("]]"))
    if path is None:
        raise NoteNotFoundError(name)
    return snapshot.files[path][0]


def free_path(root: str, base: str) -> str:
    """``base.md``, or with a number where a file of that name is."""
    number, path = 1, f"{base}.md"
    while os.path.lexists(os.path.join(root, path)):
        number += 1
        path = f"{base}-{number}.md"
    return path


def link_to(note: Note, names: Names) -> str:
    """A wikilink that leads to a note: by its name where no other note has it, else by its path."""
    name = name_of(note.path)
    target = (
        name
        if len(names.candidates(name)) == 1 and not set("#^|[]") & set(name)
        else id_of(note.path)
    )
    title = " ".join(note.title.translate({ord(c): " " for c in "[]|"}).split())
    return f"[[{target}]]" if title == target else f"[[{target}|{title}]]"


def _with_links(body: str, named: Iterable[Note], names: Names) -> str:
    links = [link_to(note, names) for note in dict.fromkeys(named)]
    missing = [link for link in links if link.partition("|")[0].removesuffix("]]") not in body]
    if not missing:
        return body
    before = body.rstrip("\n") + "\n\n" if body.strip() else ""
    return f"{before}Related: {', '.join(missing)}.\n"


# -- commit


def propose_commit(
    vault: MarkdownVault, ground: Ground, paths: Sequence[str], message: str | None = None
) -> Proposal:
    """The files that somebody wrote with other programs, as they are on disk.

    *paths* limits it to these files and folders.  What has errors is left out by the write path and
    named.  Without history (a folder without git) only the named files are looked at.

    Raises:
        UsageError: one of the paths is not there, or is nothing that the vault keeps.
    """
    dirty = [p for p in sorted(ground.dirty) if may_commit(vault, p)]
    known = dirty if ground.dirty or ground.head else _of_folder(ground, paths)
    wanted = [p for p in known if not paths or _among(p, paths)]
    left = [] if paths else _mass_loss(ground, vault.root, wanted)
    for path in paths:
        _check_named(vault, path, wanted, ground)
    findings = [
        Finding(
            path, 1, "warning", "gone",
            f"this is gone from disk with {len(left) - 1} more and stays in the vault's history and index; "
            f"`ai-kb vault commit {path}` takes it out",
        )
        for path in left
    ]  # fmt: skip
    changes = []
    for path in wanted:
        if path not in left:
            change, said = _as_it_is(vault.root, path)
            changes.append(change)
            findings += said
    return Proposal(tuple(changes), message or "", tuple(findings), keep_good=True)


def may_commit(vault: MarkdownVault, path: str) -> bool:
    """Notes and what they show; never hidden files, what editors leave, or the generated index."""
    if path in {".gitattributes", ".gitignore", SETTINGS_FILE}:
        return True
    names = path.split("/")
    if path.endswith("/") or vault.is_index_page(path) or "node_modules" in names:
        return False
    return not any(name.startswith(".") or _LEAVING.search(name) for name in names)


def _of_folder(ground: Ground, paths: Sequence[str]) -> list[str]:
    return [path for path in sorted(ground.disk.files) if paths and _among(path, paths)]


def _as_it_is(root: str, path: str) -> tuple[Change, list[Finding]]:
    why, data = "", None
    try:
        if not path.isprintable():  # which a surrogate, that stands for no UTF-8, is not either
            why = "the name is not UTF-8, or has a character that cannot be seen; rename the file"
        elif os.path.islink(os.path.join(root, path)):
            why = "a link is not read; copy the file itself"
        else:
            data = read_or_none(root, path, most=_LARGEST)
    except DiskError as error:
        why = error.message
    if why:
        return Change(path, None, None), [Finding(path, 1, "error", "unreadable", why)]
    findings = []
    if data is not None and len(data) > _LARGEST:
        why = "hosts refuse such files at every later push; keep it outside of the vault"
        findings.append(
            Finding(path, 1, "error", "file-too-large", f"more than {_LARGEST:,} bytes: {why}")
        )
    if path == SETTINGS_FILE and data is not None:
        try:
            read_settings(data.decode("utf-8", "replace"))
        except ConfigError as error:
            findings.append(Finding(path, 1, "error", "bad-settings", error.message))
    return Change(path, data, data), findings


def _mass_loss(ground: Ground, root: str, wanted: Collection[str]) -> list[str]:
    """Notes that are gone from disk, if they are so many that something else than tidying did it.

    A note that only went to another folder or name is none of them.
    """
    here = {note[5:] for path in wanted for note in ground.disk.files.get(path, ())}
    gone = [
        path
        for path in wanted
        if path in ground.base.files
        and not os.path.lexists(os.path.join(root, path))
        and not any(note[5:] in here for note in ground.base.files[path])
    ]
    return gone if len(gone) > _MANY and 5 * len(gone) > len(ground.base.files) else []


def _check_named(vault: MarkdownVault, path: str, wanted: Collection[str], ground: Ground) -> None:
    if any(_among(w, [path]) for w in wanted):
        return
    if not os.path.lexists(os.path.join(vault.root, path)):
        raise UsageError(f"there is no file '{path}' in the vault")
    if path in ground.dirty and not may_commit(vault, path):
        raise UsageError(
            f"'{path}' is not committed by ai-kb",
            "Notes and what they show are; vault-index.json is by `ai-kb vault index`.",
        )


def _among(path: str, wanted: Iterable[str]) -> bool:
    return any(path == w or path.startswith(w.rstrip("/") + "/") or w in {"", "."} for w in wanted)


def named_inside(root: str, names: Iterable[str]) -> Iterator[str]:
    """Paths given from any directory as ones relative to the vault.

    Raises:
        UsageError: one leads out of it.
    """
    real_root = os.path.realpath(root)
    for name in names:
        inside = os.path.join(real_root, name)
        beside = os.path.abspath(name)
        place = inside if os.path.lexists(inside) or not os.path.lexists(beside) else beside
        if os.path.isabs(name):
            place = name
        real = os.path.join(
            os.path.realpath(os.path.dirname(place) or "/"), posixpath.basename(place)
        )
        real = os.path.normpath(real)
        if real != real_root and not real.startswith(real_root.rstrip("/") + "/"):
            raise UsageError(f"'{name}' is not in the vault '{root}'")
        yield os.path.relpath(real, real_root)
