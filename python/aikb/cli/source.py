"""Words that commands take in: texts from files, and outside material for ``--capture``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from aikb.cli import output
from aikb.cli.shared import read_text
from aikb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aikb.app import App
    from aikb.raw.capture import Source


private_option = click.option(
    "--allow-private",
    "private_hosts",
    multiple=True,
    metavar="HOST",
    help="Fetch from this host though its address is not public (an intranet).",
)


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that ``capture`` and ``new --capture`` have in common."""
    for option in (
        private_option,
        click.option(
            "--fetch", is_flag=True, help="Get the page: its text, the original beside it."
        ),
        click.option(
            "--excerpt-file",
            "excerpt_files",
            multiple=True,
            metavar="FILE",
            help="The words that matter, quoted; - is standard input. May be repeated.",
        ),
    ):
        command = option(command)
    return command


def obtain(
    app: App, source: str, title: str, how: tuple[bool, Sequence[str], Sequence[str]]
) -> Source:
    """What shall be captured, from the words of a command; *how* are the common options' values.

    Raises:
        UsageError: two of them are to be read from standard input.
    """
    from aikb.raw import capture as captures

    fetch, excerpt_files, private_hosts = how
    if [source, *excerpt_files].count("-") > 1:
        raise UsageError("only one of these can be standard input")
    if title and not title.isprintable():
        raise UsageError("a title is one line of visible characters")
    excerpts = [read_text(name) for name in excerpt_files]
    return captures.obtain(
        source, app.env, title=title, excerpts=excerpts, fetch=fetch, private_hosts=private_hosts
    )


def tell_problem(source: Source) -> None:
    """Say where a page was kept without its text."""
    if source.problem:
        output.tell(f"the original is kept, its text is not: {source.problem}")


def today() -> str:
    """The day, as nodes and captures have it."""
    return time.strftime("%Y-%m-%d")
