"""``show``, ``links``, ``backlinks``, ``find``: the commands that an agent reads with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.fence import LABEL, fenced
from aikb.cli.text import NOTHING_FOUND, find_json, find_line, more_line, outside, title_of
from aikb.config import STATUSES
from aikb.errors import UsageError
from aikb.formats.source import is_outside
from aikb.recall.find import DEFAULT_LIMIT, Filter
from aikb.recall.find import find as find_notes

if TYPE_CHECKING:
    from aikb.model import Link, Note


@click.command(
    epilog="\b\nExamples:\n  ai-kb show 1a2b3c4d\n  ai-kb show 'Name paths when you commit'"
)
@click.argument("node")
@output.json_option
@click.pass_context
def show(ctx: click.Context, node: str, as_json: bool) -> None:
    """Print a node; what is made from an outside source is marked as a quotation."""
    app = output.reader_of(ctx)
    note = app.resolve(node)
    document = app.document(note.path)
    text = text_of(document, note)
    is_quoted = any(is_outside(n.properties.get("SOURCE", "")) for n in document.nodes)
    if as_json:
        label = {"outside": True, "text_is": LABEL} if is_quoted else {}
        output.print_json({"ok": True, **output.note_json(note), **label, "text": text})
    else:
        output.page(fenced(text) if is_quoted else text)


def text_of(document: Any, note: Note) -> str:
    """A node as it stands in its file."""
    if not note.level:
        return str(document.text)
    from aikb.formats.org.write import Edit

    node = next(node for node in document.nodes if node.id == note.id)
    _, end = Edit(document.text, node).body()
    return str(document.text[node.pos : end])


@click.command(epilog="\b\nExample:\n  ai-kb links 1a2b3c4d")
@click.argument("node")
@output.json_option
@click.pass_context
def links(ctx: click.Context, node: str, as_json: bool) -> None:
    """List the nodes that a node links to."""
    app = output.reader_of(ctx)
    from aikb.links.graph import links_from, resolve

    notes = app.store.snapshot().notes
    note = resolve(node, notes) if not node.startswith(("/", "./")) else app.resolve(node)
    known = {n.id: n for n in notes}
    found = [
        (link, known.get(link.target)) for link in links_from(app.document(note.path), note.id)
    ]
    if as_json:
        rows = [
            {
                "id": link.target,
                "title": target.title if target else None,
                "path": target.path if target else None,
                "line": link.line,
                **outside(target),
            }
            for link, target in found
        ]
        output.print_json({"ok": True, "id": note.id, "links": rows})
        return
    for link, target in found:
        words = title_of(target) if target else "(no such node)"
        output.say(f"{note.path}:{link.line} {link.target} {words}")


@click.command(epilog="\b\nExample:\n  ai-kb backlinks 1a2b3c4d")
@click.argument("node")
@output.json_option
@click.pass_context
def backlinks(ctx: click.Context, node: str, as_json: bool) -> None:
    """List what links to a node: file, line, id, title."""
    app = output.reader_of(ctx)
    target = node if _is_whole_id(node) else app.resolve(node).id
    found = list(app.backlinks(target))
    if not found and _is_whole_id(node):
        app.resolve(node)  # say so where no node has this id
    notes = _sources(app, found)
    rows = [(link, notes.get((link.path, link.source))) for link in found]
    if as_json:
        listed = [
            {
                "path": link.path,
                "line": link.line,
                "id": link.source or None,
                "title": note.title if note else link.path,
                **outside(note),
            }
            for link, note in rows
        ]
        output.print_json({"ok": True, "id": target, "backlinks": listed})
        return
    for link, note in rows:
        words = title_of(note) if note else link.path
        output.say(f"{link.path}:{link.line} {(link.source or '-')[:8]} {words}")


def _is_whole_id(name: str) -> bool:
    return len(name) == 36 and name.count("-") == 4


def _sources(app: Any, found: list[Link]) -> dict[tuple[str, str], Note]:
    """The nodes that links stand in, from their files as they are."""
    return {
        (path, note.id): note
        for path in {link.path for link in found}
        for note in app.store.notes_of(path, app.store.read(path))
    }


_EPILOG_FIND = """\b
Examples:
  ai-kb find rebase conflict
  ai-kb find --type procedure --project emacs
Words are matched as beginnings of words in title, tags, projects and summary; all must be there."""


@click.command(epilog=_EPILOG_FIND)
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--type", "types", multiple=True, help="Only this type; may be repeated.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; repeated: all of them.")
@click.option("--project", "projects", multiple=True, help="Only of this project.")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(STATUSES),
    help="Only with this status [default: all but superseded].",
)
@click.option("--limit", default=DEFAULT_LIMIT, show_default=True, type=click.IntRange(min=1))
@output.json_option
@click.pass_context
def find(
    ctx: click.Context, words: tuple[str, ...], types: tuple[str, ...], tags: tuple[str, ...],
    projects: tuple[str, ...], statuses: tuple[str, ...], limit: int, as_json: bool,
) -> int:  # fmt: skip
    """Find nodes, best first: id, title, summary."""
    app = output.reader_of(ctx)
    wanted = Filter(types, tags, projects, statuses)
    for type_ in types:
        if type_ not in app.settings.types:
            raise UsageError(
                f"'{type_}' is no type of this store",
                f"Types are: {', '.join(app.settings.types)}.",
            )
    found = find_notes(app.store, words, wanted, limit + 1)
    more, found = len(found) > limit, found[:limit]
    if as_json:
        output.print_json(find_json(found, more=more))
        return 0
    for note in found:
        output.say(find_line(note))
    if not found:
        output.tell(NOTHING_FOUND)
    if more:
        output.tell(more_line(limit))
    return 0
