"""Before a write: which nodes say something near it, and whether it may go on all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import (
    DiskError,
    NearDuplicateError,
    NodeNotFoundError,
    StoreError,
    UsageError,
)
from aikb.formats.org.conflicts import link
from aikb.formats.org.document import Document
from aikb.formats.org.links import find_id_links
from aikb.formats.org.write import Edit
from aikb.links.graph import resolve
from aikb.model import Finding
from aikb.rules.near import Likeness, Weights, likeness, terms, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aikb.model import Change, Draft, Note, Snapshot
    from aikb.rules.near import Words
    from aikb.sources.org_store import OrgStore
    from aikb.writing.ground import Ground
    from aikb.writing.proposals import EditRequest

GUARDED_TYPES = frozenset({"preference", "principle", "procedure"})
_MOST_TERMS = 240
_MOST_ROWS = 64
_MOST_READ = 12
_MOST_NAMED = 5
_FEW = 3
_MOST_NEW = 8


class Near(NamedTuple):
    """A node that says something near a draft, and how near."""

    note: Note
    likeness: Likeness


class Found(NamedTuple):
    """A new node, and what says something near it."""

    note: Note
    near: list[Near]

    def warnings(self) -> list[Finding]:
        """What of it is so near that one of the two is too many."""
        return [
            Finding(
                self.note.path, 1, "warning", "near-node",
                f"{n.note.id[:8]} ({n.note.path}) says nearly the same; keep one, or link them",
            )
            for n in self.near if n.likeness.is_duplicate
        ]  # fmt: skip


# -- new


def guard_new(
    store: OrgStore, snapshot: Snapshot, draft: Draft, related: Sequence[str] = ()
) -> tuple[Draft, list[Near]]:
    """The draft with links to what it is *related* to, and what else it should link to.

    Raises:
        NearDuplicateError: the store says this already.
        NodeNotFoundError, AmbiguousNodeError: a related node is none.
    """
    named = [resolve(name, snapshot.notes) for name in related]
    labels = (*draft.tags, *draft.projects)
    near = find_near(store, snapshot, words_of(draft.title, labels, draft.body))
    _refuse(near, named)
    body = _with_links(draft.body, named)
    return draft._replace(body=body), _worth_linking(near, body)


def _refuse(near: Iterable[Near], named: Sequence[Note]) -> None:
    known = {note.id for note in named}
    same = [n.note for n in near if n.likeness.is_duplicate and n.note.id not in known]
    if same:
        raise NearDuplicateError(same)


def _with_links(body: str, named: Iterable[Note]) -> str:
    missing = [link(note.id, note.title) for note in _unlinked(body, named)]
    if not missing:
        return body
    before = body.rstrip("\n") + "\n\n" if body.strip() else ""
    return f"{before}Related: {', '.join(missing)}.\n"


def _unlinked(body: str, named: Iterable[Note]) -> list[Note]:
    targets = [found.target for found in find_id_links(body)]
    return [n for n in dict.fromkeys(named) if not any(map(n.id.startswith, targets))]


def _worth_linking(near: Iterable[Near], body: str) -> list[Near]:
    wanted = [n for n in near if n.note.status != "superseded"][:_MOST_NAMED]
    unlinked = _unlinked(body, [n.note for n in wanted])
    return [n for n in wanted if n.note in unlinked]


# -- commit


def near_new_files(store: OrgStore, ground: Ground, changes: Iterable[Change]) -> list[Found]:
    """The nodes in files that HEAD does not have yet, each with what says something near it.

    Somebody wrote them by hand, so nothing is refused; of many at once only the first few are looked
    at, for this is told and nobody waits for it gladly.  What lies about uncommitted is never named.
    """
    known = {note.id for note in ground.base.notes}
    changes = list(changes)
    unseen = ground.dirty.keys() - {change.path for change in changes}
    fresh = [
        note
        for change in changes
        if change.after is not None and change.path not in ground.base.files
        for note in ground.disk.files.get(change.path, ())[:1]
        if note.id not in known
    ]
    found = []
    for note in fresh[:_MOST_NEW]:
        body = own_body(store, note)
        draft = words_of(note.title, (*note.tags, *note.projects), body)
        near = [
            n for n in find_near(store, ground.disk, draft)
            if n.note.path != note.path and n.note.path not in unseen
        ]  # fmt: skip
        if worth := _worth_linking(near, body):
            found.append(Found(note, worth))
    return found


# -- edit


def guard_edit(
    store: OrgStore, snapshot: Snapshot, name: str, request: EditRequest, related: Sequence[str]
) -> tuple[EditRequest, list[Near]]:
    """The request with links to what the node is *related* to, and what else it should link to.

    Only what the edit brings near another node is refused, not what was near it before.

    Raises:
        NearDuplicateError: the node would say what another says already.
        UsageError: a body that agents go by is replaced without a reason.
        StoreError: the node is contested, and a person decides.
    """
    note = resolve(name, snapshot.notes)
    named = [resolve(other, snapshot.notes) for other in related]
    if any(other.id == note.id for other in named):
        raise UsageError("a node is not related to itself")
    _check_may_change(note, request)
    old = own_body(store, note)
    new = old if request.body is None else request.body
    if request.append:
        new = f"{new.rstrip()}\n\n{request.append}"
    near: list[Near] = []
    if new.strip() != old.strip():
        if request.body is not None and not request.reason and _agents_go_by(note):
            raise UsageError(
                f"'{note.title}' is a current {_type_of(note)}: replacing its body needs --reason",
                "Say what was wrong or has changed; it is kept in the history. If it contradicts "
                "what stands there, use `ai-kb contest` instead.",
            )
        near = _brought_near(store, snapshot, note, old, new)
        _refuse(near, named)
    missing = _unlinked(new, named)
    if missing:
        request = request._replace(append=_with_links(request.append or "", missing))
    return request, [n for n in _worth_linking(near, new) if n.note not in missing]


def _check_may_change(note: Note, request: EditRequest) -> None:
    if not note.issue or (request.body is None and request.status in {None, "contested"}):
        return
    raise StoreError(
        f"'{note.title}' is contested ({note.issue}); a person decides what becomes of it",
        f"Ask, then `ai-kb resolve {note.id[:8]} --keep`, `--supersede-by` or "
        "`--rewrite-body-file`; `--append-file` may add to what is known.",
    )


def _type_of(note: Note) -> str:
    return next((tag for tag in note.tags if tag in GUARDED_TYPES), "")


def _agents_go_by(note: Note) -> bool:
    return note.status == "current" and bool(_type_of(note))


def _brought_near(
    store: OrgStore, snapshot: Snapshot, note: Note, old: str, new: str
) -> list[Near]:
    """What the new body is near to, duplicates only where the old body was none."""
    labels = (*note.tags, *note.projects)
    draft = words_of(note.title, labels, new)
    near = [n for n in find_near(store, snapshot, draft) if n.note.path != note.path]
    if not any(n.likeness.is_duplicate for n in near):
        return near
    before = find_near(store, snapshot, words_of(note.title, labels, old))
    known = {n.note.id for n in before if n.likeness.is_duplicate}
    return [n for n in near if n.note.id not in known]


# -- the search


def find_near(store: OrgStore, snapshot: Snapshot, draft: Words) -> list[Near]:
    """The nodes that are about the same as a draft, nearest first.

    Title, labels and summary, which the cache holds, give the candidates; only their files are read.
    """
    candidates, weights = _candidates(store, snapshot, draft)
    found = []
    for note in candidates:
        labels = (*note.tags, *note.projects)
        other = words_of(note.title, labels, own_body(store, note))
        near = Near(note, likeness(draft, other, weights))
        if near.likeness.is_related:
            found.append(near)
    return sorted(found, key=lambda n: (-n.likeness.score, n.note.path, n.note.line))


def own_body(store: OrgStore, note: Note) -> str:
    """The text of a node as its file has it now."""
    try:
        document = Document(note.path, store.read(note.path))
    except (NodeNotFoundError, DiskError):  # gone since the snapshot: it says nothing
        return ""
    node = next((node for node in document.nodes if node.id == note.id), None)
    if node is None:
        return ""
    start, end = Edit(document.text, node).body()
    return document.text[start:end]


def _candidates(store: OrgStore, snapshot: Snapshot, draft: Words) -> tuple[list[Note], Weights]:
    """The notes that share most with a draft by title, labels and summary, and what terms weigh."""
    count = sum(map(len, snapshot.files.values()))
    common = max(20, min(count // 25, 200))
    finder, holders = store.holders(_asked(draft), common, snapshot)
    weights = Weights({term: len(rows) for term, rows in holders.items()}, count)
    scores: dict[int, float] = {}
    for term, rows in holders.items():
        if len(rows) > common:
            continue
        weight = weights.of(term) * (2 if term in draft.title else 1)
        for row in rows:
            scores[row] = scores.get(row, 0.0) + weight
    best = sorted(scores, key=lambda row: (-scores[row], row))[:_MOST_ROWS]
    places = finder.places(best)
    if places is None:
        store.distrust_cache()
        return _candidates(store, snapshot, draft)
    if len(places) < _FEW:  # all words are common here: who has all of the title's?
        places = list(dict.fromkeys([*places, *store.having(draft.title, _MOST_READ)]))
    ranked = []
    for node_id, path in places:
        note = next((n for n in snapshot.files.get(path, ()) if n.id == node_id), None)
        if note:
            label = set(terms(f"{note.title} {note.summary}"))
            share = weights.sum(label & draft.all) / (weights.sum(label) or 1) ** 0.5
            ranked.append((-share, path, note.line, note))
    return [entry[-1] for entry in sorted(ranked)[:_MOST_READ]], weights


def _asked(draft: Words) -> list[str]:
    """The terms worth looking up: the title's, then the longest."""
    rest = sorted(draft.all - draft.title, key=lambda term: (-len(term), term))
    return [*sorted(draft.title), *rest][:_MOST_TERMS]
