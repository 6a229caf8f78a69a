"""``check``: all findings, and nothing changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.errors import UsageError

if TYPE_CHECKING:
    from aikb.model import Finding

_EPILOG = """\b
Examples:
  ai-kb check                 what is not committed yet
  ai-kb check note.org        one file, in the store or elsewhere
  ai-kb check --all           the whole store
  ai-kb check --staged        what `git commit` would take (the store's hook calls this)"""


@click.command(epilog=_EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--all", "everything", is_flag=True, help="Every note of the store.")
@click.option("--staged", is_flag=True, help="What git's index holds.")
@output.json_option
@click.pass_context
def check(
    ctx: click.Context, paths: tuple[str, ...], everything: bool, staged: bool, as_json: bool
) -> int:
    """Say what is wrong with notes; changes nothing.

    One finding a line: `file:line: severity code message`.  Exit code 1 if any is an error.
    """
    if sum((bool(paths), everything, staged)) > 1:
        raise UsageError("PATH, --all and --staged exclude each other")
    from aikb.provision.check import Checker

    app = output.app_of(ctx)
    checker = Checker(app.store, app.git, app.emacs, app.settings, app.backlinks)
    if staged:
        findings = checker.staged(os.environ.get("GIT_INDEX_FILE"))
    elif everything:
        findings = checker.everything()
    elif paths:
        findings = checker.paths([os.path.realpath(path) for path in _existing(app.root, paths)])
    else:
        findings = checker.uncommitted()
    return _print(findings, as_json)


def _existing(root: str, paths: tuple[str, ...]) -> list[str]:
    found = []
    for path in paths:
        inside = os.path.join(root, path)
        if os.path.exists(path):
            found.append(path)
        elif os.path.exists(inside):
            found.append(inside)
        else:
            raise UsageError(f"there is no file '{path}'")
    return found


def _print(findings: list[Finding], as_json: bool) -> int:
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json:
        rows = [output.finding_json(finding) for finding in findings]
        output.print_json({"ok": not errors, "errors": errors, "findings": rows})
    else:
        for finding in findings:
            output.say(finding.render())
        if not findings:
            output.tell("no findings")
        else:
            output.tell(f"{errors} errors, {len(findings) - errors} warnings")
    return 1 if errors else 0
