"""Hubs of a vault: which related notes have no map yet, and which maps are stale.

Pure proposals; making a hub goes through the write path.  A hub is never made on a schedule: it earns
its place where three or more related notes have none (10-sb-findability-plan.md, phase 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.markdown.notes import name_of
from aikb.index.summary import cut
from aikb.model import Draft, Finding
from aikb.writing.vault_proposals import link_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from aikb.links.names import Names
    from aikb.model import Note

    Links = Mapping[
        str, Sequence[tuple[str, int, str | None]]
    ]  # path: (target, line, resolved path)

HUB = "hub"
LEAST = 3
MOST = 40  # a tag with more notes is a department, and no map of it would be read
_LONGEST_LINE = 120


class Cluster(NamedTuple):
    """Related notes without a hub: by a shared ``tag``, or (empty) by links to each other."""

    name: str
    tag: str
    members: tuple[Note, ...]
    links: int


def propose_hubs(notes: Iterable[Note], links: Links) -> list[Cluster]:
    """Clusters without a hub, the most linked and then the largest first.

    *links* gives each note's links.  A hub covers a cluster if it bears its tag or links to most of it.
    """
    current = [note for note in notes if note.status != "superseded"]
    hubs = [note for note in current if note.type == HUB]
    others = {note.path: note for note in current if note.type not in {HUB, "project"}}
    mapped = [{path for _, _, path in links.get(hub.path, ())} for hub in hubs]
    edges = {
        path: {to for _, _, to in links.get(path, ()) if to in others and to != path}
        for path in others
    }
    tagged = list(_by_tag(others.values(), hubs, edges))
    within = {frozenset(n.path for n in cluster.members) for cluster in tagged}
    linked = [c for c in _by_links(others, edges) if not _is_part(c, within)]
    found = [c for c in (*tagged, *linked) if not _is_mapped(c, mapped)]
    return sorted(found, key=lambda c: (-c.links, -len(c.members), c.name.casefold()))


def _by_tag(
    notes: Iterable[Note], hubs: Sequence[Note], edges: Mapping[str, set[str]]
) -> Iterator[Cluster]:
    groups: dict[str, dict[str, Note]] = {}
    spelled: dict[str, str] = {}
    for note in notes:
        for tag in note.tags:
            parts = tag.split("/")
            for end in range(1, len(parts) + 1):
                name = "/".join(parts[:end])
                spelled.setdefault(name.casefold(), name)
                groups.setdefault(name.casefold(), {})[note.path] = note
    covered = {tag.casefold() for hub in hubs for tag in hub.tags}
    seen = set()
    for key in sorted(groups, key=lambda key: (-key.count("/"), key)):
        members = groups[key]
        paths = frozenset(members)
        if not LEAST <= len(members) <= MOST or paths in seen:
            continue
        seen.add(paths)  # a parent that has no more than its one child is no cluster of its own
        if key not in covered:
            yield Cluster(
                spelled[key], spelled[key], _ordered(members.values()), _count(paths, edges)
            )


def _by_links(notes: Mapping[str, Note], edges: Mapping[str, set[str]]) -> Iterator[Cluster]:
    """Notes that link to each other, both ways, directly or by one another."""
    left = {path for path in notes if edges[path]}
    while left:
        start = min(left)
        group, todo = {start}, [start]
        while todo:
            path = todo.pop()
            near = {to for to in edges[path] if path in edges[to]} - group
            group |= near
            todo += near
        left -= group
        if LEAST <= len(group) <= MOST:
            centre = max(sorted(group), key=lambda path: sum(path in edges[p] for p in group))
            members = _ordered(notes[path] for path in group)
            yield Cluster(notes[centre].title, "", members, _count(group, edges))


def _ordered(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(sorted(notes, key=lambda note: (note.title.casefold(), note.path)))


def _count(paths: Iterable[str], edges: Mapping[str, set[str]]) -> int:
    inside = set(paths)
    return sum(len(edges[path] & inside) for path in inside)


def _is_part(cluster: Cluster, within: Iterable[frozenset[str]]) -> bool:
    paths = {note.path for note in cluster.members}
    return any(paths <= other for other in within)


def _is_mapped(cluster: Cluster, mapped: Iterable[set[str | None]]) -> bool:
    paths = {note.path for note in cluster.members}
    return any(2 * len(paths & targets) >= len(paths) for targets in mapped)


def check_hubs(notes: Iterable[Note], links: Links) -> list[Finding]:
    """Stale entries of hubs: what leads nowhere or to a superseded note, and what is missing."""
    by_path = {note.path: note for note in notes}
    findings = []
    for hub in (note for note in by_path.values() if note.type == HUB):
        targets = set()
        for target, line, path in links.get(hub.path, ()):
            targets.add(path)
            if path is None or path not in by_path:
                why = (
                    f"the hub lists '{target[:80]}', which is no note; take the line out or mend it"
                )
            elif by_path[path].status == "superseded":
                why = f"the hub lists '{path}', which is superseded; name what took its place"
            else:
                continue
            findings.append(Finding(hub.path, line, "warning", "stale-hub-entry", why))
        findings += _missing(hub, targets, by_path.values())
    return sorted(findings, key=lambda f: (f.path, f.line, f.message))


def _missing(hub: Note, targets: set[str | None], notes: Iterable[Note]) -> Iterator[Finding]:
    wanted = {tag.casefold() for tag in hub.tags}
    for note in notes:
        if note.path in targets or note.type in {HUB, "project"} or note.status == "superseded":
            continue
        if wanted and wanted <= {tag.casefold() for tag in note.tags}:
            yield Finding(
                hub.path, 1, "warning", "hub-lacks",
                f"the hub does not list '{note.path}' ({note.title}), which has its tags",
            )  # fmt: skip


def find_cluster(clusters: Iterable[Cluster], name: str) -> Cluster | None:
    """The cluster that goes by a tag or a name."""
    wanted = name.strip().lstrip("#").casefold()
    return next((c for c in clusters if wanted in {c.tag.casefold(), c.name.casefold()}), None)


def draft_hub(cluster: Cluster, names: Names, title: str = "", purpose: str = "") -> Draft:
    """A hub's draft: title, a sentence that says what for, and a line for each note."""
    title = title or f"{cluster.name} hub"
    purpose = purpose or f"Where to begin with {cluster.name}: the notes on it, one line each."
    lines = []
    for note in cluster.members:
        said = cut(note.summary, _LONGEST_LINE).translate({ord(c): " " for c in "[]"})
        lines.append(f"- {link_to(note, names)}" + (f": {said}" if said.strip() else ""))
    tags = (cluster.tag,) if cluster.tag else _shared_tags(cluster)
    return Draft(title, HUB, tags, body="\n".join([purpose, "", "## Notes", "", *lines]))


def _shared_tags(cluster: Cluster) -> tuple[str, ...]:
    """The tags of most members, or the centre's name as one: a hub without a tag is found by nobody."""
    counts: dict[str, int] = {}
    for note in cluster.members:
        for tag in note.tags:
            counts[tag] = counts.get(tag, 0) + 1
    shared = tuple(tag for tag, count in sorted(counts.items()) if 2 * count > len(cluster.members))
    name = "-".join("".join(c if c.isalnum() else " " for c in cluster.name).split()).lower()
    return shared or (
        name if name and not name.isdecimal() else f"hub-{name_of(cluster.members[0].path)}",
    )
