"""``ai-kb vault``: the commands for a vault of Markdown notes."""

from __future__ import annotations

import click

from aikb.cli.lazy import LazyGroup
from aikb.cli.vault_shared import KEY

COMMANDS = {
    "find": "aikb.cli.vault_read",
    "recall": "aikb.cli.vault_read",
    "new": "aikb.cli.vault_write",
    "commit": "aikb.cli.vault_write",
    "index": "aikb.cli.vault_write",
    "check": "aikb.cli.vault_check",
    "status": "aikb.cli.vault_check",
    "hubs": "aikb.cli.vault_hubs",
    "init": "aikb.cli.vault_setup",
    "allow-secret": "aikb.cli.vault_setup",
    "sync": "aikb.cli.vault_sync",
    "project": "aikb.cli.vault_project",
    "review": "aikb.cli.vault_session",
    "log": "aikb.cli.vault_session",
    "stats": "aikb.cli.vault_session",
    "install-hooks": "aikb.cli.vault_hooks",
    "uninstall-hooks": "aikb.cli.vault_hooks",
}


@click.group(
    cls=LazyGroup,
    places=COMMANDS,
    epilog="TAG is a tag with or without #; PATH is a note's path in the vault, its name, an alias "
    "or its title. Exit codes: 0 done, 1 refused, 2 wrong usage, 3 a bug.",
)
@click.option(
    "--vault",
    metavar="DIR",
    help="The vault (else $AI_KB_VAULT, else `vault` in config.toml, else ~/Documents/SecondBrain).",
)
@click.pass_context
def vault(ctx: click.Context, vault: str | None) -> None:
    """A vault of Markdown notes, such as Obsidian's: found by tag, written through the same gate.

    \b
    Find:      ai-kb vault find rails testing
    Read:      ai-kb vault recall convention/name-migrations.md
    Write one: ai-kb vault new --type convention --title "Name migrations" --tags rails --body-file -
    """
    ctx.meta[KEY] = vault
