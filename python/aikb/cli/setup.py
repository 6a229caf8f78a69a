"""``init``: make the store, or adopt one."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.errors import GitError, StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.provision.init import Initializer, Step

_EPILOG = """\b
Examples:
  ai-kb init
  ai-kb init --origin git@example.org:ai-kb.git
Running it again changes nothing."""


@click.command(epilog=_EPILOG)
@click.option("--origin", metavar="URL", help="Clone this repository, or add it as the backup.")
@click.option("--adopt", is_flag=True, help="Take over a git repository that ai-kb did not make.")
@output.json_option
@click.pass_context
def init(ctx: click.Context, origin: str | None, adopt: bool, as_json: bool) -> int:
    """Make, clone or adopt the store.

    A git repository with its index, its pre-commit hook and its settings.
    """
    from aikb.provision.init import Initializer

    app = output.app_of(ctx)
    if origin is not None:
        check_url(origin)
    initializer = Initializer(
        app.git, lambda: app.write_path, app.new_id, program_path(), lambda: app.settings
    )
    refused = False
    steps: list[Step] = []
    for step in _steps(initializer, origin, app.root, adopt=adopt, as_json=as_json):
        steps.append(step)
        refused = refused or (step.verb == "refusing" and step.what != "backup")
        if not as_json:
            output.say(step.render())
    if as_json:
        output.print_json({
            "ok": not refused, "store": app.root, "steps": [step._asdict() for step in steps],
        })  # fmt: skip
    return 1 if refused else 0


def _steps(
    initializer: Initializer, origin: str | None, root: str, *, adopt: bool, as_json: bool
) -> Iterator[Step]:
    """What was done, and as the last step what was refused: all in the same form."""
    from aikb.provision.init import Step

    try:
        yield from initializer.run(origin or None, adopt=adopt)
    except (StoreError, GitError) as error:
        if as_json:
            raise
        yield Step("refusing", root, f"{error.message}. {error.hint or ''}".strip())


def check_url(url: str) -> None:
    """Refuse what git would take for an option or a command.

    Raises:
        UsageError: it is one.
    """
    if (
        not url.strip()
        or url.startswith("-")
        or "::" in url.split("/", maxsplit=1)[0]
        or not url.isprintable()
    ):
        raise UsageError(f"'{url}' is no address of a repository")


def program_path() -> str:
    """The absolute path by which this program can be called again from anywhere."""
    started_as = os.path.abspath(sys.argv[0])
    if os.path.basename(started_as) == "ai-kb" and os.access(started_as, os.X_OK):
        return started_as
    beside = os.path.join(os.path.dirname(sys.executable), "ai-kb")
    if os.access(beside, os.X_OK):
        return beside
    return shutil.which("ai-kb") or sys.executable
