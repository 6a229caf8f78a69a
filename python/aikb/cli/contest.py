"""``contest`` and ``resolve``: contradictions are shown by an agent and decided by a person."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.shared import check_line, read_text, report, store_name
from aikb.cli.text import outside, title_of
from aikb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.app import App
    from aikb.model import Note
    from aikb.writing.contest import Outcome

_EPILOG_CONTEST = """\b
Examples:
  ai-kb contest 1a2b3c4d 5e6f7a8b --why "One forbids squash merges, the other wants them"
  ai-kb contest 1a2b3c4d --why "The user said the opposite today"
Then ask the user; `ai-kb resolve` carries out what they say."""


@click.command(epilog=_EPILOG_CONTEST)
@click.argument("nodes", nargs=-1, required=True, metavar="NODE [NODE]")
@click.option("--why", required=True, help="What cannot both hold, in one line.")
@click.option("--by", default="", help="Who says so [default: git's user.name].")
@output.json_option
@click.pass_context
def contest(ctx: click.Context, nodes: tuple[str, ...], why: str, by: str, as_json: bool) -> None:
    """Mark a node, or two that contradict each other, as contested.

    The conflict is recorded in both, and both stand first in the index until a person decides.
    """
    if len(nodes) > 2:
        raise UsageError("a conflict has two sides: name one node or two")
    why, by = _line("--why", why), _line("--by", by) if by else ""
    app = output.app_of(ctx)
    app.warm_up()
    from aikb.writing.contest import propose_contest

    names = [store_name(app, node) for node in nodes]
    notes: list[Note] = []

    def propose(ground: Any) -> Any:
        nonlocal notes
        proposal, notes = propose_contest(
            app.store, ground.disk, names, why, by or _user(app), time.strftime("%Y-%m-%d")
        )
        return proposal

    written = app.write_path.write(propose)
    report(
        written, as_json,
        {"contested": _brief(notes), "why": why, "changed": bool(written.commit)},
    )  # fmt: skip
    if not as_json:
        for note in notes:
            already = "" if written.commit else " (already so)"
            output.say(f"contested {note.id[:8]} {title_of(note)}{already}")
        output.tell("A person decides: ask the user, then `ai-kb resolve`.")


_EPILOG_RESOLVE = """\b
Examples:
  ai-kb resolve 1a2b3c4d --keep --decided-by Craig --because "squash hides who did what"
  ai-kb resolve 1a2b3c4d --supersede-by 5e6f7a8b --decided-by Craig --because "that was 2024"
  ai-kb resolve 1a2b3c4d --keep --both --decided-by Craig --because "one is for libraries"
Whoever loses becomes superseded, with a link to the winner."""


@click.command(epilog=_EPILOG_RESOLVE)
@click.argument("node")
@click.option("--keep", is_flag=True, help="NODE holds; what it was contested with is superseded.")
@click.option("--supersede-by", metavar="NODE", help="NODE is superseded by this one.")
@click.option("--rewrite-body-file", metavar="FILE", help="NODE holds with this body; - is stdin.")
@click.option("--both", is_flag=True, help="With --keep or a new body: the other side holds too.")
@click.option("--decided-by", metavar="WHO", help="The person who decided [at a terminal: you].")
@click.option("--because", required=True, metavar="WHY", help="The reason, in one line.")
@output.json_option
@click.pass_context
def resolve(
    ctx: click.Context, node: str, keep: bool, supersede_by: str | None,
    rewrite_body_file: str | None, both: bool, decided_by: str | None, because: str, as_json: bool,
) -> None:  # fmt: skip
    """End a conflict as a person decided it.

    Both sides are settled in one commit; links to what is superseded are listed.
    """
    if sum((keep, supersede_by is not None, rewrite_body_file is not None)) != 1:
        raise UsageError("name one of --keep, --supersede-by and --rewrite-body-file")
    if both and supersede_by is not None:
        raise UsageError("--both contradicts --supersede-by")
    because = _line("--because", because)
    if decided_by is None and not sys.stdin.isatty():
        raise UsageError(
            "a person decides what becomes of a contested node, and their name is missing",
            "Ask the user, and name with --decided-by who decided.",
        )
    decided_by = _line("--decided-by", decided_by) if decided_by is not None else None
    app = output.app_of(ctx)
    app.warm_up()
    from aikb.writing.contest import Decision, propose_resolve

    body = read_text(rewrite_body_file) if rewrite_body_file is not None else None
    name = store_name(app, node)
    winner = store_name(app, supersede_by) if supersede_by is not None else None
    outcome: Any = None

    def propose(ground: Any) -> Any:
        nonlocal outcome
        decision = Decision(decided_by or _user(app), because, winner, body, both)
        proposal, outcome = propose_resolve(
            app.store, ground.disk, name, decision, time.strftime("%Y-%m-%d")
        )
        return proposal

    written = app.write_path.write(propose)
    links = _links(app, outcome)
    report(
        written, as_json,
        {
            "id": outcome.note.id, "path": outcome.note.path, "verdict": outcome.verdict,
            "superseded": _brief(outcome.superseded), "current": _brief(outcome.current),
            "contested": _brief(outcome.contested), "links": links,
        },
    )  # fmt: skip
    if not as_json:
        _say(outcome, links)


def _say(outcome: Outcome, links: list[dict[str, Any]]) -> None:
    for word in ("current", "superseded", "contested"):
        for note in getattr(outcome, word):
            still = "still " if word == "contested" else ""
            output.say(f"{still}{word} {note.id[:8]} {title_of(note)}")
    for link in links:
        output.say(f"link {link['path']}:{link['line']} leads to {link['target'][:8]}")
    if links:
        output.tell("Look whether these links should lead to what holds now.")


def _links(app: App, outcome: Outcome) -> list[dict[str, Any]]:
    """The links to what was superseded, but for those that its history is told with."""
    from aikb.formats.org.history import history_lines

    return [
        {"path": link.path, "line": link.line, "id": link.source or None, "target": note.id}
        for note in outcome.superseded
        for link in app.backlinks(note.id)
        if link.line not in history_lines(app.document(link.path))
    ]


def _brief(notes: Iterable[Note]) -> list[dict[str, Any]]:
    return [{"id": n.id, "title": n.title, "path": n.path, **outside(n)} for n in notes]


def _line(option: str, value: str) -> str:
    value = " ".join(value.split(" ")).strip()
    if not value:
        raise UsageError(f"{option} must not be empty")
    check_line(option, value)
    return value


def _user(app: App) -> str:
    from aikb.tools.git_format import Identity

    return Identity.of_config(app.git.config()).name
