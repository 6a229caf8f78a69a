"""Contradictions: two nodes marked as contested in one commit, and a person's decision carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import StoreError, UsageError
from aikb.formats.org.conflicts import KEY, Conflict, link, read_conflicts
from aikb.formats.org.document import Document
from aikb.formats.org.write import Edit
from aikb.links.expand import expand_short_ids
from aikb.links.graph import resolve
from aikb.model import Change
from aikb.writing.gate import Proposal
from aikb.writing.proposals import encoded, new_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.model import Note, Snapshot
    from aikb.sources.org_store import OrgStore


class Decision(NamedTuple):
    """What a person decided about a contested node; ``winner`` and ``body`` exclude each other.

    With neither the node is kept.  ``both``: what it was contested with stands too.
    """

    by: str
    because: str
    winner: str | None = None
    body: str | None = None
    both: bool = False


class Outcome(NamedTuple):
    """The nodes that a decision changed, by what they are afterwards."""

    note: Note
    verdict: str
    superseded: tuple[Note, ...]
    current: tuple[Note, ...]
    contested: tuple[Note, ...]


class Desk:
    """Several nodes changed at once, also where they stand in one file."""

    def __init__(self, store: OrgStore, snapshot: Snapshot, today: str) -> None:
        self._store = store
        self._snapshot = snapshot
        self._today = today
        self._files: dict[str, Document] = {}
        self._texts: dict[str, str] = {}
        self._touched: dict[str, Note] = {}

    def conflicts(self, note: Note) -> list[Conflict]:
        """A node's open conflicts, as they are now."""
        properties = next(n for n in self._document(note).nodes if n.id == note.id).properties
        return read_conflicts(properties.get(KEY, ""))

    def edit(self, note: Note) -> Edit:
        """A node as it is now, to be changed and :meth:`put` back."""
        document = self._document(note)
        return Edit(document.text, next(n for n in document.nodes if n.id == note.id))

    def put(self, note: Note, edit: Edit) -> None:
        """Take a node's changes over."""
        edit.set_property("UPDATED", self._today)
        self._texts[note.path] = edit.text

    def set_conflicts(self, edit: Edit, conflicts: Sequence[Conflict]) -> None:
        """Write a node's open conflicts; without any it is not contested any more."""
        edit.set_lines(KEY, [conflict.render() for conflict in conflicts])
        if conflicts:
            edit.set_property("STATUS", "contested")

    def changes(self) -> tuple[Change, ...]:
        """What became of the files."""
        changes = []
        for path, text in self._texts.items():
            before = self._files[path]
            after = encoded(before, expand_short_ids(text, self._snapshot.notes))
            if after != before.data:
                changes.append(Change(path, before.data, after))
        return tuple(changes)

    def _document(self, note: Note) -> Document:
        if note.path not in self._files:
            self._files[note.path] = Document(note.path, self._store.read(note.path))
        if note.path in self._texts:
            return Document(note.path, self._texts[note.path].encode())
        return self._files[note.path]


def propose_contest(
    store: OrgStore, snapshot: Snapshot, names: Sequence[str], why: str, who: str, today: str
) -> tuple[Proposal, list[Note]]:
    """Mark one node, or two against each other, as contested; the same again changes nothing.

    Raises:
        UsageError: a node against itself.
        StoreError: a node is superseded, which ended its say already.
    """
    notes = [resolve(name, snapshot.notes) for name in names]
    if len({note.id for note in notes}) != len(notes):
        raise UsageError("a node cannot contradict itself", "Name two nodes, or one.")
    for note in notes:
        if note.status == "superseded":
            raise StoreError(
                f"'{note.title}' is superseded: it holds no more, and nothing can contradict it",
                "Contest what took its place; `ai-kb show` names it.",
            )
    desk = Desk(store, snapshot, today)
    for note, other in zip(notes, [*notes[1:], *notes[:1]], strict=True):
        against = other if len(notes) > 1 else None
        new = Conflict(
            today, who, against.id if against else "", against.title if against else "", why
        )
        known = desk.conflicts(note)
        if any((c.other, c.why) == (new.other, why) for c in known):
            continue
        edit = desk.edit(note)
        desk.set_conflicts(edit, [*known, new])
        words = f" against {link(against.id, against.title)}" if against else ""
        edit.log(f"Contested [{today}] by {who}{words}: {why}")
        desk.put(note, edit)
    titles = " / ".join(note.title for note in notes)
    return Proposal(desk.changes(), f"contest: {titles}\n\nBy {who}: {why}"), notes


def propose_resolve(
    store: OrgStore, snapshot: Snapshot, name: str, decision: Decision, today: str
) -> tuple[Proposal, Outcome]:
    """Carry out what a person decided, on both sides of every conflict of the node.

    Whoever loses becomes superseded with a link to the winner, and all its conflicts end with it; a
    node of which no conflict is left is current again.

    Raises:
        StoreError: the node is not contested.
        UsageError, NodeNotFoundError: the winner is the node itself, superseded, or none.
    """
    note = resolve(name, snapshot.notes)
    if note.status != "contested":
        raise StoreError(
            f"'{note.title}' is not contested (it is {note.status})",
            "`ai-kb contest` opens a conflict; `ai-kb edit --status superseded` retires a node.",
        )
    desk = Desk(store, snapshot, today)
    by_id = {n.id: n for n in snapshot.notes}
    partners = [by_id[c.other] for c in desk.conflicts(note) if c.other in by_id]
    if decision.winner is not None:
        winner = _winner(note, resolve(decision.winner, snapshot.notes))
        losers, verdict = [note], "superseded"
    else:
        winner, verdict = note, "kept" if decision.body is None else "rewritten"
        losers = [] if decision.both else [p for p in partners if p.status == "contested"]
    losers = list(dict.fromkeys(losers))
    said = f"decided by {decision.by}: {decision.because}"

    ended = {n.id for n in losers} | ({note.id} if verdict != "superseded" else set())
    involved = [n for n in snapshot.notes if n.status == "contested" or n.id == winner.id]
    current: list[Note] = []
    contested: list[Note] = []
    for other in involved:
        if other in losers:
            continue
        known = desk.conflicts(other)
        left = [] if other.id == note.id else [c for c in known if c.other not in ended]
        if left == known and other.id not in {note.id, winner.id}:
            continue
        edit = desk.edit(other)
        if other.status == "contested":
            desk.set_conflicts(edit, left)
            (contested if left else current).append(other)
            if not left:
                edit.set_property("STATUS", "current")
        else:
            current.append(other)  # the winner, which nobody had contested
        if other.id == note.id and decision.body is not None:
            edit.replace_body(new_text(decision.body, snapshot))
        edit.log(f"{_words(other, note, winner, losers, verdict)} [{today}], {said}")
        desk.put(other, edit)
    for loser in losers:
        edit = desk.edit(loser)
        desk.set_conflicts(edit, [])
        edit.set_property("STATUS", "superseded")
        edit.set_lines("SUPERSEDED_BY", [link(winner.id, winner.title)])
        edit.log(f"Superseded by {link(winner.id, winner.title)} [{today}], {said}")
        desk.put(loser, edit)
    lines = [f"Superseded: {n.title} ({n.id}) by {winner.title} ({winner.id})" for n in losers]
    message = "\n".join(
        [f"resolve: {note.title} ({verdict})", "", said[0].upper() + said[1:], *lines]
    )
    outcome = Outcome(note, verdict, tuple(losers), tuple(current), tuple(contested))
    return Proposal(desk.changes(), message), outcome


def _winner(note: Note, winner: Note) -> Note:
    if winner.id == note.id:
        raise UsageError("a node cannot supersede itself", "Use --keep, or name the other node.")
    if winner.status == "superseded":
        raise UsageError(f"'{winner.title}' is superseded itself", "Name the node that holds now.")
    return winner


def _words(other: Note, note: Note, winner: Note, losers: Sequence[Note], verdict: str) -> str:
    """What the history of a node that stands says of a decision."""
    beaten = ", ".join(link(loser.id, loser.title) for loser in losers)
    if other.id == winner.id:
        word = "Rewritten" if verdict == "rewritten" else "Kept"
        return f"{word}; supersedes {beaten}" if beaten else word
    return f"Conflict with {beaten or link(note.id, note.title)} ended"
