"""The group of commands; each family's file is imported only when one of its commands is called."""

from __future__ import annotations

import importlib

import click

from aikb import __version__

COMMANDS = {
    "init": "aikb.cli.setup",
    "new": "aikb.cli.write",
    "edit": "aikb.cli.write",
    "commit": "aikb.cli.write",
    "contest": "aikb.cli.contest",
    "resolve": "aikb.cli.contest",
    "capture": "aikb.cli.capture",
    "reground": "aikb.cli.reground",
    "check": "aikb.cli.check",
    "show": "aikb.cli.read",
    "links": "aikb.cli.read",
    "backlinks": "aikb.cli.read",
    "find": "aikb.cli.read",
    "index": "aikb.cli.index",
    "status": "aikb.cli.state",
    "doctor": "aikb.cli.state",
    "allow-secret": "aikb.cli.secrets",
    "remote": "aikb.cli.state",
    "push": "aikb.cli.state",
    "hook": "aikb.cli.hook",
    "vault": "aikb.cli.vault",
}


class LazyGroup(click.Group):
    """A group that imports a command's file when the command is wanted."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is none such."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, by its whole name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_")
        )
        return command


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="NODE is an id, the beginning of one, a path in the store, or an exact title. "
    "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 a bug.",
)
@click.version_option(__version__, message="ai-kb %(version)s")
@click.option(
    "--store", metavar="DIR", help="The store's directory (else $AI_KB_HOME, else the XDG place)."
)
@click.pass_context
def cli(ctx: click.Context, store: str | None) -> None:
    """A memory for coding agents: org-roam nodes in a private git repository.

    \b
    Write one:   ai-kb new --type procedure --title "Rotate the key" --body-file -
    Find it:     ai-kb find rotate key
    Read it:     ai-kb show 1a2b3c4d
    What is it part of: ai-kb backlinks 1a2b3c4d
    """
    ctx.obj = store
