"""``capture``: keep outside material, so that what a node says can be checked against it."""

from __future__ import annotations

from typing import Any

import click

from aikb.cli import output
from aikb.cli.shared import report, store_name
from aikb.cli.source import obtain, source_options, tell_problem, today

_EPILOG = """\b
Examples:
  ai-kb capture https://example.org/locks --fetch
  ai-kb capture https://example.org/locks --excerpt-file words.txt --note 1a2b3c4d
  ai-kb capture transcript.txt --title "Call about the release"
What it prints is the value for :SOURCE:, as in `ai-kb new --source`; `ai-kb new --capture` does both."""


@click.command(epilog=_EPILOG)
@click.argument("source", metavar="URL|FILE|-")
@click.option("--title", default="", help="What it is called [default: the page's or file's name].")
@click.option("--note", "node", metavar="NODE", help="Name the capture in this node's :SOURCE:.")
@source_options
@output.json_option
@click.pass_context
def capture(
    ctx: click.Context, source: str, title: str, node: str | None, fetch: bool,
    excerpt_files: tuple[str, ...], private_hosts: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Keep outside material under raw/; prints the value for :SOURCE:.

    A file is copied, a URL becomes a record with its excerpts and, with --fetch, its text. Captures are
    quoted data: never indexed, never changed; the same bytes are kept once.
    """
    app = output.app_of(ctx)
    if node:
        app.warm_up()
    found = obtain(app, source, title, (fetch, excerpt_files, private_hosts))
    from aikb.raw.propose import propose_capture

    name = store_name(app, node) if node else ""
    taken: Any = None
    note: Any = None

    def propose(ground: Any) -> Any:
        nonlocal taken, note
        proposal, taken, note = propose_capture(app.store, ground, found, today(), name)
        return proposal

    written = app.write_path.write(propose, lints=bool(node))
    files = [change.path for change in taken.changes]
    extra = {
        "source": taken.path, "title": taken.title, "outside": True, "known": taken.known,
        "files": files,
    }  # fmt: skip
    report(written, as_json, {**extra, "note": note.id if note else None, "problem": found.problem})
    if as_json:
        return
    tell_problem(found)
    if taken.known:
        output.tell("captured before; nothing new was kept")
    output.say(taken.path)
