"""What the writing commands share: values taken from the command line, and how they report."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.cli.text import find_line, outside
from aikb.errors import UsageError
from aikb.rules.text import LARGEST

if TYPE_CHECKING:
    from aikb.app import App
    from aikb.writing.guard import Near
    from aikb.writing.write import Written

related_option = click.option(
    "--related",
    multiple=True,
    metavar="NODE",
    help="Link to this node, and write although it says nearly the same; may be repeated.",
)


def report(written: Written, as_json: bool, extra: dict[str, Any], *, ok: bool = True) -> None:
    """What came of a write, in the form that every writing command has."""
    if as_json:
        output.print_json(
            {
                "ok": ok,
                **extra,
                "commit": written.commit or None,
                **output.pushed_json(written.pushed),
                "findings": [output.finding_json(f) for f in written.findings],
                "repaired": written.repaired,
            }
        )
        return
    if written.repaired:
        output.tell(f"repaired: {written.repaired}")
    output.tell_findings(written.findings)
    if written.pushed.state == "behind":
        output.tell(written.pushed.detail)


def read_text(name: str, *, may_be_empty: bool = False) -> str:
    """A body's text.

    Raises:
        UsageError: the file is not there, empty, larger than any note, or not UTF-8.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"'{name}' cannot be read: {error.strerror}") from error
    shown = "standard input" if name == "-" else f"'{name}'"
    if not data.strip() and not may_be_empty:  # a pipe whose first half failed must not wipe a body
        raise UsageError(
            f"{shown} is empty", "Nothing was changed; give the text, or leave it out."
        )
    if len(data) > LARGEST:
        raise UsageError(f"{shown} is larger than any note ({LARGEST:,} bytes)")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"'{name}' is not UTF-8 (line {line}, byte 0x{data[error.start]:02x})",
            "Convert it first, for example with iconv.",
        ) from None


def check_line(option: str, value: str) -> None:
    """Refuse what is no single line of visible characters."""
    if value and not value.isprintable():
        raise UsageError(f"{option} must be one line of visible characters")


def store_name(app: App, name: str, *, must_be_inside: bool = False) -> str:
    """A path given from any directory as one relative to the store; other names as they are."""
    root = os.path.realpath(app.root)
    if os.path.isabs(name) or os.path.exists(name) or name.startswith(("./", "../")):
        real = os.path.join(os.path.realpath(os.path.dirname(name) or "."), os.path.basename(name))
        if real == root:
            return ""
        if real.startswith(root + "/"):
            return os.path.relpath(real, root)
        if must_be_inside and (os.path.isabs(name) or not os.path.lexists(f"{root}/{name}")):
            raise UsageError(f"'{name}' is not in the store '{app.root}'")
    return os.path.normpath(name) if must_be_inside else name


def near_json(near: Near) -> dict[str, Any]:
    """A node that says something near, as JSON has it."""
    note = near.note
    return {
        "id": note.id, "title": safe(note.title), "summary": safe(note.summary), "path": safe(note.path),
        "status": note.status, **outside(note),
        "likeness": round(near.likeness.score, 2),
    }  # fmt: skip


def tell_related(note_id: str, near: list[Near]) -> None:
    """Name the nodes that a written one should perhaps link to."""
    for n in near:
        output.tell(safe(f"related {find_line(n.note)}"))
    if near:
        flags = " ".join(f"--related {n.note.id[:8]}" for n in near)
        output.tell(f"Link what belongs together: ai-kb edit {note_id[:8]} {flags}")


def here() -> str:
    """The directory that the command is called from.

    Raises:
        UsageError: it was removed meanwhile, as a work tree is.
    """
    try:
        return os.getcwd()
    except FileNotFoundError:
        hint = "Go to one that is there, or name what is meant."
        raise UsageError("the directory that you are in is gone", hint) from None
