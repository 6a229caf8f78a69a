"""``allow-secret``, and what ``doctor --history`` prints: secrets that are there already."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.errors import StoreError, UsageError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from aikb.app import App, VaultApp

_SECONDS = 24 * 3600.0
_EPILOG = """\b
Examples:
  ai-kb allow-secret 20260524101500-test-keys.org
  ai-kb allow-secret 1a2b3c4d:old.org     as that commit has it
  ai-kb allow-secret --message            in the words for `ai-kb commit -m`, which it asks for"""
_ADVICE = """
What to do, for each of them:
1. Change it where it is in use: revoke the key, set another password. Everybody who has a copy of the
   store knows it, and nothing below changes that.
2. Where it says "still there", take it out of the note: `ai-kb edit NODE --body-file -`.
3. Then take it out of the history. Put each secret on a line of its own into a file outside of the
   store, and in the store run
     git filter-repo --replace-text FILE
     git remote add origin URL && git push --force --all origin
   (filter-repo forgets the remote). Delete FILE, and clone the store anew on every other machine.
4. If it is no secret: `ai-kb allow-secret COMMIT:PATH`, in a terminal.
"""


@click.command("allow-secret", epilog=_EPILOG)
@click.argument("file", required=False)
@click.option("--message", is_flag=True, help="Ask for a commit's message instead.")
@click.pass_context
def allow_secret(ctx: click.Context, file: str | None, message: bool) -> int:
    """Allow what only looks like a secret; asks in a terminal.

    FILE is a note or capture with a finding `new-secret`, `old-secret` or `possible-secret`.  For
    each one you are asked; its hash (never the text) goes into ai-kb.toml.  Agents cannot do this.
    """
    if message == (file is not None):
        raise UsageError("name a FILE, or say --message")
    return allow(output.app_of(ctx), file)


def allow(app: App | VaultApp, file: str | None) -> int:
    """Ask about each thing in a file that looks like a secret, for a store or a vault.

    Without a file it is the message of a commit to come, which is asked for.

    Raises:
        PersonNeededError: nobody sits at a terminal.
    """
    from aikb.provision.allow import candidates, check_person, propose_allow
    from aikb.rules.secrets import MESSAGE
    from aikb.tools.secrets import SecondOpinion

    check_person(os.environ, terminal=sys.stdin.isatty() and sys.stdout.isatty())
    if file is None:
        path, data = MESSAGE, click.prompt("the message").encode("utf-8", "replace")
    else:
        path, data = _read(app, file)
    found = candidates(path, data, app.git, SecondOpinion())
    if not found:
        output.say("nothing here looks like a secret that is not allowed yet")
        return 0
    chosen = []
    for candidate in found:
        output.say(f"{candidate.path}:{candidate.secret.line}: {candidate.secret.kind}")
        output.say(f"  {candidate.words}")
        answer = click.prompt("  type 'allow' to allow it", default="no", show_default=False)
        if answer.strip().lower() == "allow":
            chosen.append(candidate)
    if not chosen:
        output.say("nothing was allowed")
        return 0
    written = app.write_path.write(lambda g: propose_allow(app.root, g, chosen), lints=False)
    output.tell_findings(written.findings)
    output.say(f"allowed {len(chosen)}; ai-kb.toml is committed")
    return 0


def _read(app: App | VaultApp, file: str) -> tuple[str, bytes]:
    """A file by its path, in the store or elsewhere, or as a commit has it."""
    for place in (file, os.path.join(app.root, file)):
        if os.path.isfile(place):
            with open(place, "rb") as opened:
                return os.path.basename(place), opened.read()
    revision, colon, path = file.partition(":")
    if colon and revision.isalnum() and app.git.has_history:
        data = app.git.show(revision, path)
        if data is not None:
            return path, data
    raise UsageError(f"there is no file '{file}'")


def history(app: App, as_json: bool) -> int:
    """Print the secrets of all commits and what to do about them."""
    from aikb.sync.outgoing import leaks, still_there

    if not app.git.exists() or app.git.head() is None:
        raise StoreError(f"'{app.root}' has no history", "Run `ai-kb init` first.")
    rows = []
    progress = _progress if sys.stderr.isatty() else None
    for leak in leaks(app.git, ["HEAD", "--all", "--reflog"], _SECONDS, progress):
        now = still_there(app.git, leak)
        rows.append({
            "commit": leak.commit, "date": leak.date, "path": leak.path, "kind": leak.kind,
            "still_there": now,
        })  # fmt: skip
        if not as_json:
            output.say(leak.render() + (" (still there)" if now else ""))
    if progress:
        click.echo("\r\033[K", nl=False, err=True)
    if as_json:
        advice = _ADVICE.strip().split("\n")
        output.print_json({"ok": not rows, "secrets": rows, "advice": advice if rows else []})
    else:
        output.page(
            _ADVICE.rstrip() if rows else "no commit holds anything that looks like a secret"
        )
    return 1 if rows else 0


def _progress(commits: int) -> None:
    if commits % 50 == 0:
        click.echo(f"\r{counted(commits, 'commit')}", nl=False, err=True)
