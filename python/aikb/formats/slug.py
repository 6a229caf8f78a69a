"""A file name's part from a title."""

from __future__ import annotations

import re
import unicodedata

from aikb.formats.lookalike import unmixed

_LONGEST = 60


def slugify(title: str) -> str:
    """A file name's part from a title: ASCII letters and digits and hyphens, at most 60.

    A letter that only looks like an ASCII one becomes that one where both stand in one word.
    """
    plain = unicodedata.normalize("NFKD", unmixed(title)).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(slug) > _LONGEST:
        slug = slug[: _LONGEST + 1].rpartition("-")[0] or slug[:_LONGEST]
    return slug or "node"
