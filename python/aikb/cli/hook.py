"""``hook``: what an agent calls when a session begins or ends, and the steps that follow, by hand."""

from __future__ import annotations

import os
import time

import click

from aikb.cli import output
from aikb.hooks.dispatch import answer, worker_environment

_EPILOG = """\b
An agent calls `ai-kb hook session-start` and `ai-kb hook session-end` with the event on standard
input; both always exit 0. `ai-kb vault log` shows what was done, AI_KB_HOOK=off turns hooks off.
By hand:
  ai-kb hook step vault_sync
  ai-kb hook step session_end --cwd ~/code/project"""


@click.group(epilog=_EPILOG)
def hook() -> None:
    """What an agent's sessions start, and the steps at their end."""


@hook.command("session-start")
def session_start() -> None:
    """Tell a session what it should know; the event is on standard input."""
    answer(["session-start"], os.environ)


@hook.command("session-end")
def session_end() -> None:
    """Queue a session that ends, and look after it in the background."""
    answer(["session-end"], os.environ)


@hook.command(hidden=True)
def worker() -> None:
    """Look after all queued sessions; the hooks start this."""
    from aikb.hooks import log
    from aikb.hooks.worker import work

    try:
        work(os.environ)
    except Exception as error:
        log.write(os.environ, "trouble", detail=f"worker: {type(error).__name__}: {error}")


@hook.command(epilog="\b\nExample:\n  ai-kb hook step vault_index_rebuild --json")
@click.argument("name", metavar="NAME")
@click.option("--job", metavar="ID", help="The queued session [default: one made up for --cwd].")
@click.option("--cwd", metavar="DIR", help="The session's project [default: where you are].")
@click.option("--session", default="by-hand", show_default=True, help="The session's id.")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 600), default=60.0, help="Time that it may take."
)
@click.option("--most", type=click.IntRange(1, 5), default=5, hidden=True)
@output.json_option
def step(
    name: str,
    job: str | None,
    cwd: str | None,
    session: str,
    seconds: float,
    most: int,
    as_json: bool,
) -> int:
    """Take one step of a session's end: session_end, memsearch_sync, vault_index_rebuild, vault_sync.

    session_end is the journal and the audit, which also go by these names alone.
    """
    from aikb.cli.private import safe
    from aikb.cli.shared import here
    from aikb.errors import UsageError
    from aikb.hooks import log, queue
    from aikb.hooks.log import now
    from aikb.hooks.steps import NAMES, run_step, trouble

    if name not in NAMES:
        raise UsageError(f"'{name}' is no step", f"Steps are: {', '.join(NAMES)}.")
    env = worker_environment(os.environ)
    known = queue.get(env, job) if job else None
    if job and known is None:
        raise UsageError(f"no session '{job}' is queued", "`ai-kb vault log` shows what was done.")
    known = known or queue.Job(
        session, os.path.abspath(cwd or here()), queued=now(), vault=env.get("AI_KB_VAULT", "")
    )
    began = time.monotonic()
    try:
        outcome = run_step(name, env, known, seconds, most)
    except (Exception, KeyboardInterrupt) as error:
        if not job:
            raise
        outcome = trouble(error)
    took = time.monotonic() - began
    outcome = outcome._replace(  # a program's last words may repeat anything
        detail=safe(outcome.detail), findings=tuple(map(safe, outcome.findings))
    )
    if not job:  # the worker writes down what it calls itself
        log.write(
            env, "step", step=name, session=known.session, project=os.path.basename(known.cwd),
            ms=round(1000 * took), by="hand", **outcome.values(),
        )  # fmt: skip
    if as_json:
        good = outcome.state != "failed"
        output.print_json({"ok": good, "step": name, "ms": round(1000 * took), **outcome.values()})
    else:
        output.say(
            f"{name}: {outcome.state} in {took:.1f} s" + (outcome.detail and f": {outcome.detail}")
        )
        for finding in outcome.findings:
            output.say(f"  {finding}")
    return 1 if outcome.state == "failed" else 0
