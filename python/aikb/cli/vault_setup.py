"""``vault init``: give a folder of notes a history; ``vault allow-secret``: what only a person does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.cli.vault_shared import KEY, vault_of
from aikb.errors import DiskError, UsageError

if TYPE_CHECKING:
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.writing.write import WritePath


@click.command(
    epilog="\b\nExamples:\n  ai-kb vault init\n  ai-kb vault init ~/Notes   (then: export AI_KB_VAULT=~/Notes)"
)
@click.argument("folder", required=False, metavar="[DIR]")
@output.json_option
@click.pass_context
def init(ctx: click.Context, folder: str | None, as_json: bool) -> None:
    """Make a vault's folder a git repository; no note is changed.

    Says what was written and what was there already; may be run again.  A new repository's first
    commit has all notes.
    """
    from aikb.cli.setup import program_path
    from aikb.provision.vault_init import initialise

    if folder:
        if ctx.meta.get(KEY):
            raise UsageError("--vault and DIR are the same; give one of them")
        ctx.meta[KEY] = folder
    app = vault_of(ctx)
    try:
        os.makedirs(app.root, mode=0o700, exist_ok=True)
    except OSError as error:
        raise DiskError(
            f"'{app.root}' cannot be made a folder: {error.strerror}",
            "Nothing was changed; name another place, or look at what is there.",
        ) from error

    def open_vault() -> tuple[MarkdownVault, WritePath]:
        opened = vault_of(ctx)  # anew: it has a repository now
        return opened.source, opened.write_path

    steps = initialise(app.root, app.env, open_vault, program_path())
    if as_json:
        rows = [step._asdict() for step in steps]
        output.print_json({"ok": True, "vault": app.root, "steps": rows})
        return
    for step in steps:
        output.say(step.render())


@click.command(
    "allow-secret", epilog="\b\nExample:\n  ai-kb vault allow-secret reference/test-keys.md"
)
@click.argument("file")
@click.pass_context
def allow_secret(ctx: click.Context, file: str) -> int:
    """Allow what only looks like a secret in a note; asks in a terminal.

    Its hash (never the text) goes into the vault's ai-kb.toml.  Agents cannot do this.
    """
    from aikb.cli.secrets import allow

    return allow(vault_of(ctx), file)
