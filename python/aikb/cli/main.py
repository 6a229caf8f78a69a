"""The group of commands; each family's file is imported only when one of its commands is called."""

from __future__ import annotations

import click

from aikb import __version__
from aikb.cli.lazy import LazyGroup

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
    "sync": "aikb.cli.sync",
    "clone": "aikb.cli.setup",
    "vault": "aikb.cli.vault",
    "hook": "aikb.cli.hook",
    "merge-file": "aikb.cli.sync",
}


@click.group(
    cls=LazyGroup,
    places=COMMANDS,
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
