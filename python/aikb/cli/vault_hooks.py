"""``vault install-hooks`` and ``uninstall-hooks``: our two hooks in the agent's settings."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.errors import AikbError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from aikb.provision.agent_hooks import Plan

_EPILOG = """\b
Examples:
  ai-kb vault install-hooks --dry-run
  ai-kb vault install-hooks --yes
Running it again changes nothing. `ai-kb vault uninstall-hooks` takes the hooks back."""
_EPILOG_BACK = """\b
Example:
  ai-kb vault uninstall-hooks --yes"""


def _options(command: Callable[..., object]) -> Callable[..., object]:
    for option in (
        output.json_option,
        click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked."),
        click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing."),
        click.option(
            "--settings",
            metavar="FILE",
            help="The agent's settings [default: ~/.claude/settings.json, or in $CLAUDE_CONFIG_DIR].",
        ),
    ):
        command = option(command)
    return command


@click.command(epilog=_EPILOG)
@_options
def install_hooks(settings: str | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Register ai-kb with the agent: told at a session's start, asked at its end.

    Puts one SessionStart and one SessionEnd hook into the agent's settings and leaves everything else
    there as it is, with a copy beside it. Shows the change first. Refused where the plugin does it.
    """
    from aikb.cli.setup import program_path
    from aikb.provision.agent_hooks import plan_install

    program = program_path()
    if os.path.basename(program) != "ai-kb":
        raise AikbError("there is no ai-kb command to register", "Run `make ai-kb-init` first.")
    plan = plan_install(_path(settings), program, os.environ)
    return _go(plan, "registered", dry_run=dry_run, yes=yes, as_json=as_json)


@click.command(epilog=_EPILOG_BACK)
@_options
def uninstall_hooks(settings: str | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Take ai-kb's hooks out of the agent's settings.

    If nobody changed the settings since, they are byte for byte what they were before.
    """
    from aikb.provision.agent_hooks import plan_uninstall

    plan = plan_uninstall(_path(settings))
    return _go(plan, "not registered", dry_run=dry_run, yes=yes, as_json=as_json)


def _path(settings: str | None) -> str:
    from aikb.provision.agent_hooks import config_folder

    return os.path.abspath(settings or os.path.join(config_folder(os.environ), "settings.json"))


def _go(plan: Plan, state: str, *, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Show it, ask if somebody is there, do it, say so."""
    from aikb.provision.agent_hooks import carry_out, warnings

    warned = list(warnings(plan))
    diff = safe(plan.diff())  # the lines around may hold a key
    if not as_json:
        for line in warned:
            output.tell(f"ai-kb: {line}")
        if not plan.changes:
            output.say(f"skipping {plan.path}: already {state}")
            return 0
        output.page(diff)
    backup = ""
    if plan.changes and not dry_run:
        if not yes:
            _ask(plan.path)
        backup = carry_out(plan)
    if as_json:
        output.print_json({
            "ok": True, "settings": plan.path, "changed": plan.changes and not dry_run,
            "would_change": plan.changes, "backup": backup or None, "diff": diff, "warnings": warned,
        })  # fmt: skip
    elif dry_run:
        output.say("nothing was changed (--dry-run)")
    else:
        kept = f"; what was there before is in {backup}" if backup else ""
        output.say(f"writing {plan.path}: hooks {state}{kept}")
    return 0


def _ask(path: str) -> None:
    """Go on if a person says so.

    Raises:
        UsageError: nobody can be asked.
        AikbError: the answer is no.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            f"'{path}' would be changed and nobody is there to be asked",
            "Run it with --yes to change it, or with --dry-run to see how; nothing was changed.",
        )
    if not click.confirm("Change it so?", err=True):
        raise AikbError("nothing was changed")
