"""A group of commands, each of whose files is imported only when one of its commands is called."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping


class LazyGroup(click.Group):
    """A group that imports a command's file when the command is wanted.

    ``places`` maps each command's name to its module, in the order in which a newcomer meets them.
    """

    def __init__(self, *words: Any, places: Mapping[str, str], **further: Any) -> None:
        super().__init__(*words, **further)
        self.places = places

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is none such."""
        if args and args[0] not in self.places and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], self.places, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which a newcomer meets them."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, by its whole name."""
        if cmd_name not in self.places:
            return None
        command: click.Command = getattr(
            importlib.import_module(self.places[cmd_name]), cmd_name.replace("-", "_")
        )
        return command
