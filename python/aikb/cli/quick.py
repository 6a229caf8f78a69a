"""``find`` with plain words, answered without click: the agent waits for every import.

Only the common call is taken: words, ``--json``.  Whatever else is asked, and whatever is not as it
should be (no store, files changed since the cache was written), is left to the whole command line,
which gives the same answer.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from aikb.cli.text import NOTHING_FOUND, find_json, find_line, more_line, printable, to_json
from aikb.config import JOURNAL, cache_file, find_places
from aikb.errors import AikbError
from aikb.recall.find import DEFAULT_LIMIT, Filter
from aikb.sources.scan import scan
from aikb.tools.sqlite import NoteCache

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def quick_find(arguments: Sequence[str], env: Mapping[str, str]) -> int | None:
    """Answer ``find``'s *arguments*; None: ask the whole command line."""
    words = [word for word in arguments if word != "--json"]
    if not words or any(word.startswith("-") for word in words):
        return None
    try:
        places = find_places(env)
        cache = NoteCache(cache_file(places, os.path.realpath(places.store)))
        if not os.path.exists(cache.path):
            return None
        if os.path.isdir(os.path.join(places.store, JOURNAL)):
            return None
        found = cache.search(" ".join(words).split(), 4 * DEFAULT_LIMIT)
        if found is None or cache.fingerprint() != scan(places.store).fingerprint:
            return None
    except (AikbError, OSError):
        return None
    admitted = [note for note in found if Filter().admits(note)]
    more = len(admitted) > DEFAULT_LIMIT
    admitted = admitted[:DEFAULT_LIMIT]
    if "--json" in arguments:
        sys.stdout.write(f"{to_json(find_json(admitted, more=more))}\n")
    elif admitted:
        sys.stdout.write("".join(f"{printable(find_line(note))}\n" for note in admitted))
    else:
        sys.stderr.write(f"{NOTHING_FOUND}\n")
    if more and "--json" not in arguments:
        sys.stderr.write(f"{more_line(DEFAULT_LIMIT)}\n")
    return 0
