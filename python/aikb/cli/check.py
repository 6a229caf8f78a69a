"""``check``: all findings, and nothing changed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from aikb.cli import output
from aikb.cli.private import safe
from aikb.errors import UsageError
from aikb.formats.counted import counted

if TYPE_CHECKING:
    from aikb.model import Finding

_EPILOG = """\b
Examples:
  ai-kb check                 what is not committed yet
  ai-kb check note.org        one file, in the store or elsewhere
  ai-kb check --all           the whole store
  ai-kb check --stdin-as note.org <text    as if the file had this text (editors call this)
  ai-kb check --staged        what `git commit` would take (the store's hook calls this)"""


@click.command(epilog=_EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--all", "everything", is_flag=True, help="Every note of the store.")
@click.option("--staged", is_flag=True, help="What git's index holds.")
@click.option(
    "--stdin-as", metavar="PATH", help="Standard input, as if it were the text of this file."
)
@output.json_option
@click.pass_context
def check(
    ctx: click.Context, paths: tuple[str, ...], everything: bool, staged: bool,
    stdin_as: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Say what is wrong with notes; changes nothing.

    One finding a line: `file:line: severity code message`.  Exit code 1 if any is an error.
    """
    if sum((bool(paths), everything, staged, stdin_as is not None)) > 1:
        raise UsageError("PATH, --all, --staged and --stdin-as exclude each other")
    from aikb.provision.check import Checker

    app = output.app_of(ctx)
    checker = Checker(app.store, app.git, app.emacs, app.settings, app.backlinks)
    if staged:
        findings = checker.staged(os.environ.get("GIT_INDEX_FILE"))
    elif stdin_as is not None:
        findings = checker.text(_named(app.root, stdin_as), sys.stdin.buffer.read())
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


def _named(root: str, path: str) -> str:
    """The absolute name of a file that need not be there, its folder's links resolved.

    Raises:
        UsageError: it is a folder, or no name at all.
    """
    beside = os.path.abspath(path)
    inside = os.path.join(root, path)
    name = inside if not os.path.exists(beside) and os.path.exists(inside) else beside
    if not os.path.basename(path) or os.path.isdir(name):
        raise UsageError(f"'{path}' names no file")
    return os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))


def _print(findings: list[Finding], as_json: bool) -> int:
    names = {path: safe(path) for path in {finding.path for finding in findings}}
    findings = [finding._replace(path=names[finding.path]) for finding in findings]
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
            warnings = counted(len(findings) - errors, "warning")
            output.tell(f"{counted(errors, 'error')}, {warnings}")
    return 1 if errors else 0
