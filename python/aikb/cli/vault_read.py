"""``vault find`` and ``vault recall``: what an agent reads a vault with."""

from __future__ import annotations

import click

from aikb.cli import output
from aikb.cli.text import note_json, outside, vault_line
from aikb.cli.vault_shared import vault_reader

_EPILOG_FIND = """\b
Examples:
  ai-kb vault find rails testing     notes that have both tags
  ai-kb vault find rails --any rust  notes that have one of them
  ai-kb vault find                   the tags in use, with the number of notes
A tag finds what is nested below it, too: `lang` finds `lang/ruby`."""


@click.command(epilog=_EPILOG_FIND)
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@click.option("--any", "any_of", is_flag=True, help="Notes with one of the tags, not all.")
@click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(min=0), help="0: all of them."
)
@output.json_option
@click.pass_context
def find(ctx: click.Context, tags: tuple[str, ...], any_of: bool, limit: int, as_json: bool) -> int:
    """Find notes by tag: path, title, summary, one line each.

    Read what helps with `ai-kb vault recall PATH`.
    """
    from aikb.recall.vault_find import by_tag_of_notes
    from aikb.recall.vault_find import find as find_entries

    snapshot = vault_reader(ctx).source.snapshot()
    output.tell_findings(snapshot.closed)
    sections = by_tag_of_notes(snapshot.notes)
    if not tags:
        return _list_tags({tag: len(entries) for tag, entries in sections.items()}, as_json)
    found = find_entries(sections, tags, any_of=any_of)
    shown = found.entries[:limit] if limit else found.entries
    more = len(found.entries) - len(shown)
    if as_json:
        notes = [
            {"path": e.path, "title": e.title, "summary": e.summary, **outside(e)} for e in shown
        ]
        output.print_json({"ok": True, "notes": notes, "more": more, "unknown": found.unknown})
        return 0
    for entry in shown:
        output.say(f"- {vault_line(entry)}")
    for tag, near in found.unknown.items():
        hint = f"; near it: {', '.join(near)}" if near else "; `ai-kb vault find` lists the tags"
        output.tell(f"no note has the tag '{tag}'{hint}")
    if not found.entries and not found.unknown:
        output.tell("no note has all of these tags; --any shows those that have one")
    if more:
        output.tell(f"{more} more: --limit 0 shows all, a further tag fewer")
    return 0


def _list_tags(counts: dict[str, int], as_json: bool) -> int:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        output.print_json({"ok": True, "tags": dict(ordered)})
        return 0
    for tag, count in ordered:
        output.say(f"{count:5} {tag}")
    if not ordered:
        output.tell("no note of the vault has a tag yet")
    return 0


@click.command(
    epilog="\b\nExamples:\n  ai-kb vault recall convention/name-migrations.md\n"
    "  ai-kb vault recall 'Name migrations'\n  ai-kb vault recall '[[name-migrations]]'"
)
@click.argument("path")
@output.json_option
@click.pass_context
def recall(ctx: click.Context, path: str, as_json: bool) -> None:
    """Print a note; what is made from an outside source is marked as a quotation."""
    from aikb.cli.fence import LABEL, fenced
    from aikb.formats.source import is_outside
    from aikb.recall.vault_recall import recall as find_note

    vault = vault_reader(ctx).source
    snapshot = vault.snapshot()
    output.tell_findings(snapshot.closed)
    note = find_note(vault.root, snapshot, path, lambda note: vault.document(note.path).aliases)
    text = vault.document(note.path).text
    is_quoted = is_outside(note.source)
    if as_json:
        label = {"text_is": LABEL} if is_quoted else {}
        output.print_json({"ok": True, **note_json(note), **label, "text": text})
    else:
        output.page(fenced(text) if is_quoted else text)
