"""Audits as a PNG: for each project a line of what its sessions proposed, and one of what was created."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from aikb.errors import DiskError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.audit.stats import Trend

_WIDTH, _PANE = 900, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 30, 46, 34
_INK, _GRID, _PROPOSED, _CREATED = "#222222", "#dddddd", "#c05020", "#2060a0"
_MOST = 100  # sessions of a project; the last ones are shown


def draw(trends: Sequence[Trend], path: str) -> None:
    """Draw the projects below each other into *path*, which is replaced whole.

    Raises:
        UsageError: there is nothing to draw, or the name is no picture's.
        DiskError: the file cannot be written.
    """
    from PIL import Image, ImageDraw, ImageFont

    if not path.lower().endswith(".png"):
        raise UsageError(f"'{path}' does not end in .png")
    if not trends:
        raise UsageError("there is nothing to draw: no audit has ended yet")
    picture = Image.new("RGB", (_WIDTH, _PANE * len(trends)), "white")
    pen = ImageDraw.Draw(picture)
    fonts = ImageFont.load_default(15), ImageFont.load_default(12)
    for number, trend in enumerate(trends):
        _pane(pen, fonts, trend, number * _PANE)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        picture.save(temporary, format="PNG")
        os.replace(temporary, path)
    except OSError as error:
        raise DiskError(f"'{path}' cannot be written: {error.strerror or error}") from error


def _pane(pen: Any, fonts: Any, trend: Trend, top: int) -> None:
    audits = trend.audits[-_MOST:]
    most = max(2, *(audit.proposed for audit in audits))
    left, right = _LEFT, _WIDTH - _RIGHT
    upper, lower = top + _TOP, top + _PANE - _BOTTOM
    name = "".join(c if c.isprintable() else "?" for c in trend.project)[:60]
    pen.text((left, top + 10), f"{name}: {trend.direction}", fill=_INK, font=fonts[0])
    pen.text((right - 190, top + 12), "proposed", fill=_PROPOSED, font=fonts[1])
    pen.text((right - 100, top + 12), "created", fill=_CREATED, font=fonts[1])
    for value in range(0, most + 1, max(1, most // 4)):
        y = lower - (lower - upper) * value / most
        pen.line([(left, y), (right, y)], fill=_GRID)
        pen.text((left - 28, y - 7), str(value), fill=_INK, font=fonts[1])
    step = (right - left) / max(1, len(audits) - 1)
    for field, colour in (("proposed", _PROPOSED), ("created", _CREATED)):
        points = [
            (left + step * i, lower - (lower - upper) * getattr(audit, field) / most)
            for i, audit in enumerate(audits)
        ]
        pen.line(points, fill=colour, width=2)
        for x, y in points:
            pen.ellipse([(x - 3, y - 3), (x + 3, y + 3)], fill=colour)
    pen.text((left, lower + 8), audits[0].time[:10], fill=_INK, font=fonts[1])
    last = audits[-1].time[:10]
    pen.text(
        (right - pen.textlength(last, font=fonts[1]), lower + 8), last, fill=_INK, font=fonts[1]
    )
