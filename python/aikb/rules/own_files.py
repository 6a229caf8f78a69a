"""What stands beside notes: ``ai-kb.toml`` can be read, ``.gitattributes`` and other files act on nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aikb.config import SETTINGS_FILE, read_settings
from aikb.errors import ConfigError
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_ATTRIBUTES = ".gitattributes"
_OBEYED = {  # by Emacs, direnv, Vim, git and ripgrep
    ".dir-locals.el", ".dir-locals-2.el", ".envrc", ".exrc", ".vimrc", ".nvimrc", ".nvim.lua",
    ".gitmodules", ".ignore", ".rgignore",
}  # fmt: skip
_ACTS = re.compile(
    r"(?:^|\s)(?:filter|diff|textconv|working-tree-encoding|eol|crlf|merge)=|(?:^|\s)(?:text(?:=\S*)?|ident|crlf)(?=\s|$)"
)
_AT = re.compile(r"\(at line (\d+), ")  # as tomllib says it
_OURS = re.compile(r"(?<=\s)merge=ai-kb-(?:generated|node|note)(?=\s|$)")


def check(path: str, data: bytes | None) -> Iterator[Finding]:
    """Findings about one of these files; none about any other, or about one that goes away."""
    if data is None:
        return
    if path == SETTINGS_FILE:
        try:
            read_settings(data.decode("utf-8", "replace"))
        except ConfigError as error:
            line = _AT.search(error.message)
            number = int(line.group(1)) if line else 1
            yield Finding(SETTINGS_FILE, number, "error", "bad-settings", error.message)
    elif path == _ATTRIBUTES:
        yield from _attributes(data)
    elif is_obeyed(path):
        yield Finding(
            path, 1, "error", "acting-file",
            "programs obey this file as soon as somebody works in its folder; a store has none, remove it",
        )  # fmt: skip


def is_obeyed(path: str) -> bool:
    """Whether other programs act on a file of this name."""
    return path.rpartition("/")[2].casefold() in _OBEYED


def _attributes(data: bytes) -> Iterator[Finding]:
    """A finding for each line that git would change bytes or run a program for."""
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        pattern, _, attributes = line.strip().partition(" ")
        if pattern.startswith("#") or not pattern:
            continue
        if match := _ACTS.search(_OURS.sub("", f" {attributes}".replace("\t", " "))):
            yield Finding(
                _ATTRIBUTES, number, "error", "git-attributes",
                f"`{match.group().strip()}` makes git change bytes, or run a program; remove it",
            )  # fmt: skip
