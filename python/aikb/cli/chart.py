"""Audits in the terminal: a table, and a bar for each session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.cli.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aikb.audit.stats import Trend

_WIDTH = 40
_MOST_SESSIONS = 40
_HEAD = ("project", "sessions", "proposed", "created", "covered", "rejected", "direction")


def table(trends: Sequence[Trend], on_terminal: bool) -> Iterator[str]:
    """A row a project, then one a session; for a pipe the same with tabs."""
    rows = []
    for trend in trends:
        rows.append(
            (trend.project, str(len(trend.audits)), *map(str, trend.totals), trend.direction)
        )
        rows += [
            (f"  {a.time[:16].replace('T', ' ')}", a.session[:8], str(a.proposed), str(a.created),
             str(a.covered), str(a.rejected), a.agent)
            for a in trend.audits[-_MOST_SESSIONS:]
        ]  # fmt: skip
    if not rows:
        return
    rows = [tuple(map(one_line, row)) for row in rows]
    if not on_terminal:
        yield from ("\t".join(cell.strip() for cell in row) for row in (_HEAD, *rows))
        return
    import io

    from rich.console import Console
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    for name in _HEAD:
        made.add_column(name, justify="left" if name in {"project", "direction"} else "right")
    from rich.text import Text

    for row in rows:
        made.add_row(*map(Text, row))
    out = io.StringIO()
    Console(file=out, width=110, color_system=None).print(made)
    yield from (line.rstrip() for line in out.getvalue().splitlines())


def plot(trends: Sequence[Trend]) -> Iterator[str]:
    """For each project a bar a session: what was created, and behind it what was only proposed."""
    most = max((a.proposed for trend in trends for a in trend.audits), default=0) or 1
    scale = min(8, _WIDTH // most) or 1
    for trend in trends:
        yield one_line(f"{trend.project}: {trend.direction}")
        for a in trend.audits[-_MOST_SESSIONS:]:
            bar = "█" * (scale * a.created) + "░" * (scale * (a.proposed - a.created))
            yield f"  {a.time[5:16].replace('T', ' ')} {one_line(a.session[:8]):8} {bar or '·'} {a.proposed}"
    if trends:
        yield "█ created  ░ proposed only  · nothing proposed"
