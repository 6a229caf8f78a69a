"""``vault sync``: bring the vault and its remote together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.cli.sync import join_option, resolve_option, rewritten_option, run
from aikb.cli.vault_shared import vault_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\b
Examples:
  ai-kb vault sync
  ai-kb vault sync --dry-run
  ai-kb vault sync --resolve convention/name-migrations.md theirs

\b
What cannot be merged stops it with everything as it was, and names the notes. `ours` and `theirs` decide
only what clashes; where that makes no good note, the whole file of that side is taken. `both` keeps their
version as a note of its own, contested. What is decided is kept until all is."""


@click.command(epilog=_EPILOG)
@click.option("--dry-run", is_flag=True, help="Say what would be merged; change nothing.")
@resolve_option
@rewritten_option
@join_option
@output.json_option
@click.pass_context
def sync(
    ctx: click.Context,
    dry_run: bool,
    resolved: Sequence[tuple[str, str]],
    rewritten: bool,
    join: bool,
    as_json: bool,
) -> int:
    """Fetch, merge and push the vault.

    Notes are merged front matter key by key, and bodies as text; the index is made anew.
    """
    job = vault_of(ctx).sync()
    job.far.rewritten, job.far.joins = rewritten, join
    return run(job, dry_run=dry_run, resolved=resolved, as_json=as_json, command="ai-kb vault sync")
