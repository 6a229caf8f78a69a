"""``vault new``, ``vault commit``, ``vault index``: what changes a vault, all through the write path."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.cli.shared import check_line, here, read_text
from aikb.cli.vault_shared import near_json, report, tell_related, vault_of
from aikb.errors import UsageError, ValidationFailedError
from aikb.formats.counted import counted
from aikb.model import Draft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Finding
    from aikb.writing.guard import Near

_EPILOG_NEW = """\b
Examples:
  printf 'A migration is named by what it does.\\n' | ai-kb vault new --type convention \\
    --title "Name migrations" --tags rails,database --body-file -
  ai-kb vault new --type howto --title "Restore a backup" --tags ops   (the template's headings)
Types: convention (a rule), reference (to look up), howto (a procedure), hub (a map), project;
and what the project's note has under `produces:` (of --project, else of this directory)."""


@click.command(epilog=_EPILOG_NEW)
@click.option("--type", "type_", required=True, metavar="TYPE", help="One of those below.")
@click.option("--title", required=True, help="What the note is called, in a few words.")
@click.option("--tags", multiple=True, help="Tags, separated by commas; may be repeated.")
@click.option("--project", "projects", multiple=True, help="A project's name; may be repeated.")
@click.option("--source", default="", help="Where this comes from.")
@click.option("--body-file", metavar="FILE", help="The body, in Markdown; - reads standard input.")
@click.option(
    "--force-related",
    "related",
    multiple=True,
    metavar="PATH",
    help="Link to this note, and write although it covers nearly the same; may be repeated.",
)
@click.option("--unreviewed", is_flag=True, help="Mark it as not yet seen by a person.")
@output.json_option
@click.pass_context
def new(
    ctx: click.Context, /, type_: str, title: str, tags: tuple[str, ...], projects: tuple[str, ...],
    source: str, body_file: str | None, related: tuple[str, ...], unreviewed: bool, as_json: bool,
) -> None:  # fmt: skip
    """Make a note by its type's template; prints its path.

    It is checked, indexed, committed and pushed.  A body with headings of its own stands as it is.
    Refused, with the notes named, if the vault covers this already.
    """
    from aikb.formats.markdown.write import TYPES
    from aikb.writing.vault_proposals import check_draft, propose_new

    app = vault_of(ctx)
    check_line("--source", source)
    body = read_text(body_file, may_be_empty=True) if body_file else ""
    if body_file and not body.strip():
        output.tell("the body is empty; the template's headings stand there")
    names = [tag.strip().lstrip("#") for words in tags for tag in words.split(",")]
    draft = Draft(
        title=" ".join(title.split(" ")).strip(), type=type_, tags=tuple(filter(None, names)),
        projects=projects, source=source, body=body, unreviewed=unreviewed,
    )  # fmt: skip
    further = () if type_ in TYPES else _further_types(app.root, projects)
    check_draft(draft, further)
    path = ""
    near: list[Near] = []

    def propose(ground: Any) -> Any:
        nonlocal path, near
        today = time.strftime("%Y-%m-%d")
        proposal, path, near = propose_new(
            app.source, ground.disk, draft, today, related, further=further
        )
        return proposal

    try:
        written = app.write_path.write(propose)
    except ValidationFailedError as error:
        place = "standard input" if body_file == "-" else body_file or ""
        above = _lines_above(app.source, draft)
        findings = [_in_body(f, path, place, above) for f in error.findings]
        raise ValidationFailedError(findings) from None
    extra = {"path": path, "title": draft.title, "related": [near_json(n) for n in near]}
    report(written, as_json, extra)
    if not as_json:
        output.say(path)
        tell_related(near)


def _further_types(vault: str, projects: Sequence[str]) -> tuple[str, ...]:
    """The types that a note's projects have of their own; without any, this directory's project."""
    from aikb.audit import produces
    from aikb.recall.project import find_note, project_names

    asked: list[tuple[str, ...]] = [(name,) for name in projects]
    found = [find_note(vault, names) for names in asked or [project_names(here())]]
    return tuple(dict.fromkeys(t for one in found if one for t in produces.types(one.note)))


def _lines_above(vault: Any, draft: Draft) -> int:
    """How many lines of a new note stand above its body."""
    text: str = vault.render_note(draft, "", "0000-00-00")
    body = draft.body.replace("\r\n", "\n").strip("\n")
    blank = len(draft.body) - len(draft.body.lstrip("\r\n"))
    at = text.find(body) if body else -1
    return text.count("\n", 0, at) - draft.body.count("\n", 0, blank) if at >= 0 else 0


def _in_body(finding: Finding, path: str, place: str, above: int) -> Finding:
    """A finding about a file that was never written, told by the line of the body's own file."""
    if finding.path != path or finding.line <= above or not place:
        return finding
    return finding._replace(path=place, line=finding.line - above)


_EPILOG_COMMIT = """\b
Examples:
  ai-kb vault commit                    all that was written, moved or deleted by other programs
  ai-kb vault commit howto/restore.md   this one
  ai-kb vault commit -m "Notes of May"  with these words in the history"""


@click.command(epilog=_EPILOG_COMMIT)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-m", "--message", help="The commit's message, one line.")
@output.json_option
@click.pass_context
def commit(ctx: click.Context, paths: tuple[str, ...], message: str | None, as_json: bool) -> int:
    """Take in files that were written by hand or by Obsidian.

    They are checked, indexed, committed and pushed.  A file with an error finding stays as it is,
    uncommitted, and is named; the others go in.
    """
    from aikb.writing.vault_proposals import named_inside, propose_commit

    app = vault_of(ctx)
    if message is not None and (not message.strip() or not message.isprintable()):
        raise UsageError("a message is one line of visible characters")
    wanted = [path if path != "." else "" for path in named_inside(app.root, paths)]
    written = app.write_path.write(
        lambda ground: propose_commit(app.source, ground, wanted, message)
    )
    committed = list(written.committed)
    refused = [safe(path) for path in written.refused]
    extra = {"committed": committed, "refused": refused}
    report(written, as_json, extra, ok=not written.refused)
    if not as_json:
        for path in committed:
            output.say(f"committed {path}" if written.commit else f"looked at {path}")
        for path in refused:
            output.say(f"refused {path} (it stays as it is, uncommitted)")
        if not committed and not written.refused:
            output.say("nothing to commit")
    return 1 if written.refused else 0


_EPILOG_INDEX = """\b
Examples:
  ai-kb vault index           regenerate vault-index.json; commits if anything changed
  ai-kb vault index --check   exit 1 if it is not what the notes say"""


@click.command(epilog=_EPILOG_INDEX)
@click.option("--check", is_flag=True, help="Say whether the index is current; changes nothing.")
@output.json_option
@click.pass_context
def index(ctx: click.Context, check: bool, as_json: bool) -> int:
    """Regenerate vault-index.json: for each tag the notes' path, title and summary.

    It lists what is committed; files that are not are taken in by `ai-kb vault commit`.  Notes that
    are not in it, because they have no tag or could not be read, are named.
    """
    from aikb.rules.vault import check_untagged
    from aikb.writing.gate import Proposal

    app = vault_of(ctx)
    if check:
        return _check(app, as_json)
    seen: Any = None

    def propose(ground: Any) -> Any:
        nonlocal seen
        seen = ground
        return Proposal((), "index: regenerate")

    written = app.write_path.write(propose)
    findings = [*seen.disk.findings, *check_untagged(seen.base.notes)]
    waiting = [path for path in seen.dirty if path in seen.disk.files]
    changed = bool(written.paths)
    report(
        written._replace(findings=(*written.findings, *findings)) if as_json else written,
        as_json,
        {
            "changed": changed, "pages": list(written.paths), "notes": len(seen.base.files),
            "uncommitted": sorted(waiting),
        },
    )  # fmt: skip
    if not as_json:
        _tell_left_out(findings, waiting)
        output.say(
            f"writing {written.paths[0]}"
            if changed
            else "skipping vault-index.json (already current)"
        )
    return 0


def _tell_left_out(findings: list[Finding], waiting: list[str]) -> None:
    """Name what the index does not have, or not as it will be."""
    untagged = [f for f in findings if f.code == "untagged"]
    output.tell_findings([f for f in findings if f.code != "untagged"])
    if untagged:
        output.tell(
            f"{counted(len(untagged), 'note has', 'notes have')} no tag and so no place in the index, "
            f"among them {untagged[0].path}; `ai-kb vault check` names them all"
        )
    if waiting:
        output.tell(
            f"{counted(len(waiting), 'note is', 'notes are')} on disk otherwise than committed, among them "
            f"{min(waiting)}; the index has them once `ai-kb vault commit` took them in"
        )


def _check(app: Any, as_json: bool) -> int:
    stale = [change.path for change in app.write_path.stale_pages()]
    if as_json:
        output.print_json({"ok": not stale, "current": not stale, "stale": stale})
    elif stale:
        output.say(f"not current: {', '.join(stale)}")
        output.tell("`ai-kb vault index` regenerates it")
    else:
        output.say("vault-index.json is current")
    return 1 if stale else 0
