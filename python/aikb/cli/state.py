"""``status``, ``doctor``, ``remote``, ``push``: how the store is, and how far its backup."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.cli.text import title_of
from aikb.errors import StoreError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from aikb.writing.obstacle import Obstacle


@click.command(epilog="\b\nExample:\n  ai-kb status --json")
@output.json_option
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show what is uncommitted, unpushed, contested."""
    from aikb.provision.state import read_status

    app = output.reader_of(ctx)
    now = read_status(app.store, app.git)
    uncommitted = [safe(path) for path in sorted(now.uncommitted)]
    if as_json:
        output.print_json(
            {
                "ok": True,
                "store": app.root,
                "nodes": now.nodes,
                "types": list(app.settings.types),
                "uncommitted": uncommitted,
                "unpushed": now.unpushed,
                "behind_since": now.behind_since,
                "last_try": safe(now.last_try) or None,
                "remote": now.remote,
                "contested": [output.note_json(note) for note in now.contested],
                "interrupted": now.interrupted,
                "under_way": now.under_way,
                "other_branch": now.other_branch or None,
                "hindered": now.hindered._asdict() if now.hindered else None,
            }
        )
        return
    if now.hindered:
        output.say(hindrance(now.hindered))
    output.say(f"{app.root}: {counted(now.nodes, 'node')}")
    if now.interrupted:
        output.say("a write was interrupted; the next write repairs it")
    for path in uncommitted:
        output.say(f"uncommitted {path}")
    if now.other_branch:
        output.say(now.other_branch)
    if now.remote is None:
        output.say("not backed up: no remote (ai-kb remote URL adds one)")
    say_backup(now.remote or "", now.unpushed, now.behind_since, now.last_try, "ai-kb sync")
    for note in now.contested:
        output.say(
            f"contested {note.id[:8]} {title_of(note)}" + (note.issue and f" ({note.issue})")
        )
    clean = not (
        now.uncommitted or now.unpushed or now.contested or now.interrupted or now.hindered
    )
    if clean and now.remote:
        output.say(f"all is committed and pushed to {now.remote}")


def hindrance(found: Obstacle) -> str:
    """What stands in the way of every write, and the way out."""
    return f"{found.what}; nothing is written or backed up until it ends (`{found.cure}`)"


def say_backup(
    remote: str, unpushed: int | None, since: str | None, last_try: str, command: str
) -> None:
    """What the backup lacks, since when, and why the last try failed; for a vault's status too."""
    if unpushed:
        many = counted(unpushed, "commit is", "commits are")
        output.say(
            f"{many} not pushed to {remote}{f', since {since}' if since else ''} ({command})"
        )
    if last_try:
        output.say(f"the last try: {safe(last_try)}")


@click.command(epilog="\b\nExamples:\n  ai-kb doctor\n  ai-kb doctor --history")
@click.option("--history", is_flag=True, help="Look for secrets in all commits instead.")
@output.json_option
@click.pass_context
def doctor(ctx: click.Context, history: bool, as_json: bool) -> int:
    """Look at this machine and say what mends it."""
    if history:
        from aikb.cli import secrets

        return secrets.history(output.app_of(ctx), as_json)
    from aikb.cli.setup import program_path
    from aikb.provision.state import Doctor

    app = output.app_of(ctx)
    examiner = Doctor(
        app.env, app.git, app.emacs, lambda: app.write_path, lambda: app.settings, program_path()
    )
    checks = []
    for check in examiner.checks():
        checks.append(check)
        if not as_json:
            mark = click.style("ok ", fg="green") if check.good else click.style("bad", fg="red")
            cure = f"  ->  {check.cure}" if not check.good and check.cure else ""
            click.echo(f"{mark} {check.name}: " + output.one_line(check.detail + cure))
    bad = [check for check in checks if not check.good]
    if as_json:
        output.print_json({"ok": not bad, "checks": [check._asdict() for check in checks]})
    return 1 if bad else 0


@click.command(epilog="\b\nExamples:\n  ai-kb remote\n  ai-kb remote git@example.org:ai-kb.git")
@click.argument("url", required=False)
@output.json_option
@click.pass_context
def remote(ctx: click.Context, url: str | None, as_json: bool) -> int:
    """Show the backup's address, or set it and push there."""
    from aikb.cli.setup import check_url
    from aikb.sync.push import forget_remote
    from aikb.sync.remote import REMOTE, remote_url
    from aikb.tools.git_format import shown_url

    app = output.app_of(ctx)
    if not app.git.exists():
        raise StoreError(f"'{app.root}' is no git repository", "Run `ai-kb init` first.")
    known = remote_url(app.git)
    if url is None:
        if as_json:
            output.print_json({"ok": True, "remote": shown_url(known) if known else None})
        else:
            output.say(shown_url(known) if known else "no remote; `ai-kb remote URL` adds one")
        return 0
    check_url(url)
    if known != url:
        app.git.set_remote(REMOTE, url)
        forget_remote(app.git)
    return _push(ctx, as_json, extra={"remote": shown_url(url)}, looks=known != url)


@click.command(
    epilog="\b\nExamples:\n  ai-kb push\n  ai-kb push --if-due    (at the start of a session)"
)
@click.option(
    "--if-due", is_flag=True, help="Only if something is unpushed and no try has failed just now."
)
@output.json_option
@click.pass_context
def push(ctx: click.Context, if_due: bool, as_json: bool) -> int:
    """Send what is committed to the remote; `ai-kb sync` fetches and merges too."""
    if if_due:
        return _push_if_due(ctx, as_json)
    return _push(ctx, as_json, extra={})


def _push_if_due(ctx: click.Context, as_json: bool) -> int:
    """As a write does it: a remote that cost much time and failed is left alone for a while."""
    from aikb.sync.push import Pushed, unpushed

    app = output.app_of(ctx)
    branch = app.git.branch() if app.git.exists() else None
    pushed = Pushed("unchanged", "")
    if branch and unpushed(app.git, branch):
        pushed = app.write_path.send(branch)
        output.tell_findings(pushed.told)
    if as_json:
        output.print_json({"ok": True, **output.pushed_json(pushed)})
    elif pushed.state == "behind":
        output.tell(pushed.detail)
    return 0


def _push(ctx: click.Context, as_json: bool, extra: dict[str, str], *, looks: bool = False) -> int:
    """Push; a remote that is new here is looked at first (*looks*)."""
    from aikb.writing.repository import check_fit

    app = output.app_of(ctx)
    branch = check_fit(app.git)
    if app.git.head() is None:
        raise StoreError("there is nothing to push yet", "Write a node first.")
    far = app.sync().far if looks else None
    pushed = (far and far.greet(branch)) or app.write_path.push(branch)
    told = (*(far.told if far else ()), *pushed.told)
    good = pushed.state == "pushed"
    output.tell_findings(told)
    if as_json:
        findings = [output.finding_json(finding) for finding in told]
        further = {"findings": findings} if findings else {}
        output.print_json({"ok": good, **extra, **output.pushed_json(pushed), **further})
    elif good:
        output.say(f"pushed to {pushed.detail}")
    else:
        sys.stdout.flush()
        output.tell(f"ai-kb: {pushed.detail}")
    return 0 if good else 1
