"""``index``: regenerate and commit the generated pages, print a part of them, or compare."""

from __future__ import annotations

from typing import Any

import click

from aikb.cli import output
from aikb.errors import UsageError

_EPILOG = """\b
Examples:
  ai-kb index                       regenerate; commits if anything changed
  ai-kb index --project deepsat     print what concerns a project (with what is general)
  ai-kb index --type procedure      print one type
  ai-kb index --check               exit 1 if the index is not what the notes say"""


@click.command(epilog=_EPILOG)
@click.option("--project", help="Print the nodes of this project and of `general`.")
@click.option("--type", "type_", help="Print the nodes of this type.")
@click.option("--full", is_flag=True, help="Print all of it, whatever its size.")
@click.option("--check", is_flag=True, help="Say whether the committed index is current.")
@output.json_option
@click.pass_context
def index(
    ctx: click.Context,
    project: str | None,
    type_: str | None,
    full: bool,
    check: bool,
    as_json: bool,
) -> int:
    """Regenerate index.org, or print a part of it.

    It lists what is committed; files that are not are taken in by `ai-kb commit`.
    """
    app = output.app_of(ctx)
    if check and (project or type_):
        raise UsageError("--check looks at the whole index; leave the filter out")
    if check:
        return _check(app, as_json)
    if project or type_:
        return _print(app, project, type_, as_json, full=full)
    from aikb.writing.gate import Proposal

    written = app.write_path.write(lambda _: Proposal((), "index: regenerate"), lints=False)
    changed = bool(written.paths)
    if as_json:
        output.print_json({
            "ok": True, "changed": changed, "pages": list(written.paths),
            "commit": written.commit or None, **output.pushed_json(written.pushed),
            "findings": [output.finding_json(f) for f in written.findings],
            "repaired": written.repaired,
        })  # fmt: skip
        return 0
    if written.repaired:
        output.tell(f"repaired: {written.repaired}")
    output.tell_findings(written.findings)
    for path in written.paths:
        output.say(f"writing {path}")
    if not changed:
        output.say("skipping index.org (already current)")
    if written.pushed.state == "behind":
        output.tell(written.pushed.detail)
    return 0


def _print(app: Any, project: str | None, type_: str | None, as_json: bool, *, full: bool) -> int:
    from aikb.index.group import build_index, concerns, type_of
    from aikb.sources.org_index import render_whole

    types = app.settings.types
    if type_ and type_ not in (*types, "untyped"):
        raise UsageError(f"'{type_}' is no type of this store", f"Types are: {', '.join(types)}.")

    def keep(note: Any) -> bool:
        return (not project or concerns(note, project)) and (
            not type_ or type_of(note, types) == type_
        )

    built = build_index(app.store.snapshot().notes, types, keep)
    if as_json:
        output.print_json({
            "ok": True,
            "contested": [output.note_json(row.note) for row in built.contested],
            "sections": {
                section.key: [
                    {**output.note_json(row.note), "name": row.name} for row in section.rows
                ]
                for section in built.sections
            },
        })  # fmt: skip
    else:
        output.page(render_whole(built, None if full else app.settings.index_budget, project))
    return 0


def _check(app: Any, as_json: bool) -> int:
    stale = [change.path for change in app.write_path.stale_pages()]
    if as_json:
        output.print_json({"ok": not stale, "current": not stale, "stale": stale})
    elif stale:
        output.say(f"not current: {', '.join(stale)}")
        output.tell("`ai-kb index` regenerates it")
    else:
        output.say("index.org is current")
    return 1 if stale else 0
