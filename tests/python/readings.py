"""Everything that ai-kb reads in a file, as plain values to compare with an expectation."""

from __future__ import annotations

from typing import Any

from aikb.formats.org.document import Document
from aikb.formats.org.nodes import heading_title
from aikb.formats.org.notes import read_notes
from aikb.formats.org.roam import read_refs, split_and_unquote


def reading(path: str, data: bytes) -> dict[str, Any]:
    """What a file says, in the words of ``corpora/cases/*.expect.txt``."""
    document = Document(path, data)
    notes = {note.id: note for note in read_notes(path, data, str)}
    first = document.nodes[0] if document.nodes and not document.nodes[0].level else None
    properties = {node.id: dict(node.properties) for node in document.nodes}
    titles = document.keywords.titles
    return {
        "file": {
            "id": first.id if first else None,
            "title": titles[0] if titles else path.rpartition(".")[0],
            "tags": sorted(document.keywords.filetags),
        },
        "nodes": [node.id for node in document.nodes],
        "levels": {node.id: node.level for node in document.nodes},
        "titles": {node_id: note.title for node_id, note in notes.items()},
        "tags": {node_id: sorted(set(note.tags)) for node_id, note in notes.items()},
        "properties": properties,
        "aliases": {
            node_id: split_and_unquote(values["ROAM_ALIASES"])
            for node_id, values in properties.items()
            if "ROAM_ALIASES" in values
        },
        "refs": {
            node_id: read_refs(values["ROAM_REFS"])[0]
            for node_id, values in properties.items()
            if "ROAM_REFS" in values
        },
        "headings": [
            heading_title(document.text, heading, document.keywords.todo)
            for heading in document.headings
        ],
        "id_links": [
            [source, link.target] for link in document.links if (source := document.source_of(link))
        ],
    }


def compare(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Where a reading is not as expected; what the expectation leaves out may be anything."""
    wrong = []
    for key, value in expected.items():
        if isinstance(value, dict) and isinstance(found.get(key), dict):
            wrong += [f"{key}: {line}" for line in compare(value, found[key])]
        elif key not in found or found[key] != value:
            wrong.append(f"{key}: expected {value!r}, found {found.get(key)!r}")
    return wrong
