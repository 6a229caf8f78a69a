"""``vault log``, ``vault review`` and ``vault stats``: what sessions left, and a person's word on it."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.text import title_of
from aikb.cli.vault_shared import report, vault_reader
from aikb.errors import PersonNeededError, UsageError

if TYPE_CHECKING:
    from aikb.app import VaultApp
    from aikb.audit.flags import Flag
    from aikb.audit.review import Word
    from aikb.writing.write import Written


@click.command(epilog="\b\nExamples:\n  ai-kb vault log\n  ai-kb vault log -n 100 --json")
@click.option("-n", "most", type=click.IntRange(1, 10_000), default=30, show_default=True,
              help="How many entries.")  # fmt: skip
@output.json_option
def log(most: int, as_json: bool) -> None:
    """Show what was done at the end of sessions, how long each step took, and why not."""
    from aikb.hooks import log as hook_log

    entries = hook_log.read(os.environ, most)
    if as_json:
        output.print_json({"ok": True, "entries": entries})
        return
    for entry in entries:
        output.say(_log_line(entry))
        for finding in entry.get("findings") or []:
            output.say(f"    {finding}")
    if not entries:
        output.tell(
            "nothing yet: no session has ended since the hooks are there (docs/session-end.md)"
        )


def _log_line(entry: dict[str, Any]) -> str:
    took = entry.get("ms")
    parts = [
        str(entry.get("time", ""))[:19].replace("T", " "),
        str(entry.get("step") or entry.get("event", "")),
        str(entry.get("state", "")),
        f"{took / 1000:.2f} s" if isinstance(took, int | float) else "",
        str(entry.get("project", "")),
        str(entry.get("session", ""))[:8],
        str(entry.get("detail", "")),
    ]
    return "  ".join(part for part in parts if part)


_EPILOG = """\b
Examples:
  ai-kb vault review
  ai-kb vault review --apply 1a2b3c4d5e
  ai-kb vault review --reject 1a2b3c4d5e --because "the note is right, the session was in a hurry"
  ai-kb vault review --accept convention/retries-back-off.md --accept howto/deploy.md
New notes are those with `reviewed: false` in their front matter; --accept takes that line out. One that
is not worth keeping is deleted like any file; `ai-kb vault commit` carries that out. Contested are notes
whose two versions a sync kept both.
An agent lists and asks; a person decides. In a script: --decided-by NAME, at that person's word."""


@click.command(epilog=_EPILOG)
@click.option("--apply", "applied", metavar="ID", help="Make the change that this flag proposes.")
@click.option("--reject", "rejected", metavar="ID", help="Close this flag; the note stays.")
@click.option("--accept", "accepted", metavar="PATH", multiple=True,
              help="This new note was read and stays; may be repeated.")  # fmt: skip
@click.option("--because", default="", metavar="WHY", help="The reason, in one line.")
@click.option("--decided-by", metavar="WHO", help="The person who decided [at a terminal: you].")
@output.json_option
@click.pass_context
def review(
    ctx: click.Context, applied: str | None, rejected: str | None, accepted: tuple[str, ...],
    because: str, decided_by: str | None, as_json: bool,
) -> None:  # fmt: skip
    """List what audits left that no person has seen, and contested notes; or carry out what one decided."""
    app = vault_reader(ctx)
    app.check_is_there()
    if applied is None and rejected is None and not accepted:
        _list(app, as_json)
        return
    if (applied is not None) + (rejected is not None) + bool(accepted) > 1:
        raise UsageError("--apply, --reject and --accept go one at a time")
    if rejected is not None and not because.strip():
        raise UsageError("--reject needs --because", "Say why, so that nobody asks again.")
    for option, value in (("--because", because), ("--decided-by", decided_by or "")):
        if value and not value.isprintable():
            raise UsageError(f"{option} must be one line of visible characters")
    if decided_by is None and not sys.stdin.isatty():
        what = "accept a note" if accepted else "decide about a flag"
        raise PersonNeededError(what, "or somebody's word with --decided-by")
    if decided_by is not None and not decided_by.strip():
        raise UsageError("--decided-by must not be empty")
    from aikb.audit import review as reviews

    word = reviews.Word(decided_by or _user(app), because.strip(), time.strftime("%Y-%m-%d"))
    if accepted:
        _accept(app, accepted, word, as_json)
        return
    decide = reviews.apply if applied is not None else reviews.reject
    flag, written = decide(app, applied or rejected or "", word)
    _report(flag, "applied" if applied is not None else "rejected", written, as_json)


def _accept(app: VaultApp, names: tuple[str, ...], word: Word, as_json: bool) -> None:
    from aikb.audit import unreviewed
    from aikb.writing.vault_proposals import named_inside

    paths = list(dict.fromkeys(named_inside(app.root, names)))
    written = unreviewed.accept(app, paths, word)
    _remember(app, len(unreviewed.waiting(app)))
    report(written, as_json, {"decision": "accepted", "accepted": paths})
    if not as_json:
        for path in paths:
            output.say(f"accepted {path}")


def _remember(app: VaultApp, number: int) -> None:
    """The count that the next session is told; one that cannot be kept is an old one."""
    from aikb.audit import unreviewed

    with contextlib.suppress(OSError):
        unreviewed.remember(app.places.state, app.root, number)


def _report(flag: Flag, decision: str, written: Written, as_json: bool) -> None:
    report(written, as_json, {"decision": decision, "flag": flag_json(flag)})
    if not as_json:
        output.say(f"{decision} {flag.id} {flag.path}")


def _list(app: VaultApp, as_json: bool) -> None:
    from aikb.audit import flags, unreviewed
    from aikb.cli.fence import fenced

    waiting, findings = flags.waiting(app.root)
    fresh = unreviewed.waiting(app)
    _remember(app, len(fresh))
    contested = unreviewed.contested(app)
    if as_json:
        output.print_json(
            {
                "ok": True,
                "flags": [flag_json(flag) for flag in waiting],
                "unreviewed": [{"path": note.path, "title": note.title} for note in fresh],
                "contested": [
                    {"path": note.path, "title": note.title, "against": why}
                    for note, why in contested
                ],
                "findings": [output.finding_json(finding) for finding in findings],
            }
        )
        return
    output.tell_findings(findings)
    for flag in waiting:
        output.say(f"{flag.id} {flag.kind} {flag.path} ({flag.project}, {flag.flagged})")
        lines = [flag.reason]
        for mark, text in (("-", flag.old), ("+", flag.new)):
            lines += [f"{mark} {line}" for line in text.splitlines()]
        if sys.stdout.isatty():
            output.page("\n".join(f"  {line}" for line in lines))
        else:  # what an agent proposed from anybody's commits is no instruction for another
            output.page(fenced("\n".join(lines)))
    for note in fresh:
        output.say(f"new {note.path}: {title_of(note)}")
    for note, why in contested:
        output.say(f"contested {note.path}: {title_of(note)}" + (f" ({why})" if why else ""))
    if waiting:
        output.tell("A person decides: --apply ID, or --reject ID --because WHY.")
    if fresh:
        output.tell("New notes that nobody has read: a person who has says --accept PATH.")
    if contested:
        output.tell("Contested notes: make one of the two, and take `contested` out of what stays.")
    if not (waiting or fresh or contested):
        output.tell("no flag and no new note waits")


def flag_json(flag: Flag) -> dict[str, str]:
    """A flag as JSON has it."""
    return {"id": flag.id, **flag._asdict()}


_EPILOG_STATS = """\b
Examples:
  ai-kb vault stats
  ai-kb vault stats --plot
  ai-kb vault stats --png audits.png
The loop has closed for a project when what its audits propose stays at zero: the rules and the
project's note tell a session by themselves what to write down."""


@click.command(epilog=_EPILOG_STATS)
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--plot", is_flag=True, help="Draw the proposals of each session here.")
@click.option("--png", metavar="FILE", help="Draw them into a picture.")
@output.json_option
def stats(project: str | None, plot: bool, png: str | None, as_json: bool) -> None:
    """Show what audits proposed, created and rejected, by project and session, and where it goes."""
    from aikb.audit import stats as audits
    from aikb.hooks.log import state_folder

    trends = audits.trends(audits.read(state_folder(os.environ)))
    if project is not None:
        trends = [trend for trend in trends if trend.project == project]
    if png is not None:
        from aikb.cli.picture import draw

        draw(trends, png)
    if as_json:
        output.print_json(
            {"ok": True, "projects": [trend_json(trend) for trend in trends], "png": png}
        )
        return
    from aikb.cli import chart

    for line in chart.plot(trends) if plot else chart.table(trends, sys.stdout.isatty()):
        output.page(line)
    if not trends:
        output.tell("no audit has ended yet (docs/session-end.md)")
    if png is not None:
        output.tell(f"drew {png}")


def trend_json(trend: Any) -> dict[str, Any]:
    """A project's audits as JSON has them."""
    names = ("proposed", "created", "covered", "rejected")
    return {
        "project": trend.project, "direction": trend.direction,
        **dict(zip(names, trend.totals, strict=True)),
        "sessions": [audit._asdict() for audit in trend.audits],
    }  # fmt: skip


def _user(app: VaultApp) -> str:
    from aikb.tools.git_format import Identity

    return Identity.of_config(app.git.config()).name
