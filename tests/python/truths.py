"""The public collections, and what Emacs and org-roam wrote about them (corpora/truth/README.md)."""

from __future__ import annotations

import json
import lzma
import os
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.formats.org.document import Document
from aikb.formats.org.nodes import (
    file_drawer,
    heading_drawer,
    heading_tags,
    read_properties,
)
from aikb.sources.org_store import OrgStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_CHECKOUT = Path(__file__).resolve().parents[2]
CORPORA = Path(os.environ.get("AI_KB_CORPORA") or _CHECKOUT.parent / "shared" / "corpora")
SPECIAL = frozenset(
    {"ALLTAGS", "BLOCKED", "CATEGORY", "CLOCKSUM", "CLOCKSUM_T", "CLOSED", "DEADLINE", "FILE"}
    | {"ITEM", "PRIORITY", "SCHEDULED", "TAGS", "TIMESTAMP", "TIMESTAMP_IA", "TODO"}
)


class Difference(NamedTuple):
    """One place where we and Emacs disagree."""

    what: str
    where: str
    ours: object
    emacs: object


def names() -> list[str]:
    """The collections that are there."""
    return sorted(path.name.split(".")[0] for path in (CORPORA / "truth").glob("*.json.xz"))


def unpack(name: str, folder: Path) -> Path:
    """Unpack a collection and return its root."""
    with tarfile.open(CORPORA / "org" / f"{name}.tar.xz") as archive:
        archive.extractall(folder)  # our own archives; Python 3.11.2 has no filter
    return folder / name if (folder / name).is_dir() else folder


def load(name: str) -> dict[str, Any]:
    """What Emacs said."""
    return json.loads(lzma.decompress((CORPORA / "truth" / f"{name}.json.xz").read_bytes()))


def compare(root: Path, truth: Mapping[str, Any]) -> list[Difference]:
    """All places where ai-kb reads a collection other than Emacs and org-roam did."""
    store = OrgStore(str(root))
    documents = {
        state.path: Document(state.path, store.read(state.path)) for state in store.scan().files
    }
    found = list(_nodes(store, truth))
    for element in truth["element"]:
        found += _properties(documents[element["file"]], element)
        found += _headings(documents[element["file"]], element)
    found += _stored_properties(documents.values(), truth)
    return [*found, *_links(documents.values(), truth)]


def _nodes(store: OrgStore, truth: Mapping[str, Any]) -> Iterator[Difference]:
    """Ids, titles and tags, as the index gets them."""
    notes = store.snapshot().notes
    everywhere = {
        (element["file"], node_id)
        for element in truth["element"]
        for node_id in [element["fileid"], *(head["id"] for head in element["heads"])]
        if node_id
    }
    stored = {(node["file"], node["id"]): node for node in truth["roam"]["nodes"]}
    kept = {node_id for _, node_id in stored}
    ours = {(note.path, note.id): note for note in notes}
    for key in ours.keys() ^ stored.keys():
        # org-roam keeps one node for an id that stands in several files; we keep them all
        if key in ours and key in everywhere and key[1] in kept:
            continue
        yield Difference("node", key[0], key in ours and key[1], key in stored and key[1])
    tags: dict[str, set[str]] = {}
    for node_id, tag in truth["roam"]["tags"]:
        tags.setdefault(node_id, set()).add(tag)
    for key in ours.keys() & stored.keys():
        if ours[key].title != stored[key]["title"]:
            yield Difference("title", str(key), ours[key].title, stored[key]["title"])
        if ours[key].level != stored[key]["level"]:
            yield Difference("level", str(key), ours[key].level, stored[key]["level"])
        unique = sum(node_id == key[1] for _, node_id in ours) == 1
        if unique and set(ours[key].tags) != tags.get(key[1], set()):
            yield Difference("tags", str(key), set(ours[key].tags), tags.get(key[1], set()))


def _as_read(pairs: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """Lines of a drawer as Org's own functions answer: the first counts, KEY+ adds."""
    lines: dict[str, list[str]] = {}
    for key, value in pairs:
        lines.setdefault(key.upper(), []).append(value or "")
    return {
        key: " ".join([*values[:1], *lines.get(f"{key}+", [])])
        for key, values in lines.items()
        if not key.endswith("+") and values != ["nil"]
    }


def _properties(document: Document, element: Mapping[str, Any]) -> Iterator[Difference]:
    starts_with_heading = document.headings and document.headings[0].pos == 0
    drawer = None if starts_with_heading else file_drawer(document.text)
    ours = read_properties(drawer.group(1)) if drawer else {}
    emacs = _as_read(element["fileprops"])
    if ours != emacs:
        yield Difference("properties", document.path, ours, emacs)


def _headings(document: Document, element: Mapping[str, Any]) -> Iterator[Difference]:
    ours, emacs = document.headings, element["heads"]
    places = [(heading.pos + 1, heading.level) for heading in ours]
    expected = [(head["pos"], head["level"]) for head in emacs]
    if places != expected:
        yield Difference("headings", document.path, places, expected)
        return
    text = document.text
    for heading, head in zip(ours, emacs, strict=True):
        where = f"{document.path}:{head['line']}"
        drawer = heading_drawer(text, heading)
        for what, mine, theirs in (
            ("heading tags", list(heading_tags(text, heading)), head["tags"]),
            (
                "heading properties",
                read_properties(drawer.group(1)) if drawer else {},
                _as_read(head["props"]),
            ),
        ):
            if mine != theirs:
                yield Difference(what, where, mine, theirs)


def _stored_properties(
    documents: Iterable[Document], truth: Mapping[str, Any]
) -> Iterator[Difference]:
    ours = {(d.path, node.id): node.properties for d in documents for node in d.nodes}
    for node in truth["roam"]["nodes"]:
        key = (node["file"], node["id"])
        emacs = {k: v for k, v in node["properties"] if k not in SPECIAL}
        mine = {k: v for k, v in ours.get(key, {}).items() if k not in SPECIAL}
        if mine != emacs:
            yield Difference("stored properties", str(key), mine, emacs)


def _links(documents: Iterable[Document], truth: Mapping[str, Any]) -> Iterator[Difference]:
    ours = {
        (source, f"{link.target}::{link.search}" if link.search else link.target)
        for document in documents
        for link in document.links
        if (source := document.source_of(link))
    }
    emacs = {(s, target) for s, target, _, kind in truth["roam"]["links"] if kind == "id"}
    for source, target in sorted(ours ^ emacs):
        found = (source, target) in ours
        yield Difference("link", source, found and target, not found and target)
