"""How commands speak: one JSON object or text on standard output, words for people on the other."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from aikb.app import App
from aikb.cli.text import note_json, one_line, printable, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.model import Finding
    from aikb.sync.push import Pushed

__all__ = ["note_json", "one_line", "printable"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def app_of(ctx: click.Context) -> App:
    """The run's objects, for the store that the caller named."""
    store = ctx.find_root().obj
    return App(os.environ, os.path.abspath(store) if store else None)


def reader_of(ctx: click.Context) -> App:
    """The same for a command that only reads: what a killed writer left is put right first."""
    app = app_of(ctx)
    if done := app.repair():
        tell(f"repaired: {done}")
    return app


def say(text: str = "") -> None:
    """A result in one line, on standard output."""
    click.echo(one_line(text))


def tell(text: str) -> None:
    """One line for a person, on standard error."""
    click.echo(one_line(text), err=True)


def print_json(value: dict[str, Any]) -> None:
    """One object on standard output."""
    sys.stdout.write(to_json(value) + "\n")


def tell_findings(findings: Iterable[Finding]) -> None:
    """Findings, one a line, in colour only on a terminal."""
    for finding in findings:
        colour = "red" if finding.severity == "error" else "yellow"
        place = one_line(f"{finding.path}:{finding.line}: ")
        word = click.style(finding.severity, fg=colour)
        rest = one_line(f" {finding.code} {finding.message}")
        click.echo(place + word + rest, err=True)


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as JSON has it."""
    return finding._asdict()


def pushed_json(pushed: Pushed) -> dict[str, Any]:
    """How far the backup is, as JSON has it."""
    return {"pushed": pushed.state == "pushed", "push": pushed.state, "push_detail": pushed.detail}


def page(text: str) -> None:
    """A long text: through as it is; agents and pipes want all of it."""
    click.echo(printable(text), nl=not text.endswith("\n"))
