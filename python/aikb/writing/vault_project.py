"""What is to change when a project's note is made or edited (plan, Phase 2, open question 3, option c)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import StoreError, UsageError
from aikb.formats.project_note import (
    FOLDER,
    LONGEST_ITEM,
    LONGEST_SENTENCE,
    TAG,
    ProjectNote,
    clean_name,
    common_type,
    read_project,
    render_project,
    with_description,
    with_items,
)
from aikb.model import Change
from aikb.rules.orders import reads_like_order
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterable

_BOM = "\ufeff"


class ProjectEdit(NamedTuple):
    """What shall become of a project's note; None and empty: stays."""

    description: str | None = None
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    add_produces: tuple[str, ...] = ()
    remove_produces: tuple[str, ...] = ()


def check_name(name: str) -> None:
    """Refuse a name that no file of the vault may have.

    Raises:
        UsageError: with one that it may have.
    """
    if clean_name(name) != name or not name:
        hint = clean_name(name)
        raise UsageError(
            f"'{name}' is no project's name: letters, digits and _ . - only",
            f"Use '{hint}'." if hint else None,
        )


def check_words(edit: ProjectEdit) -> None:
    """Refuse values that would not be read again, or not be told.

    Raises:
        UsageError: with the value and what may stand there.
    """
    if edit.description is not None:
        _check_line("the description", edit.description, LONGEST_SENTENCE)
    for tag in edit.add_tags:
        if not TAG.fullmatch(tag):
            raise UsageError(f"'{tag}' is no tag: letters, digits, _ - and / only")
    for item in edit.add_produces:
        _check_line("what a project produces", item, LONGEST_ITEM)
        if name := common_type(item):
            raise UsageError(
                f"'{name}' is a type that every project has", "`produces:` has those of its own."
            )


def _check_line(what: str, value: str, most: int) -> None:
    if not value.strip() or not value.isprintable() or value != value.strip():
        raise UsageError(f"{what} is one line of visible characters")
    if len(value) > most:
        raise UsageError(
            f"{what} has {len(value)} characters; at most {most} are told to a session"
        )
    if reads_like_order(value):
        raise UsageError(
            f"{what} reads like an order to the agent, and would not be told",
            "Say what the project is, not what somebody has to do.",
        )


def propose_create(root: str, name: str, edit: ProjectEdit, today: str) -> Proposal:
    """A new project note.

    Raises:
        UsageError: it has no description.
        StoreError: there is one already.
    """
    path = f"{FOLDER}/{name}.md"
    if edit.description is None:
        raise UsageError("a new project note needs a sentence", "Give --description.")
    if read_or_none(root, path) is not None:
        raise StoreError(f"'{path}' exists already", "Change it with --edit.")
    note = ProjectNote(name, edit.description, _unique(edit.add_tags), _unique(edit.add_produces))
    text = render_project(note, today)
    if read_project(text, name) != note:
        raise _unreadable(note, read_project(text, name))
    return Proposal((Change(path, None, text.encode()),), f"project: {name}")


def propose_edit(root: str, path: str, edit: ProjectEdit) -> Proposal:
    """The same note with other words; every byte that is not named stays.

    Raises:
        StoreError: it is gone, is not UTF-8, or lacks what shall be taken out.
        UsageError: what was given would not be read again.
    """
    before = read_or_none(root, path)
    if before is None:
        raise StoreError(f"'{path}' is gone", "Run the same command with --create.")
    try:
        text = before.decode()
    except UnicodeDecodeError as error:
        line = before.count(b"\n", 0, error.start) + 1
        raise StoreError(
            f"'{path}' is not UTF-8 (line {line})", "Convert it first, for example with iconv."
        ) from None
    name = path.rpartition("/")[2].removesuffix(".md")
    _check_there(read_project(text, name), edit, path)
    after = edited(text, edit)
    _check_taken(read_project(after, name), edit)
    if after == text:
        return Proposal((), "")
    what = ", ".join(key.replace("_", " ") for key, value in edit._asdict().items() if value)
    return Proposal((Change(path, before, after.encode()),), f"project: {name} ({what})")


def edited(text: str, edit: ProjectEdit) -> str:
    """A note's text with an edit in it, its mark and its line ends as they were."""
    mark = _BOM if text.startswith(_BOM) else ""
    text = text.removeprefix(_BOM)
    crlf = "\r\n" in text
    text = text.replace("\r\n", "\n") if crlf else text
    if edit.description is not None:
        text = with_description(text, edit.description)
    if edit.add_tags or edit.remove_tags:
        text = with_items(text, "tags", edit.add_tags, edit.remove_tags)
    if edit.add_produces or edit.remove_produces:
        text = with_items(text, "produces", edit.add_produces, edit.remove_produces)
    return mark + (text.replace("\n", "\r\n") if crlf else text)


def _check_there(note: ProjectNote, edit: ProjectEdit, path: str) -> None:
    tags = {tag.casefold() for tag in note.tags}
    items = {
        name.casefold() for item in note.produces for name in (item, item.split(":")[0].strip())
    }
    for kind, wanted, known in (
        ("tag", edit.remove_tags, tags),
        ("line under produces:", edit.remove_produces, items),
    ):
        for word in wanted:
            if word.casefold() not in known:
                raise StoreError(
                    f"'{path}' has no {kind} '{word}'", "`ai-kb vault project` shows what it has."
                )


def _check_taken(note: ProjectNote, edit: ProjectEdit) -> None:
    wanted = ProjectNote(
        note.name,
        note.description if edit.description is None else edit.description,
        _with(note.tags, edit.add_tags),
        _with(note.produces, edit.add_produces),
    )
    if wanted != note:
        raise _unreadable(wanted, note)


def _with(known: tuple[str, ...], added: Iterable[str]) -> tuple[str, ...]:
    folded = {value.casefold() for value in known}
    return (*known, *(value for value in _unique(added) if value.casefold() not in folded))


def _unreadable(wanted: ProjectNote, note: ProjectNote) -> UsageError:
    """Somebody's words are Markdown that would be read as something else."""
    for name, value in wanted._asdict().items():
        if note._asdict()[name] != value:
            shown = value if isinstance(value, str) else ", ".join(value)
            return UsageError(
                f"'{shown}' would not be read again as the note's {name}",
                "Begin it with a letter, and leave Markdown's signs out.",
            )
    raise AssertionError("nothing differs")


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
