"""``hook``: what an agent calls."""

from __future__ import annotations

import os
import sys

import click


@click.group()
def hook() -> None:
    """What an agent's sessions start."""


@hook.command("session-start")
def session_start() -> None:
    """Tell a session what it should know; the event is on standard input."""
    from aikb.hooks.session_start import run

    sys.stdout.write(run(sys.stdin.buffer.read(1 << 20), os.environ))
