"""What the commands of ``ai-kb vault`` share: the vault that is meant, and how they report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from aikb.app import VaultApp
from aikb.cli import output
from aikb.cli.text import vault_line

if TYPE_CHECKING:
    import click

    from aikb.writing.guard import Near
    from aikb.writing.write import Written

KEY = "aikb.vault"


def vault_of(ctx: click.Context) -> VaultApp:
    """The run's objects, for the vault that the caller named."""
    vault = ctx.meta.get(KEY)
    return VaultApp(os.environ, os.path.abspath(vault) if vault else None)


def vault_reader(ctx: click.Context) -> VaultApp:
    """The same for a command that only reads: what a killed writer left is put right first."""
    app = vault_of(ctx)
    if done := app.repair():
        output.tell(f"repaired: {done}")
    return app


def report(written: Written, as_json: bool, extra: dict[str, Any], *, ok: bool = True) -> None:
    """What came of a write, and what a folder without git cannot promise."""
    from aikb.cli.shared import report as report_write

    report_write(written, as_json, extra, ok=ok)
    if not as_json and written.pushed.state == "no-repository":
        output.tell(written.pushed.detail)


def near_json(near: Near) -> dict[str, Any]:
    """A note that says something near, as JSON has it."""
    note = near.note
    return {
        "path": note.path, "title": note.title, "summary": note.summary, "status": note.status,
        "likeness": round(near.likeness.score, 2),
    }  # fmt: skip


def tell_related(near: list[Near]) -> None:
    """Name the notes that a written one should perhaps link to."""
    for n in near[:5]:
        output.tell(f"related {vault_line(n.note)}")
