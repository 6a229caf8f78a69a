"""``vault project``: a project's note in the vault, shown, made, edited."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.shared import here
from aikb.cli.vault_shared import report, vault_reader
from aikb.errors import AikbError, StoreError, UsageError

if TYPE_CHECKING:
    from aikb.app import VaultApp
    from aikb.recall.project import Found
    from aikb.writing.vault_project import ProjectEdit

_EPILOG = """\b
Examples:
  ai-kb vault project
  ai-kb vault project --create --description "A memory for coding agents." --tags python,org-roam
  ai-kb vault project --edit --add-tag emacs --add-produces "runbook: how a release is cut"
The note is project/NAME.md: a sentence, a list of tags, and what the project produces besides."""


class NoProjectNoteError(AikbError):
    """The vault has no note on this project."""

    def __init__(self, names: tuple[str, ...], vault: str) -> None:
        name = names[0] if names else "NAME"
        super().__init__(
            f"'{vault}' has no note on the project {' or '.join(names) or 'here'}",
            f'`ai-kb vault project {name} --create --description "…"` makes one.',
        )


@click.command(epilog=_EPILOG)
@click.argument("name", required=False)
@click.option("--create", is_flag=True, help="Make the note.")
@click.option("--edit", is_flag=True, help="Change the note; what is not named stays.")
@click.option("--description", metavar="SENTENCE", help="What the project is, in one sentence.")
@click.option("--tags", default="", metavar="A,B", help="With --create: tags of its notes.")
@click.option("--add-tag", "add_tags", multiple=True, help="May be repeated, like all of these.")
@click.option("--remove-tag", "remove_tags", multiple=True)
@click.option(
    "--add-produces", "add_produces", multiple=True, metavar="TEXT",
    help='A kind of note that this project produces besides the usual: "kind: what it is".',
)  # fmt: skip
@click.option("--remove-produces", "remove_produces", multiple=True, metavar="TEXT")
@output.json_option
@click.pass_context
def project(
    ctx: click.Context, /, name: str | None, create: bool, edit: bool, tags: str, as_json: bool,
    **words: Any,
) -> None:  # fmt: skip
    """Show, make or edit the vault's note on a project.

    Without NAME it is the project of this directory: its git remote's name, or the directory's.
    A session that starts in the project is told what the note says.
    """
    from aikb.recall.project import find_note, project_names
    from aikb.writing.vault_project import ProjectEdit, check_name, check_words

    app = vault_reader(ctx)
    app.check_is_there()
    names = (name.removesuffix(".md"),) if name else project_names(here())
    if create and edit:
        raise UsageError("--create and --edit exclude each other")
    if tags and not create:
        raise UsageError("--tags goes with --create; --edit has --add-tag and --remove-tag")
    asked = ProjectEdit(**words)
    if asked.description is not None:
        asked = asked._replace(description=asked.description.strip())
    asked = asked._replace(add_produces=tuple(item.strip() for item in asked.add_produces))
    listed = tuple(tag for tag in tags.replace(",", " ").split() if tag)
    asked = asked._replace(add_tags=(*listed, *asked.add_tags))
    if not create and not edit:
        if any(asked):
            raise UsageError("these options go with --create or --edit")
        _show(app, find_note(app.root, names), names, as_json)
        return
    if not names:
        raise UsageError("this directory has no name that a project could have", "Give NAME.")
    found = find_note(app.root, names)
    if create:
        check_name(names[0])
    check_words(asked)
    _write(app, found, names, asked, create=create, as_json=as_json)


def _show(app: VaultApp, found: Found | None, names: tuple[str, ...], as_json: bool) -> None:
    if found is None:
        raise NoProjectNoteError(names, app.root)
    if as_json:
        output.print_json({
            "ok": True, "vault": app.root, "path": found.path, **found.note._asdict(),
            "told": _told(found, app.root),
        })  # fmt: skip
        return
    note = found.note
    output.say(f"{note.name} ({found.path})")
    output.say(note.description or "no description")
    for tag in note.tags:
        output.say(f"- {tag}")
    if note.produces:
        output.say("produces:")
    for item in note.produces:
        output.say(f"- {item}")


def _told(found: Found, vault: str) -> str:
    """What a session is told of it."""
    from aikb.hooks.session_start import shown_path
    from aikb.recall.startup import Project, project_told
    from aikb.rules.credentials import blot

    return project_told(Project(found.path, found.note), shown_path(vault, os.environ), blot)[0]


def _write(
    app: VaultApp, found: Found | None, names: tuple[str, ...], asked: ProjectEdit, *, create: bool,
    as_json: bool,
) -> None:  # fmt: skip
    from aikb.recall.project import find_note
    from aikb.writing.vault_project import propose_create, propose_edit

    if create:
        if found is not None:
            raise StoreError(f"'{found.path}' exists already", "Change it with --edit.")
        today = time.strftime("%Y-%m-%d")
        written = app.write_path.write(lambda _: propose_create(app.root, names[0], asked, today))
    else:
        if found is None:
            raise NoProjectNoteError(names, app.root)
        if not any(value is not None and value != () for value in asked):
            raise UsageError("nothing to change", "Give --description, --add-tag or the like.")
        path = found.path
        written = app.write_path.write(lambda _: propose_edit(app.root, path, asked))
    now = find_note(app.root, names)
    if now is None:
        raise NoProjectNoteError(names, app.root)
    told = _told(now, app.root)
    report(written, as_json, {"path": now.path, **now.note._asdict(), "told": told})
    if not as_json:
        output.say(now.path if written.commit or written.paths else f"{now.path} is so already")
        if "more in the note" in told:
            output.tell("The note is longer than what a session is told of it (200 tokens).")
