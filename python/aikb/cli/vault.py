"""The group of the vault's commands; each is imported when it is called."""

from __future__ import annotations

import importlib

import click

COMMANDS = {
    "project": "aikb.cli.vault_project",
    "log": "aikb.cli.vault_session",
    "review": "aikb.cli.vault_session",
    "stats": "aikb.cli.vault_session",
    "install-hooks": "aikb.cli.vault_hooks",
    "uninstall-hooks": "aikb.cli.vault_hooks",
}


class LazyGroup(click.Group):
    """A group that imports a command's file when the command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, by its whole name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_")
        )
        return command


@click.group(cls=LazyGroup)
def vault() -> None:
    """The SecondBrain vault of Markdown notes."""
