"""What hooks and their worker did, how long it took, and why not: JSON lines, bounded in size.

A hook says nothing where an agent or a person would see it, so this is the only place where its
trouble shows.  ``ai-kb vault log`` prints it.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from aikb.config import find_places

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "sessions.log"
_LARGEST = 1 << 20  # then the file becomes the old one, and the one before it goes
_LONGEST = 600  # characters of a text


def state_folder(env: Mapping[str, str]) -> str:
    """Where everything of this room is kept.

    Raises:
        ConfigError: neither HOME nor anything else says where.
    """
    return find_places(env).state


def write(env: Mapping[str, str], event: str, **values: object) -> None:
    """Add one line; never raises, because there is nobody to hear it."""
    try:
        folder = state_folder(env)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        line = json.dumps({"time": now(), "event": event, **_short(values)}, ensure_ascii=False)
        path = os.path.join(folder, NAME)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o600)
        try:
            os.write(descriptor, line.encode("utf-8", "replace") + b"\n")
            if os.fstat(descriptor).st_size > _LARGEST:
                os.replace(path, path + ".1")
        finally:
            os.close(descriptor)
    except Exception:
        return


def read(env: Mapping[str, str], most: int) -> list[dict[str, Any]]:
    """The last *most* entries, oldest first; a line that was cut off is left out."""
    path = os.path.join(state_folder(env), NAME)
    entries: list[dict[str, Any]] = []
    for place in (path + ".1", path):
        try:
            with open(place, encoding="utf-8", errors="replace") as file:
                lines = file.read(4 * _LARGEST).splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                entries.append(entry)
    return entries[-most:] if most > 0 else []


def now() -> str:
    """The time as logs and jobs have it: local, with its zone, so that a person can read it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _short(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in values.items()
        if value not in (None, "")
    }
