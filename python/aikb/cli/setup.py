"""``init``: make the store, or adopt one."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from aikb.app import App
from aikb.cli import output
from aikb.errors import GitError, StoreError, UsageError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aikb.provision.init import Initializer, Step

_EPILOG = """\b
Examples:
  ai-kb init
  ai-kb init --origin git@example.org:ai-kb.git
Running it again changes nothing."""
_EPILOG_CLONE = """\b
Examples:
  ai-kb clone git@example.org:ai-kb.git
  ai-kb clone /media/backup/ai-kb.git ~/ai-kb-restored"""


@click.command(epilog=_EPILOG)
@click.option("--origin", metavar="URL", help="Clone this repository, or add it as the backup.")
@click.option("--adopt", is_flag=True, help="Take over a git repository that ai-kb did not make.")
@output.json_option
@click.pass_context
def init(ctx: click.Context, origin: str | None, adopt: bool, as_json: bool) -> int:
    """Make, clone or adopt the store.

    A git repository with its index, its pre-commit hook and its settings.
    """
    app = output.app_of(ctx)
    if origin is not None:
        check_url(origin)
    return _make(app, origin, adopt=adopt, as_json=as_json)


@click.command(epilog=_EPILOG_CLONE)
@click.argument("url")
@click.argument("directory", required=False, metavar="[DIR]")
@output.json_option
@click.pass_context
def clone(ctx: click.Context, url: str, directory: str | None, as_json: bool) -> int:
    """Restore the store from its remote, on a new machine or after a loss.

    DIR must be empty or not there; it defaults to where the store is looked for.
    """
    check_url(url)
    app = App(os.environ, os.path.abspath(directory)) if directory else output.app_of(ctx)
    if os.path.lexists(app.root) and (not os.path.isdir(app.root) or os.listdir(app.root)):
        raise StoreError(
            f"'{app.root}' is there already and is not empty",
            "Nothing was touched. Name another directory; or, if it is the store, run `ai-kb sync`.",
        )
    return _make(app, url, adopt=False, as_json=as_json, counts=True)


def _make(app: App, origin: str | None, *, adopt: bool, as_json: bool, counts: bool = False) -> int:
    from aikb.provision.init import Initializer

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
    nodes = len(app.store.snapshot().notes) if counts and not refused else None
    if as_json:
        further = {} if nodes is None else {"nodes": nodes}
        output.print_json({
            "ok": not refused, "store": app.root, **further,
            "steps": [step._asdict() for step in steps],
        })  # fmt: skip
    elif nodes is not None:
        output.say(f"{app.root}: {counted(nodes, 'node')}")
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
