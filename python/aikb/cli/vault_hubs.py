"""``vault hubs``: which related notes have no map, which maps are stale, and making one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.vault_shared import report, vault_of, vault_reader
from aikb.errors import AikbError, NoteNotFoundError, UsageError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from aikb.model import Snapshot
    from aikb.sources.markdown_vault import MarkdownVault

_EPILOG = """\b
Examples:
  ai-kb vault hubs                  clusters of three or more notes without a hub; stale entries
  ai-kb vault hubs --create rails --purpose "How we write and deploy Rails applications."
A hub is a map: a title, one sentence, and a line with a link for each note."""


@click.command(epilog=_EPILOG)
@click.option("--create", metavar="TAG|NAME", help="Make the hub of this cluster.")
@click.option("--title", default="", help="The new hub's title [default: NAME hub].")
@click.option("--purpose", default="", help="One sentence that says what the hub is for.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1))
@output.json_option
@click.pass_context
def hubs(
    ctx: click.Context, create: str | None, title: str, purpose: str, limit: int, as_json: bool
) -> int:
    """Propose hubs where three or more related notes have none, and name stale hub entries.

    Notes are related by a tag that they share, or by links to each other.
    """
    from aikb.cli.shared import check_line

    if create is None:
        if title or purpose:
            raise UsageError("--title and --purpose go with --create")
        return _show(vault_reader(ctx).source, limit, as_json)
    check_line("--title", title)
    check_line("--purpose", purpose)
    return _create(vault_of(ctx), create, title, purpose, as_json=as_json)


def _links(
    vault: MarkdownVault, snapshot: Snapshot
) -> dict[str, list[tuple[str, int, str | None]]]:
    """For each note its links: target, line, and the note that is meant.  Reads all notes."""
    from aikb.errors import DiskError
    from aikb.links.names import Names

    names = Names(snapshot.files)
    found = {}
    for path in snapshot.files:
        try:
            document = vault.document(path)
        except (NoteNotFoundError, DiskError):  # gone since the snapshot
            continue
        found[path] = [
            (link.target, document.line(link.pos), names.resolve(link.target, path))
            for link in document.links
            if not link.embed
        ]
    return found


def _show(vault: MarkdownVault, limit: int, as_json: bool) -> int:
    from aikb.curation.hubs import check_hubs, propose_hubs

    snapshot = vault.snapshot()
    output.tell_findings(snapshot.closed)
    links = _links(vault, snapshot)
    clusters, stale = propose_hubs(snapshot.notes, links), check_hubs(snapshot.notes, links)
    if as_json:
        output.print_json({
            "ok": True,
            "clusters": [
                {
                    "name": c.name, "tag": c.tag or None, "links": c.links,
                    "notes": [{"path": n.path, "title": n.title} for n in c.members],
                }
                for c in clusters[:limit]
            ],
            "more": max(0, len(clusters) - limit),
            "findings": [output.finding_json(f) for f in stale],
        })  # fmt: skip
        return 0
    for cluster in clusters[:limit]:
        kind = "tag" if cluster.tag else "links"
        many = f"{counted(len(cluster.members), 'note')}, {counted(cluster.links, 'link')}"
        output.say(f"{cluster.name} ({kind}): {many}")
        for note in cluster.members[:5]:
            output.say(f"  {note.path}: {note.title}")
        if len(cluster.members) > 5:
            output.say(f"  and {len(cluster.members) - 5} more")
    if len(clusters) > limit:
        output.tell(f"{len(clusters) - limit} more: --limit N")
    output.tell_findings(stale)
    if clusters:
        output.tell(f"Make one: ai-kb vault hubs --create '{clusters[0].name}' --purpose SENTENCE")
    else:
        output.tell("no three related notes are without a hub")
    return 0


def _create(app: Any, name: str, title: str, purpose: str, *, as_json: bool) -> int:
    from aikb.curation.hubs import draft_hub, find_cluster, propose_hubs
    from aikb.links.names import Names
    from aikb.writing.vault_proposals import propose_new

    path, members = "", 0

    def propose(ground: Any) -> Any:
        nonlocal path, members
        snapshot = ground.base  # what is not committed, or private, stands in no hub
        cluster = find_cluster(propose_hubs(snapshot.notes, _links(app.source, snapshot)), name)
        if cluster is None:
            raise AikbError(
                f"no cluster of three or more committed notes without a hub goes by '{name}'",
                "`ai-kb vault hubs` lists clusters; `ai-kb vault commit` takes notes in.",
            )
        members = len(cluster.members)
        draft = draft_hub(cluster, Names(snapshot.files), title, purpose)
        related = [note.path for note in cluster.members]
        proposal, path, _ = propose_new(
            app.source, snapshot, draft, time.strftime("%Y-%m-%d"), related
        )
        return proposal

    written = app.write_path.write(propose)
    report(written, as_json, {"path": path, "notes": members})
    if not as_json:
        output.say(path)
    return 0
