"""``vault check`` and ``vault status``: what is wrong, and what is not committed; nothing is changed."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.cli.state import hindrance, say_backup
from aikb.cli.vault_shared import vault_reader
from aikb.formats.counted import counted
from aikb.rules.vault import for_vault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aikb.app import VaultApp
    from aikb.model import Finding
    from aikb.sources.markdown_vault import MarkdownVault


@click.command(
    epilog="\b\nExamples:\n  ai-kb vault check              the whole vault\n"
    "  ai-kb vault check howto/a.md   one note"
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@output.json_option
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], as_json: bool) -> int:
    """Say what is wrong with notes; changes nothing.

    One finding a line: `file:line: severity code message`.  Exit code 1 if any is an error.  Secrets
    are looked for in notes that are named, and in those that are not committed yet.
    """
    from aikb.writing.vault_proposals import named_inside

    app = vault_reader(ctx)
    named = list(named_inside(app.root, paths))
    findings = sorted({*_findings(app.source, named), *_secrets(app, named)})
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json:
        rows = [output.finding_json(finding) for finding in findings]
        output.print_json({"ok": not errors, "errors": errors, "findings": rows})
        return 1 if errors else 0
    for finding in findings:
        output.say(finding.render())
    warnings = counted(len(findings) - errors, "warning")
    output.tell(f"{counted(errors, 'error')}, {warnings}" if findings else "no findings")
    return 1 if errors else 0


def _findings(vault: MarkdownVault, paths: Sequence[str]) -> Iterator[Finding]:
    """All findings about the notes at and below these paths; without paths about all."""
    from aikb.errors import DiskError, NoteNotFoundError, UsageError
    from aikb.links.names import Names
    from aikb.rules.vault import check_links, check_note, check_reading, check_untagged

    def among(path: str) -> bool:
        return not paths or _among(path, paths)

    snapshot = vault.snapshot()
    names = Names(snapshot.files)
    known_paths = [*snapshot.files, *(finding.path for finding in snapshot.findings), "."]
    for path in paths:
        if not any(_among(known, [path]) for known in known_paths):
            raise UsageError(f"there is no note at '{path}' in the vault")
    of_reading: set[Finding] = set()
    for path in filter(among, snapshot.files):
        try:
            document = vault.document(path)
        except (NoteNotFoundError, DiskError):  # gone since the snapshot
            continue
        of_reading.update(check_reading(document))
        yield from check_note(document)
        yield from check_links(document, names)
    yield from (f for f in snapshot.findings if among(f.path) and f not in of_reading)
    yield from check_untagged(note for note in snapshot.notes if among(note.path))


def _among(path: str, named: Sequence[str]) -> bool:
    return any(p in {"", "."} or f"{path}/".startswith(f"{p}/") for p in named)


def _secrets(app: VaultApp, named: Sequence[str]) -> list[Finding]:
    """Findings about secrets in the notes that are named, or else in those that are not committed."""
    from aikb.errors import DiskError, NoteNotFoundError
    from aikb.rules.secrets import check_files

    kept = app.git.has_history
    dirty = app.git.status().dirty if kept else {}  # without history nothing was looked at before
    files: list[tuple[str, bytes]] = []
    for path in app.source.snapshot().files:
        if _among(path, named) if named else not kept or path in dirty:
            with contextlib.suppress(NoteNotFoundError, DiskError):
                files.append((path, app.source.read(path)))

    def held() -> list[bytes | None]:
        if not kept:
            return [data for _, data in files]
        return app.git.blobs([f"HEAD:{path}" for path, _ in files])

    leaks = check_files(files, held, app.settings.allowed_secrets, has_history=kept)
    return for_vault(leaks.findings)


@click.command(epilog="\b\nExample:\n  ai-kb vault status --json")
@output.json_option
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show where the vault is, how many notes and tags it has, what is not committed or pushed, and why."""
    from aikb.provision.vault_state import read_status

    app = vault_reader(ctx)
    now = read_status(app.source, app.git, app.write_path)
    if as_json:
        further = {
            "other_branch": now.other_branch or None,
            "last_try": safe(now.last_try) or None,
            "hindered": now.hindered._asdict() if now.hindered else None,
        }
        output.print_json({"ok": True, "vault": app.root, **now._asdict(), **further})
        return
    if now.hindered:
        output.say(hindrance(now.hindered))
    notes, tags = counted(now.notes, "note"), counted(now.tags, "tag")
    output.say(f"{app.root}: {notes}, {tags}, {counted(now.untagged, 'note')} without one")
    for folder in now.unlistable:
        output.say(f"unlistable {folder}/ (its notes are not counted, and nothing is written)")
    if now.index_current is not None:
        output.say(
            "vault-index.json is "
            + ("current" if now.index_current else "not current (ai-kb vault index)")
        )
    if not now.git:
        output.say("no git repository: no history and no backup (`ai-kb vault init` makes one)")
        return
    for path in now.uncommitted:
        output.say(f"uncommitted {path}")
    if now.other_branch:
        output.say(now.other_branch)
    if now.remote is None:
        output.say("not backed up: no remote (git remote add origin URL)")
    say_backup(now.remote or "", now.unpushed, now.behind_since, now.last_try, "ai-kb vault sync")
