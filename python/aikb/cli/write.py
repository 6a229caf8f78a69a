"""``new``, ``edit``, ``commit``: the commands that change notes, all through the write path."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.cli.shared import (
    check_line,
    near_json,
    read_text,
    related_option,
    report,
    store_name,
    tell_related,
)
from aikb.cli.source import obtain, source_options, tell_problem, today
from aikb.config import STATUSES
from aikb.errors import UsageError, ValidationFailedError
from aikb.model import Draft

if TYPE_CHECKING:
    from aikb.app import App
    from aikb.model import Finding
    from aikb.raw.capture import Source
    from aikb.writing.guard import Found, Near

_LINES_ABOVE_BODY = 11

_EPILOG_NEW = """\b
Examples:
  printf 'Body with a [[id:1a2b3c4d]] link.\\n' | \\
    ai-kb new --type principle --title "Name paths when you commit" --tag git --body-file -
  ai-kb new --type preference --title "No squash merges" --project deepsat"""


@click.command(epilog=_EPILOG_NEW)
@click.option(
    "--type",
    "type_",
    required=True,
    metavar="TYPE",
    help="principle, preference, procedure, observation, reference, or one of the store's own.",
)
@click.option("--title", required=True, help="What the node is called, in a few words.")
@click.option("--tag", "tags", multiple=True, help="A further tag; may be repeated.")
@click.option("--project", "projects", multiple=True, help="A project's slug [default: general].")
@click.option("--source", default="", help="Where this comes from [default: chat <today>].")
@click.option(
    "--capture", "captured", metavar="URL|FILE", help="Keep this under raw/ and name it as source."
)
@source_options
@click.option("--slug", default="", help="Name the file SLUG.org: for a node that is often linked.")
@click.option("--body-file", metavar="FILE", help="The body, in Org; - reads standard input.")
@related_option
@output.json_option
@click.pass_context
def new(
    ctx: click.Context, /, type_: str, title: str, tags: tuple[str, ...], projects: tuple[str, ...],
    source: str, slug: str, body_file: str | None, related: tuple[str, ...], as_json: bool,
    captured: str | None, **how: Any,
) -> None:  # fmt: skip
    """Make a node; prints its id and path.

    It is checked, indexed, committed and pushed.  The body may link by short id:
    [[id:1a2b3c4d]] becomes a whole link with the node's title.

    Refused if a node says nearly the same already; nodes that say something near it are named.
    """
    app = output.app_of(ctx)
    found = _captured(app, captured, body_file, source, how)
    app.warm_up()
    from aikb.writing.guard import guard_new
    from aikb.writing.proposals import check_words, propose_new

    title = " ".join(title.split(" ")).strip()
    check_words(title=title, tags=tags, projects=projects, slug=slug)
    check_line("--source", source)
    if type_ not in app.settings.types:
        raise UsageError(
            f"'{type_}' is no type of this store",
            f"Types are: {', '.join(app.settings.types)}. More can stand in ai-kb.toml.",
        )
    body = read_text(body_file, may_be_empty=True) if body_file else ""
    if body_file and not body.strip():
        output.tell("the body is empty; `ai-kb edit` adds one later")
    draft = Draft(title, type_, tags, projects or ("general",), source, slug, body)
    note_id, stamp, path = app.new_id(), time.strftime("%Y%m%d%H%M%S"), ""
    near: list[Near] = []
    taken: Any = None

    def propose(ground: Any) -> Any:
        nonlocal path, near, taken
        linked, near = guard_new(app.store, ground.disk, draft, related)
        if found is not None:
            from aikb.raw.propose import take_now, with_capture

            taken = take_now(app.store, ground, found, today())
            linked = linked._replace(source=taken.path)
        proposal, path = propose_new(app.store, ground.disk, linked, note_id, stamp)
        return with_capture(proposal, taken) if found is not None else proposal

    try:
        written = app.write_path.write(propose)
    except ValidationFailedError as error:
        place = "standard input" if body_file == "-" else body_file or ""
        raise ValidationFailedError(
            [_in_body(f, path, place, body) for f in error.findings]
        ) from None
    extra = {"id": note_id, "path": path, "title": title, "related": [near_json(n) for n in near]}
    if taken is not None:
        extra["source"] = taken.path
    report(written, as_json, extra)
    if not as_json:
        if found is not None:
            tell_problem(found)
        output.say(f"{note_id} {path}" + (f" {taken.path}" if taken else ""))
        tell_related(note_id, near)


def _captured(
    app: App, captured: str | None, body_file: str | None, source: str, how: dict[str, Any]
) -> Source | None:
    """What ``new --capture`` shall keep; fetched before anybody waits for a lock."""
    words = how["fetch"], how["excerpt_files"], how["private_hosts"]
    if captured is None:
        if any(words):
            raise UsageError("--excerpt-file, --fetch and --allow-private go with --capture")
        return None
    if source:
        raise UsageError("--capture sets the source; leave --source out")
    if "-" in (captured, *how["excerpt_files"]) and body_file == "-":
        raise UsageError("only one of these can be standard input")
    return obtain(app, captured, "", words)


def _in_body(finding: Finding, path: str, place: str, body: str) -> Finding:
    """A finding about a file that was never written, told by the line of the body's own file."""
    line = finding.line - _LINES_ABOVE_BODY
    if finding.path != path or line < 1 or not place:
        return finding
    blank = len(body) - len(body.lstrip("\n"))
    return finding._replace(path=place, line=line + blank)


_EPILOG_EDIT = """\b
Examples:
  ai-kb edit 1a2b3c4d --add-tag git --status contested
  printf 'One more lesson.\\n' | ai-kb edit 1a2b3c4d --append-file -"""


@click.command(epilog=_EPILOG_EDIT)
@click.argument("node")
@click.option("--title", help="A new title.")
@click.option("--body-file", metavar="FILE", help="A new body in place of the old; - is stdin.")
@click.option("--append-file", metavar="FILE", help="Text to add at the body's end; - is stdin.")
@click.option("--add-tag", "add_tags", multiple=True, help="May be repeated, like all of these.")
@click.option("--remove-tag", "remove_tags", multiple=True)
@click.option("--add-project", "add_projects", multiple=True)
@click.option("--remove-project", "remove_projects", multiple=True)
@click.option("--source", help="Where this comes from.")
@click.option("--status", type=click.Choice(STATUSES))
@click.option(
    "--reason",
    metavar="WHY",
    help="Why; kept in the history. Needed to replace the body of a current preference, principle "
    "or procedure.",
)
@related_option
@output.json_option
@click.pass_context
def edit(ctx: click.Context, /, node: str, as_json: bool, **values: Any) -> None:
    """Change exactly what is named in a node.

    Every other byte stays, but for :UPDATED:, which becomes today.
    """
    app = output.app_of(ctx)
    app.warm_up()
    from aikb.tools.git_format import Identity
    from aikb.writing.guard import guard_edit
    from aikb.writing.proposals import EditRequest, check_words, propose_edit

    body_file, append_file = values.pop("body_file"), values.pop("append_file")
    related = values.pop("related")
    if body_file == "-" and append_file == "-":
        raise UsageError("only one of --body-file and --append-file can be standard input")
    check_words(
        title=values["title"],
        tags=values["add_tags"],
        projects=values["add_projects"],
    )
    check_line("--source", values["source"] or "")
    check_line("--reason", values["reason"] or "")
    request = EditRequest(
        body=read_text(body_file) if body_file else None,
        append=read_text(append_file) if append_file else None,
        **values,
    )
    if request._replace(reason=None) == EditRequest() and not related:
        raise UsageError("nothing to change was named", "See `ai-kb edit --help`.")
    name = store_name(app, node)
    note: Any = None
    near: list[Near] = []

    def propose(ground: Any) -> Any:
        nonlocal note, near
        today = time.strftime("%Y-%m-%d")
        who = Identity.of_config(app.git.config()).name
        asked, near = guard_edit(app.store, ground.disk, name, request, related)
        proposal, note = propose_edit(app.store, ground.disk, name, asked, today, who)
        return proposal

    written = app.write_path.write(propose)
    report(
        written, as_json,
        {
            "id": note.id, "path": note.path, "changed": bool(written.commit),
            "related": [near_json(n) for n in near],
        },
    )  # fmt: skip
    if not as_json:
        output.say(f"{note.id} {note.path}" + ("" if written.commit else " (already so)"))
        tell_related(note.id, near)


_EPILOG_COMMIT = """\b
Examples:
  ai-kb commit                        every note that is not committed
  ai-kb commit 20260524101500-x.org   this one
  ai-kb commit -m "Three lessons"     with these words in the history"""


@click.command(epilog=_EPILOG_COMMIT)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-m", "--message", help="The commit's message, one line.")
@output.json_option
@click.pass_context
def commit(ctx: click.Context, paths: tuple[str, ...], message: str | None, as_json: bool) -> int:
    """Take in files that were written directly.

    They are checked, indexed, committed and pushed.  A file with an error finding stays as it is,
    uncommitted, and is named; the others go in.  What says something near a new file is named.
    """
    app = output.app_of(ctx)
    app.warm_up()
    from aikb.writing.guard import near_new_files
    from aikb.writing.proposals import propose_commit

    if message is not None and (not message.strip() or not message.isprintable()):
        raise UsageError("a message is one line of visible characters")
    wanted = [store_name(app, path, must_be_inside=True) for path in paths]

    found: list[Found] = []

    def propose(ground: Any) -> Any:
        nonlocal found
        proposal = propose_commit(app.store, ground, wanted, message)
        found = near_new_files(app.store, ground, proposal.changes)
        warnings = [warning for entry in found for warning in entry.warnings()]
        return proposal._replace(findings=(*proposal.findings, *warnings))

    written = app.write_path.write(propose)
    found = [
        entry._replace(near=[n for n in entry.near if n.note.path not in written.refused])
        for entry in found if entry.note.path in written.paths
    ]  # fmt: skip
    related = [{"of": note.id, **near_json(n)} for note, near in found for n in near]
    committed = list(written.committed)
    refused = [safe(path) for path in written.refused]
    report(
        written, as_json, {"committed": committed, "refused": refused, "related": related},
        ok=not written.refused,
    )  # fmt: skip
    if not as_json:
        for path in committed:
            output.say(f"committed {path}")
        for path in refused:
            output.say(f"refused {path} (it stays as it is, uncommitted)")
        if not committed and not written.refused:
            output.say("nothing to commit")
        for note, near in found:
            tell_related(note.id, near)
    return 1 if written.refused else 0
