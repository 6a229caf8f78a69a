"""A capture's proposal, alone or with the node that it grounds: one commit for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.formats.org.quote import one_line
from aikb.raw.capture import Source, Taken, take
from aikb.raw.library import Library
from aikb.writing.gate import Proposal
from aikb.writing.proposals import EditRequest, propose_edit

if TYPE_CHECKING:
    from aikb.model import Note
    from aikb.sources.org_store import OrgStore
    from aikb.writing.ground import Ground


def take_now(store: OrgStore, ground: Ground, source: Source, today: str) -> Taken:
    """What a source becomes in the store as it is."""
    return take(Library(store.root), source, today, ground.dirty)


def propose_capture(
    store: OrgStore, ground: Ground, source: Source, today: str, node: str
) -> tuple[Proposal, Taken, Note | None]:
    """Keep a source, and name it in a node's ``:SOURCE:`` if one is given."""
    taken = take_now(store, ground, source, today)
    message = f"capture: {one_line(taken.title, 100) or taken.path}"
    if not node:
        return Proposal(taken.changes, message), taken, None
    edit, note = propose_edit(store, ground.disk, node, EditRequest(source=taken.path), today)
    changes = (*taken.changes, *edit.changes)
    return Proposal(changes, message if taken.changes else edit.message), taken, note


def with_capture(proposal: Proposal, taken: Taken) -> Proposal:
    """A new node's proposal with its capture's files."""
    return proposal._replace(changes=(*taken.changes, *proposal.changes))
