"""The ``CONTESTED`` property: against what a node stands, why, since when, and who said so.

One line a conflict, so that Org shows it in the drawer and org-roam has its link as a backlink::

    :CONTESTED: 2026-05-24 by craig against [[id:1a2b…][Squash merges]]: they cannot both hold
"""

from __future__ import annotations

import re
from typing import NamedTuple

KEY = "CONTESTED"
_HEAD = r"\d{4}-\d\d-\d\d by "
_ONE = re.compile(
    rf"(?=({_HEAD}))(\d{{4}}-\d\d-\d\d) by (.*?)(?: against \[\[id:([^\]]+)\](?:\[([^\]]*)\])?\])?: "
    rf"(.*?)(?=$| {_HEAD}[^:]*?(?: against \[\[id:[^\]]+\](?:\[[^\]]*\])?\])?: )"
)


class Conflict(NamedTuple):
    """One conflict as a node's drawer has it; ``other`` is empty where no node is the opponent."""

    when: str
    who: str
    other: str
    title: str
    why: str

    def render(self) -> str:
        """The property's value."""
        against = f" against {link(self.other, self.title)}" if self.other else ""
        return f"{self.when} by {self.who}{against}: {self.why}"


def read_conflicts(value: str) -> list[Conflict]:
    """The conflicts in a property's whole value; what a person wrote freely is one without a date."""
    found = [Conflict(*(part or "" for part in m.groups()[1:])) for m in _ONE.finditer(value)]
    if not found and value.strip():
        return [Conflict("", "", "", "", value.strip())]
    return found


def issue_of(value: str) -> str:
    """The conflicts in a few words, opponents by short id."""
    return "; ".join(
        f"against {c.other[:8]}: {c.why}" if c.other else c.why for c in read_conflicts(value)
    )


def link(node_id: str, title: str) -> str:
    """An id link whose words cannot break it."""
    return f"[[id:{node_id}][{title.replace('[', '(').replace(']', ')')}]]"
