"""What a write stands on, and step 3: the store as HEAD has it, and as a change would leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import DiskError, StoreError
from aikb.model import Change, Finding, Snapshot
from aikb.tools.git_format import blob_id
from aikb.writing.files import keep_copy
from aikb.writing.journal import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from aikb.config import Settings
    from aikb.sources.base import NoteFiles
    from aikb.tools.folder import Repository
    from aikb.tools.git_format import Dirty, Status


class Ground(NamedTuple):
    """The store at the beginning of a write; git and disk are asked once.

    ``base`` are the notes as HEAD has them: those on disk, less what is not committed.  So a
    half-written file of somebody else is never in the index, and nothing can link to it.
    ``pages`` are the generated pages on disk; ``mangled`` are those of them that do not bear our
    mark any more though HEAD's do; ``foreign`` are a person's own files with such names.
    """

    head: str | None
    dirty: Mapping[str, Dirty]
    disk: Snapshot
    base: Snapshot
    pages: Mapping[str, bytes]
    mangled: tuple[str, ...]
    foreign: frozenset[str]
    index_id: str


def look(store: NoteFiles, git: Repository, status: Status | None, spare_id: str) -> Ground:
    """Read the disk, and what HEAD has where *status* says that it differs (None: no repository).

    *spare_id* becomes the index's where it has none yet.

    Raises:
        GitError, DiskError, StoreError: something cannot be read.
    """
    dirty = status.dirty if status else {}
    names = {
        path: d.at_head
        for path, d in dirty.items()
        if d.at_head and (store.is_note_path(path) or store.is_index_page(path))
    }
    at_head = dict(zip(names, git.blobs([name or "" for name in names.values()]), strict=True))
    disk = store.snapshot()
    if disk.closed:  # else its notes would leave the index, and look deleted
        folder = disk.closed[0]
        raise DiskError(f"'{folder.path}': {folder.message}", "Nothing was changed.")
    pages, others = store.index_files()
    mangled = [name for name in others if store.is_generated(name, at_head.get(name) or b"")]
    return Ground(
        status.head if status else None,
        dirty,
        disk,
        _committed(store, _without(disk, status.ignored if status else ()), dirty, at_head),
        pages | {name: store.read(name) for name in mangled},
        tuple(mangled),
        frozenset(others).difference(mangled),
        store.index_id_of(at_head) or store.index_id_of(dict(pages)) or spare_id,
    )


def _without(disk: Snapshot, ignored: tuple[str, ...]) -> Snapshot:
    """The notes but those that git ignores: they are private, and stand in no index."""
    if not ignored:
        return disk
    folders = tuple(path for path in ignored if path.endswith("/"))
    files = {
        path: notes
        for path, notes in disk.files.items()
        if path not in ignored and not path.startswith(folders)
    }
    return disk._replace(files=files)


def _committed(
    store: NoteFiles,
    disk: Snapshot,
    dirty: Mapping[str, Dirty],
    at_head: Mapping[str, bytes | None],
) -> Snapshot:
    files = dict(disk.files)
    for path in dirty:
        files.pop(path, None)
        data = at_head.get(path)
        if data is not None and store.is_note_path(path):
            files[path] = store.notes_of(path, data)
    return disk._replace(files=files)


def project(store: NoteFiles, base: Snapshot, changes: Iterable[Change]) -> Snapshot:
    """The notes as they will be."""
    files = dict(base.files)
    for change in changes:
        files.pop(change.path, None)
        if change.after is not None and store.is_note_path(change.path):
            files[change.path] = store.notes_of(change.path, change.after)
    return base._replace(files=files)


def project_index(
    store: NoteFiles, settings: Settings, ground: Ground, future: Snapshot
) -> list[Change]:
    """The index's own changes, so that notes and index are always in one commit.

    Raises:
        StoreError: a page's name is taken by a file of a person's.
    """
    index = store.build_index(future, settings)
    pages = store.render_index(index, settings, ground.index_id)
    if taken := sorted(ground.foreign & set(pages)):
        raise StoreError(
            f"'{taken[0]}' is no generated page, and ai-kb does not write over it",
            "Give that file another name; its id keeps every link to it working.",
        )
    uncommitted = {
        path for path, dirty in ground.dirty.items() if store.is_index_page(path) and dirty.at_head
    } - ground.foreign
    changes = []
    for path in sorted({*ground.pages, *pages, *uncommitted}):
        before = ground.pages.get(path)
        after = pages[path].encode() if path in pages else None
        if before != after or path in ground.dirty:
            changes.append(Change(path, before, after))
    return changes


def is_held(ground: Ground, change: Change) -> bool:
    """Whether HEAD has a file as the change would leave it, so that nothing is to be committed."""
    dirty = ground.dirty.get(change.path)
    if dirty is None:
        return change.before == change.after
    if change.after is None:
        return dirty.at_head is None
    return dirty.at_head == blob_id(change.after, sha256=len(ground.head or "") == 64)


def keep_edited(root: str, ground: Ground, pages: Iterable[Change]) -> list[Finding]:
    """Put by what somebody wrote over generated pages, or into them, before they are written anew.

    What is, byte for byte, a page as HEAD has it is none of that.
    """
    findings = []
    for page in pages:
        dirty, before = ground.dirty.get(page.path), page.before or b""
        if dirty is None or not before.strip() or before == page.after:
            continue
        if dirty.at_head != blob_id(before, sha256=len(ground.head or "") == 64):
            place = keep_copy(root, FOLDER, page.path, before)
            message = f"this page is generated anew; what stood in its place is kept in {place}"
            findings.append(Finding(page.path, 1, "warning", "page-replaced", message))
    return findings
