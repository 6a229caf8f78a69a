"""What Emacs says of an Org file: values that the door to Emacs makes and the rules compare."""

from __future__ import annotations

from typing import NamedTuple


class LintMessage(NamedTuple):
    """What one org-lint checker said of one line."""

    line: int
    checker: str
    message: str


class EmacsNode(NamedTuple):
    """A node as Emacs reads it; ``id`` and ``title`` are empty where it reads none."""

    line: int
    level: int
    id: str
    title: str
    tags: tuple[str, ...]
    properties: dict[str, str]


class Reading(NamedTuple):
    """Emacs's view of one file, or the error that kept it from having one.

    ``links`` are the targets of the id links that org-roam would store.
    """

    path: str
    lint: tuple[LintMessage, ...]
    nodes: tuple[EmacsNode, ...]
    links: tuple[str, ...]
    error: str
