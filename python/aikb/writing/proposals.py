"""What the writing commands want changed, decided under the lock from the notes as they are."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE
from aikb.errors import DiskError, StoreError, UsageError
from aikb.formats.counted import counted
from aikb.formats.lookalike import mixed_word, skeleton
from aikb.formats.org.document import Document
from aikb.formats.org.nodes import read_nodes
from aikb.formats.org.write import Edit
from aikb.formats.slug import slugify
from aikb.links.expand import expand_short_ids
from aikb.links.graph import resolve
from aikb.model import Change, Finding, Snapshot
from aikb.sources.org_index import is_index_page, is_note_path
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aikb.model import Draft, Note
    from aikb.sources.org_store import OrgStore
    from aikb.writing.ground import Ground

_TAG = re.compile(r"[\w@#%]+")
_PROJECT = re.compile(r"\w[\w.+-]*")
_SLUG = re.compile(r"[\w][\w.-]*")
_LEAVING = re.compile(r"^\.|^#.*#$|~$|\.(?:tmp|swp|swo|orig|rej|part)$")
_LARGEST = 50 << 20


class EditRequest(NamedTuple):
    """What ``ai-kb edit`` was told to change; None and empty: leave as it is."""

    title: str | None = None
    body: str | None = None
    append: str | None = None
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    add_projects: tuple[str, ...] = ()
    remove_projects: tuple[str, ...] = ()
    source: str | None = None
    status: str | None = None
    reason: str | None = None  # why; kept in the history


def check_words(
    *,
    title: str | None = None,
    tags: Iterable[str] = (),
    projects: Iterable[str] = (),
    slug: str = "",
) -> None:
    """Refuse values that no node may have, before anything else is done.

    Raises:
        UsageError: with the value and what may stand there.
    """
    if title is not None and (not title.strip() or not title.isprintable()):
        raise UsageError("a title is one line of visible characters")
    for tag in tags:
        if not _TAG.fullmatch(tag):
            hint = re.sub(r"[^\w@#%]+", "_", tag).strip("_")
            raise UsageError(
                f"'{tag}' is no tag: letters, digits and _ @ # % only",
                f"Use '{hint}'." if hint else None,
            )
    for project in projects:
        if not _PROJECT.fullmatch(project):
            raise UsageError(f"'{project}' is no project slug: letters, digits, - and _ only")
    if slug and not _SLUG.fullmatch(slug.removesuffix(".org")):
        raise UsageError(f"'{slug}' is no file name: letters, digits, - and _ only")
    if word := mixed_word(slug):
        raise UsageError(
            f"'{word}' mixes letters that look alike", f"Use '{skeleton(word)}', or one script."
        )


def propose_new(
    store: OrgStore, snapshot: Snapshot, draft: Draft, note_id: str, stamp: str
) -> tuple[Proposal, str]:
    """A new node; returns the proposal and the node's path.

    *stamp* is ``YYYYMMDDHHMMSS``.  With a slug the file is ``slug.org``, the design's form for
    stable nodes that are often linked; without one it is ``YYYYMMDDHHMMSS-title.org``.
    """
    today = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}"
    path = _free_path(store, draft, stamp, snapshot.files)
    body = new_text(draft.body, snapshot)
    title = expand_short_ids(draft.title, snapshot.notes, words=True)
    text = store.render_note(draft._replace(body=body, title=title), note_id, today)
    findings = []
    same = [n for n in snapshot.notes if skeleton(n.title) == skeleton(draft.title)]
    if same:
        findings.append(
            Finding(
                path,
                9,
                "warning",
                "same-title",
                f"{same[0].id[:8]} ({same[0].path}) has this title too, or one that looks like it; is "
                "it the same thing?",
            )
        )
    change = Change(path, None, text.encode())
    return Proposal((change,), f"new: {draft.title}", tuple(findings)), path


def _free_path(store: OrgStore, draft: Draft, stamp: str, taken: Iterable[str]) -> str:
    if draft.slug:
        path = draft.slug.removesuffix(".org") + ".org"
        if is_index_page(path):
            raise UsageError(f"'{path}' is a generated page's name", "Choose another --slug.")
        twin = next((p for p in taken if skeleton(p) == skeleton(path)), "")
        if twin or read_or_none(store.root, path) is not None:
            raise StoreError(
                f"'{twin or path}' exists already", "Edit that node, or choose another --slug."
            )
        return path
    base = f"{stamp}-{slugify(draft.title)}"
    number = 1
    path = f"{base}.org"
    while read_or_none(store.root, path) is not None:
        number += 1
        path = f"{base}-{number}.org"
    return path


def propose_edit(
    store: OrgStore, snapshot: Snapshot, name: str, request: EditRequest, today: str, who: str = ""
) -> tuple[Proposal, Note]:
    """Changes to one node; every byte that is not named stays.  *who* gives the reason, if any."""
    note = resolve(name, snapshot.notes)
    before = store.read(note.path)
    document = Document(note.path, before)
    node = next(node for node in document.nodes if node.id == note.id)
    edit = Edit(document.text, node)
    _apply(edit, request, snapshot)
    if edit.text == document.text:
        return Proposal((), ""), note
    edit.set_property("UPDATED", today)
    asked = request._replace(reason=None)._asdict()
    what = ", ".join(name.replace("_", " ") for name, value in asked.items() if value)
    message = f"edit: {request.title or note.title} ({what})"
    if request.reason:
        edit.log(f"Changed ({what}) [{today}] by {who}: {request.reason}")
        message += f"\n\nReason: {request.reason}"
    text = expand_short_ids(edit.text, snapshot.notes)
    lost = {node.id for node in document.nodes} - {node.id for node in read_nodes(text)}
    if lost:
        raise StoreError(
            f"this would remove {counted(len(lost), 'node')} below '{note.title}': {', '.join(sorted(lost))}",
            "Give their headings in the new body too, with their drawers.",
        )
    return Proposal((Change(note.path, before, encoded(document, text)),), message), note


def encoded(document: Document, text: str) -> bytes:
    """A document's new text with the line ends and the mark that it had."""
    if document.decoded.eol == "crlf":
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if document.decoded.bom else b"") + text.encode()


def new_text(text: str, snapshot: Snapshot) -> str:
    """Words that somebody adds, with their links written out."""
    return expand_short_ids(text.replace("\r\n", "\n"), snapshot.notes, words=True)


def _apply(edit: Edit, request: EditRequest, snapshot: Snapshot) -> None:
    if request.title is not None:
        edit.set_title(expand_short_ids(request.title, snapshot.notes, words=True))
    if request.add_tags or request.remove_tags:
        edit.change_tags(request.add_tags, request.remove_tags)
    if request.add_projects or request.remove_projects:
        edit.change_projects(request.add_projects, request.remove_projects)
    if request.source is not None:
        edit.set_property("SOURCE", request.source)
    if request.status is not None:
        edit.set_property("STATUS", request.status)
    if request.body is not None:
        edit.replace_body(new_text(request.body, snapshot))
    if request.append is not None:
        edit.append(new_text(request.append, snapshot))


def propose_commit(
    store: OrgStore, ground: Ground, paths: Sequence[str], message: str | None
) -> Proposal:
    """The files that somebody wrote by other means, as they are on disk, short ids written out.

    *paths* limits it to these files and folders.

    Raises:
        UsageError: one of them is not there, or is nothing that ai-kb keeps.
    """
    wanted = [p for p in sorted(ground.dirty) if may_commit(p) and (not paths or _among(p, paths))]
    left = [] if paths else _unnamed_losses(store, ground, wanted)
    wanted = [p for p in wanted if p not in left]
    for path in paths:
        _check_named(store.root, path, wanted, ground)
    changes: list[Change] = []
    findings = [
        Finding(
            path, 1, "warning", "gone",
            f"this is gone from disk and stays in the store; `ai-kb commit {path}` takes it out",
        )
        for path in left
    ]  # fmt: skip
    for path in wanted:
        try:
            change = _as_it_is(store, ground, path)
        except (DiskError, UnicodeError) as error:
            message_ = str(error) if isinstance(error, DiskError) else "the name is not UTF-8"
            findings.append(Finding(path, 1, "error", "unreadable", message_))
            change = Change(path, None, None)
        if change.after is not None and len(change.after) > _LARGEST:
            findings.append(
                Finding(
                    path, 1, "error", "file-too-large",
                    f"{len(change.after):,} bytes: hosts refuse such files at every later push; "
                    "keep it outside the store",
                )
            )  # fmt: skip
        changes.append(change)
    return Proposal(tuple(changes), message or "", tuple(findings), keep_good=True)


def _as_it_is(store: OrgStore, ground: Ground, path: str) -> Change:
    if not path.isprintable():
        path.encode()
        raise DiskError(f"'{path!r}' is no file name for the store", "Rename it.")
    before = after = read_or_none(store.root, path)
    if is_note_path(path) and before is not None:
        document = Document(path, before)
        if document.decoded.problem is None and document.decoded.eol == "lf":
            text = expand_short_ids(document.text, ground.disk.notes)
            after = before if text == document.text else text.encode()
    return Change(path, before, after)


def _unnamed_losses(store: OrgStore, ground: Ground, wanted: Sequence[str]) -> list[str]:
    """Notes that are gone from disk, but for those that only moved to another file.

    They are taken out only when they are named: a stray rm is no wish.
    """
    gone = [p for p in wanted if not os.path.lexists(os.path.join(store.root, p))]
    here = {n.id for p in wanted if p not in gone for n in ground.disk.files.get(p, ())}
    return [
        path
        for path in gone
        if (ids := {note.id for note in ground.base.files.get(path, ())}) and not ids <= here
    ]


def may_commit(path: str) -> bool:
    """Notes, captures and the store's own settings; never what editors leave, nor hidden files."""
    if path in {".gitattributes", ".gitignore"}:
        return True
    if path.endswith("/") or any(_LEAVING.search(name) for name in path.split("/")):
        return False
    return path == SETTINGS_FILE or path.startswith("raw/") or is_note_path(path)


def _check_named(root: str, path: str, wanted: Sequence[str], ground: Ground) -> None:
    if any(_among(w, [path]) for w in wanted):
        return
    place = os.path.join(root, path)
    if not os.path.lexists(place):
        raise UsageError(f"there is no file '{path}' in the store")
    if path in ground.dirty and not os.path.isdir(place):
        raise UsageError(
            f"'{path}' is not committed by ai-kb",
            "Notes (*.org), raw/ and ai-kb.toml are; generated pages are by `ai-kb index`.",
        )


def _among(path: str, wanted: Sequence[str]) -> bool:
    return any(path == w or path.startswith(w.rstrip("/") + "/") or w in {"", "."} for w in wanted)
