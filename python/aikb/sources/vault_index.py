"""``vault-index.json``: an index of a Markdown vault, ``{tag: [{path, title, summary}]}``, byte-stable.

One entry a line, so that a changed note is a changed line for each of its tags.
"""

from __future__ import annotations

import re
from json.encoder import encode_basestring
from typing import TYPE_CHECKING

from aikb.formats.unseen import in_json

if TYPE_CHECKING:
    from aikb.index.group import Index
    from aikb.model import Note

INDEX = "vault-index.json"
# Such a file begins so, by whomever it was made; a merge may have left its marks there.
_BEGIN = re.compile(
    rb"\s*\{\s*(?:<{7}[^\n]*\n\s*)?"
    rb'(?:\}|"(?:[^"\\]|\\.)*"\s*:\s*\[\s*(?:\]|\{\s*"(?:path|title|summary)"\s*:))'
)


def is_generated(data: bytes) -> bool:
    """Whether a file of this name has the form that we give it, and may be rewritten."""
    return bool(_BEGIN.match(data))


def is_index_page(path: str) -> bool:
    """Whether a path is the index's."""
    return path == INDEX


def render(index: Index) -> str:
    """The text of the index."""
    entries: dict[str, str] = {}
    sections = []
    for section in index.sections:
        for row in section.rows:
            if row.name not in entries:
                entries[row.name] = _entry(row.note)
        inside = ",\n".join([entries[row.name] for row in section.rows])
        sections.append(f" {_visible(encode_basestring(section.key))}: [\n{inside}\n ]")
    return "{\n" + ",\n".join(sections) + "\n}\n" if sections else "{}\n"


def _entry(note: Note) -> str:
    quoted = encode_basestring
    return _visible(
        f'  {{"path": {quoted(note.path)}, "title": {quoted(note.title)}, '
        f'"summary": {quoted(note.summary)}}}'
    )


def _visible(text: str) -> str:
    """JSON in which what no eye sees is escaped."""
    if text.isascii() and "\x7f" not in text:
        return text
    return in_json(text)
