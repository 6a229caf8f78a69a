"""What is remembered of each project, outside of it: its last audited commit and its last entry."""

from __future__ import annotations

import json
import os
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple

from aikb.hooks.log import state_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "projects"


class Known(NamedTuple):
    """The commit up to which a project was audited, that of its last journal entry, and the entry's mark."""

    audited: str = ""
    written: str = ""
    mark: str = ""


def load(env: Mapping[str, str], root: str) -> Known:
    """What is known of the project at *root*; nothing if the file is gone or damaged."""
    try:
        with open(_path(env, root), encoding="utf-8") as file:
            values = json.loads(file.read(1 << 16))
    except (OSError, ValueError):
        return Known()
    if not isinstance(values, dict):
        return Known()
    texts = [values.get(name) for name in Known._fields]
    return Known(*(text if isinstance(text, str) else "" for text in texts))


def save(env: Mapping[str, str], root: str, known: Known) -> None:
    """Remember; the file is whole at every moment.

    Raises:
        OSError: it cannot be written.
    """
    path = _path(env, root)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump({"root": root, **known._asdict()}, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def _path(env: Mapping[str, str], root: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", os.path.basename(root))[:40].strip("-") or "project"
    number = zlib.crc32(os.fsencode(root))
    return os.path.join(state_folder(env), FOLDER, f"{name}-{number:08x}.json")
