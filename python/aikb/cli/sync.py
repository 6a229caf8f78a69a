"""``sync``: bring the store and its remote together; and the driver for a person's own ``git merge``."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.errors import StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.sync.conflict import Conflict, Decided
    from aikb.sync.sides import Plan
    from aikb.writing.sync import Sync, Synced

_EPILOG = """\b
Examples:
  ai-kb sync
  ai-kb sync --dry-run
  ai-kb sync --resolve 1a2b3c4d theirs --resolve 5e6f7a8b both
  ai-kb sync --merge-rewritten     after somebody forced the remote's history

\b
What cannot be merged (the same lines of a body changed on both sides, an edit against a delete) stops
it with everything as it was, and names the nodes. `ours` and `theirs` decide only what clashes: what
else both sides changed is merged; where that makes no good node, the whole file of that side is taken.
`both` keeps their version as a node of its own, contested. What is decided is kept until all is."""


resolve_option = click.option(
    "--resolve", "resolved", type=(str, click.Choice(["ours", "theirs", "both"])), multiple=True,
    metavar="NODE SIDE", help="Decide a conflict: ours, theirs or both; may be repeated.",
)  # fmt: skip

rewritten_option = click.option(
    "--merge-rewritten", "rewritten", is_flag=True,
    help="Merge with a remote whose history was rewritten; what that took away comes back.",
)  # fmt: skip
join_option = click.option(
    "--join", is_flag=True, help="Merge with a remote that was begun apart from this."
)


@click.command(epilog=_EPILOG)
@click.option("--dry-run", is_flag=True, help="Say what would be merged; change nothing.")
@resolve_option
@rewritten_option
@join_option
@output.json_option
@click.pass_context
def sync(
    ctx: click.Context,
    dry_run: bool,
    resolved: Sequence[tuple[str, str]],
    rewritten: bool,
    join: bool,
    as_json: bool,
) -> int:
    """Fetch, merge and push.

    Nodes are merged property by property, titles and bodies as text; the index is made anew.
    """
    job = output.app_of(ctx).sync()
    job.far.rewritten, job.far.joins = rewritten, join
    return run(job, dry_run=dry_run, resolved=resolved, as_json=as_json)


def run(
    job: Sync,
    *,
    dry_run: bool,
    resolved: Sequence[tuple[str, str]],
    as_json: bool,
    command: str = "ai-kb sync",
) -> int:
    """The command, for a store or a vault."""
    if dry_run and resolved:
        raise UsageError("--dry-run and --resolve exclude each other")
    if dry_run:
        return _preview(job.preview(), as_json)
    if resolved:
        _decide(job, resolved, command)
    try:
        return _report(job.run(), as_json)
    except KeyboardInterrupt:
        raise job.stopped() from None


def _decide(job: Sync, resolved: Sequence[tuple[str, str]], command: str) -> None:
    from aikb.sync.conflict import Decision

    conflicts = job.decidable()
    wanted = {}
    for name, side in resolved:
        found = [c for c in conflicts if name in (c.key, c.title, *c.versions.names)]
        found = found or [c for c in conflicts if name and c.node.startswith(name.lower())]
        if not found:
            keys = ", ".join(shlex.quote(c.short) for c in conflicts if c.what != ("broken",))
            raise StoreError(
                f"'{name}' is in no conflict that was fetched",
                f"In conflict are: {keys}." if keys else f"`{command}` fetches and says what is.",
            )
        if len({c.key for c in found}) > 1 and any(name not in c.versions.names for c in found):
            raise UsageError(f"'{name}' names {len(found)} conflicts", "Give more of the id.")
        for conflict in found:  # several: all that clashes in one file
            if side not in conflict.choices:
                raise UsageError(
                    f"'{conflict.path}' is for programs, which look for it under this name: it cannot be "
                    "kept twice",
                    "Decide it by `ours` or `theirs`.",
                )
            wanted[conflict.key] = Decision(conflict.versions.mark, side)
    job.decide(wanted)


def _preview(plan: Plan | None, as_json: bool) -> int:
    paths = sorted(plan.files) if plan else []
    if as_json:
        findings = [output.finding_json(f) for f in plan.findings] if plan else []
        output.print_json(
            {"ok": True, "merges": plan is not None, "paths": paths, "findings": findings}
        )
        return 0
    output.tell_findings(plan.findings if plan else ())
    for path in paths:
        output.say(f"would change {path}")
    if plan is None:
        output.say("nothing to merge")
    return 0


def _report(done: Synced, as_json: bool) -> int:
    good = done.pushed.state == "pushed"
    if as_json:
        error = {"code": "push", "message": done.pushed.detail, "hint": None}
        output.print_json({
            "ok": good, **({} if good else {"error": error}), "brought": done.brought, "merged": done.merged,
            "commit": done.commit or None, "paths": list(done.paths),
            "decided": [decided_json(one) for one in done.decided],
            **output.pushed_json(done.pushed),
            "findings": [output.finding_json(f) for f in done.findings], "repaired": done.repaired,
        })  # fmt: skip
        return 0 if good else 1
    if done.repaired:
        output.tell(f"repaired: {done.repaired}")
    output.tell_findings(done.findings)
    for one in done.decided:
        output.say(decided_line(one))
    if done.brought:
        how = "merged" if done.merged else "brought"
        output.say(
            f"{how} {_count(done.brought, 'commit')}, {_count(len(done.paths), 'file')} changed"
        )
    elif done.commit:
        output.say(f"made anew {', '.join(done.paths)}")
    if good:
        output.say(f"in step with {done.pushed.detail}")
    else:
        output.tell(f"ai-kb: {done.pushed.detail}")
    return 0 if good else 1


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def conflict_json(conflict: Conflict) -> dict[str, Any]:
    """A conflict as JSON has it, with the whole text of all three versions."""
    versions = conflict.versions
    return {
        "node": conflict.node or None, "path": conflict.path, "title": conflict.title or None,
        "path_ours": versions.here or versions.path, "path_theirs": versions.there or versions.path,
        "name": conflict.key, "what": list(conflict.what), "deleted_by": conflict.gone or None,
        "choices": list(conflict.choices), "lines": [list(lines) for lines in conflict.lines],
        "base": _text(versions.base), "ours": _text(versions.ours), "theirs": _text(versions.theirs),
        "merged": _text(conflict.merged),
    }  # fmt: skip


def decided_json(one: Decided) -> dict[str, Any]:
    """A decision as JSON has it, with the files that `both` made."""
    made = [{"path": path, "id": node or None} for path, node in one.made]
    return {
        "name": one.key,
        "node": one.node or None,
        "path": one.path,
        "side": one.side,
        "made": made,
    }


def decided_line(one: Decided) -> str:
    """A decision in one line."""
    made = ", ".join(f"{path} ({node})" if node else path for path, node in one.made)
    return f"decided {one.key} ({one.path}): {one.side}" + (
        f", theirs is in {made}" if made else ""
    )


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


@click.command(
    "merge-file",
    hidden=True,
    epilog="\b\nExample:\n  ai-kb merge-file %O %A %B %P   (git calls this)",
)
@click.argument("base", type=click.Path())
@click.argument("ours", type=click.Path())
@click.argument("theirs", type=click.Path())
@click.argument("path")
def merge_file(base: str, ours: str, theirs: str, path: str) -> int:
    """Merge a note as git's merge drivers do: into OURS; exit code 1 with markers if it clashes."""
    from aikb.sync.driver import drive
    from aikb.tools.git import Git

    return 0 if drive(Git(os.getcwd(), os.environ), base, ours, theirs, path) else 1
