"""How commands speak: one JSON object or text on standard output, words for people on the other."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from aikb.app import App

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aikb.model import Finding, Note
    from aikb.sync.push import Pushed

_ESCAPED = {c: f"\\x{c:02x}" for c in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if c not in (9, 10)}
_ESCAPED |= {c: f"\\u{c:04x}" for c in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def app_of(ctx: click.Context) -> App:
    """The run's objects, for the store that the caller named."""
    store = ctx.find_root().obj
    return App(os.environ, os.path.abspath(store) if store else None)


def printable(text: str) -> str:
    """*text* with everything that a terminal would obey made visible."""
    return text.translate(_ESCAPED)


def say(text: str = "") -> None:
    """A result, on standard output."""
    click.echo(printable(text))


def tell(text: str) -> None:
    """Words for a person, on standard error."""
    click.echo(printable(text), err=True)


def print_json(value: dict[str, Any]) -> None:
    """One object on standard output."""
    import json

    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=None) + "\n")


def tell_findings(findings: Iterable[Finding]) -> None:
    """Findings, one a line, in colour only on a terminal."""
    for finding in findings:
        colour = "red" if finding.severity == "error" else "yellow"
        place = f"{finding.path}:{finding.line}: "
        word = click.style(finding.severity, fg=colour)
        rest = printable(f" {finding.code} {finding.message}")
        click.echo(printable(place) + word + rest, err=True)


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as JSON has it."""
    return finding._asdict()


def note_json(note: Note) -> dict[str, Any]:
    """A note as JSON has it."""
    return {
        "id": note.id,
        "title": note.title,
        "path": note.path,
        "line": note.line,
        "tags": list(note.tags),
        "projects": list(note.projects),
        "status": note.status,
        "created": note.created,
        "updated": note.updated,
        "source": note.source,
        "summary": note.summary,
    }


def pushed_json(pushed: Pushed) -> dict[str, Any]:
    """How far the backup is, as JSON has it."""
    return {"pushed": pushed.state == "pushed", "push": pushed.state, "push_detail": pushed.detail}


def page(text: str) -> None:
    """A long text: through as it is; agents and pipes want all of it."""
    click.echo(printable(text), nl=not text.endswith("\n"))


def with_progress(
    items: list[Any], label: str, size: int, work: Callable[[list[Any]], list[Any]]
) -> list[Any]:
    """Do *work* on pieces of *items*, telling a person at a terminal how far it is."""
    done: list[Any] = []
    show = sys.stderr.isatty() and len(items) > size
    for start in range(0, len(items), size):
        if show:
            click.echo(f"\r{label} {start}/{len(items)}", nl=False, err=True)
        done += work(items[start : start + size])
    if show:
        click.echo(f"\r{label} {len(items)}/{len(items)}", err=True)
    return done
