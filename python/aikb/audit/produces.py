"""Phase 4: what is so in one project alone, for its note's ``produces:``, told at the next start."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.audit.flags import Flag
from aikb.errors import StoreError
from aikb.formats.project_note import (
    FOLDER,
    ProjectNote,
    common_type,
    read_project,
    render_project,
    with_items,
)
from aikb.model import Change
from aikb.writing.files import read_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.audit.candidate import Exceptional
    from aikb.audit.review import Vault

_NAME = re.compile(r"[^\W_][\w/-]*")


def proposed(
    found: Iterable[Exceptional], note: ProjectNote | None, path: str, project: str
) -> Iterable[Flag]:
    """Flags for exceptions that the project's note does not have yet."""
    known = {item.casefold() for item in note.produces} if note else set()
    heads = {item.partition(":")[0].strip().casefold() for item in known}
    for one in found:
        if not _NAME.fullmatch(one.name) or not one.reason:
            continue
        line = line_of(one)
        head = line.partition(":")[0].casefold()
        if line.casefold() not in known and head not in heads:
            yield Flag("produces", path, "", one.reason, new=line, project=project)


def line_of(one: Exceptional) -> str:
    """An exception as it stands in the note."""
    return f"{one.name}: {one.reason}" if one.kind == "type" else f"#{one.name}: {one.reason}"


def types(note: ProjectNote | None) -> tuple[str, ...]:
    """The types of notes that a project has of its own."""
    heads = [item.partition(":")[0].strip() for item in note.produces] if note else []
    return tuple(head for head in heads if _NAME.fullmatch(head) and not common_type(head))


def note_path(name: str) -> str:
    """Where a project's note stands."""
    return f"{FOLDER}/{name}.md"


def added(vault: Vault, flag: Flag, today: str) -> Change:
    """The project's note with the line that a flag proposes; a new note where there is none.

    Raises:
        StoreError: it cannot be put there.
    """
    if name := common_type(flag.new):
        raise StoreError(f"'{name}' is a type that every project has", "Reject the flag.")
    before = read_or_none(vault.root, flag.path)
    if before is None:
        note = ProjectNote(flag.project or flag.path.rpartition("/")[2].removesuffix(".md"))
        after = render_project(note._replace(produces=(flag.new,)), today)
        return Change(flag.path, None, after.encode())
    try:
        text = before.decode()
    except UnicodeDecodeError:
        raise StoreError(f"'{flag.path}' is not UTF-8", "Save it as UTF-8 first.") from None
    eol = "\r\n" if "\r\n" in text else "\n"
    after = with_items(text.replace("\r\n", "\n"), "produces", [flag.new]).replace("\n", eol)
    if flag.new not in read_project(after, flag.project).produces:
        raise StoreError(f"'{flag.path}' has no place for it", "Add it to `produces:` by hand.")
    return Change(flag.path, before, after.encode())
