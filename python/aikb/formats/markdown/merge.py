"""Two versions of a Markdown note made one: front matter key by key, the body as text; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import STATUSES
from aikb.formats import threeway
from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.notes import UPDATED, first_date
from aikb.formats.markdown.write import quoted, scalar
from aikb.formats.org.merge import encode
from aikb.formats.threeway import Conflict, Merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.formats.threeway import TextMerger

_KEY = re.compile(r"(?![ \t#-])[\"']?([^\"':\n][^:\n]*?)[\"']?[ \t]*:(?=[ \t\n]|\Z)")
_SETS = frozenset({"tags", "tag", "aliases", "alias", "projects", "project", "cssclasses"})
_LATER = frozenset({*UPDATED, "last_curated"})
_RANK = {status: rank for rank, status in enumerate(("current", "superseded", "contested"))}
assert set(_RANK) == set(STATUSES)


class Front(NamedTuple):
    """A block: its first and last line, and the lines of each key (those above the first under ``""``)."""

    begin: str
    keys: dict[str, str]
    end: str


def merge_file(
    base: bytes | None, ours: bytes, theirs: bytes, merger: TextMerger, favour: str = ""
) -> Merge:
    """Merge a note that both sides changed (or made, where *base* is None).

    *favour* is the side that wins where the two clash.
    """
    simple, clashes = threeway.value(base, ours, theirs)
    if not clashes:
        return Merge(simple or b"")
    read = [MarkdownDocument("", data or b"") for data in (base, ours, theirs)]
    kinds = {document.front.kind for document in (read if base is not None else read[1:])}
    odd = any(d.decoded.problem or d.decoded.eol == "mixed" for d in read)
    if base is None or odd or len(kinds) > 1 or "bad" in kinds:
        if favour:
            return Merge(theirs if favour == "theirs" else ours)
        return Merge(ours, (Conflict("", "made twice" if base is None else "file"),))
    fronts = [_split(document) for document in read]
    front, disputed = _merge_fronts(fronts, read, favour)
    old, mine, hers = (document.body for document in read)
    body = threeway.text(old, mine, hers, merger, favour)
    above = read[1].text[: read[1].front.body].count("\n")
    conflicts = [Conflict("", _what(key), _line(fronts[1], key)) for key in disputed]
    conflicts += [Conflict("", "body", (a + above, b + above)) for a, b in body.clashes]
    eol, _ = threeway.value(*(d.decoded.eol for d in read))
    bom, _ = threeway.value(*(d.decoded.bom for d in read))
    as_in = read[1].decoded._replace(eol=eol, bom=bom)
    return Merge(encode(front + body.text, as_in), tuple(conflicts))


def with_values(data: bytes, values: Mapping[str, str]) -> bytes:
    """A note whose front matter has these values, other lines as they are."""
    document = MarkdownDocument("", data)
    front = _split(document)
    if document.front.kind == "none":
        front = Front("---\n", {}, "---\n\n")
    keys = front.keys | {key: f"{key}: {text}\n" for key, text in values.items()}
    text = front.begin + "".join(keys.values()) + front.end + document.body
    return encode(text, document.decoded)


def _split(document: MarkdownDocument) -> Front:
    lines = threeway.lines(document.text[: document.front.body])
    if not lines:
        return Front("", {}, "")
    keys: dict[str, str] = {}
    key = ""
    for line in lines[1:-1]:
        if match := _KEY.match(line):
            key = match.group(1).strip().lower()
        keys[key] = keys.get(key, "") + line
    return Front(lines[0], keys, lines[-1])


def _what(key: str) -> str:
    return "title" if key == "title" else f"property {key or 'comment'}"


def _line(front: Front, key: str) -> tuple[int, int]:
    """The lines of a key in its file."""
    keys = list(front.keys)
    above = keys[: keys.index(key)] if key in keys else []
    first = front.begin.count("\n") + sum(front.keys[k].count("\n") for k in above) + 1
    return first, max(first, first + front.keys.get(key, "").count("\n") - 1)


def _merge_fronts(
    fronts: Sequence[Front], read: Sequence[MarkdownDocument], favour: str
) -> tuple[str, list[str]]:
    """The merged block, and the keys that clash in it."""
    old, mine, hers = (front.keys for front in fronts)
    order = dict.fromkeys([*threeway.united(old, mine, hers), *mine, *hers])
    merged = []
    disputed = []
    for key in order:
        text, clashes = threeway.value(old.get(key, ""), mine.get(key, ""), hers.get(key, ""))
        if clashes:
            one = _merge_key(key, text, read)
            if one is None and not favour:
                disputed.append(key)
            text = one if one is not None else hers.get(key, "") if favour == "theirs" else text
        merged.append(text)
    begin, _ = threeway.value(*(front.begin for front in fronts))
    end, _ = threeway.value(*(front.end for front in fronts))
    return begin + "".join(merged) + end, disputed


def _merge_key(key: str, ours: str, read: Sequence[MarkdownDocument]) -> str | None:
    """The lines of one key that both sides changed; None where they clash."""
    base, mine, hers = (document.front.values.get(key, ()) for document in read)
    if mine == hers and key:
        return ours
    if key in _SETS:
        words = threeway.united(base, mine, hers)
        flow = all(key in d.front.lists and "[" in _split(d).keys.get(key, "") for d in read[1:])
        if flow:
            return f"{key}: [{', '.join(map(scalar, words))}]\n"
        return f"{key}:\n" + "".join(f"  - {scalar(word)}\n" for word in words)
    if key in _LATER and mine and hers:
        return f"{key}: {max(mine[0], hers[0], key=lambda v: (first_date(v), v))}\n"
    if key == "status" and mine and hers:
        best = max(mine[0], hers[0], key=lambda v: (_RANK.get(v.strip().lower(), -1), v))
        return f"{key}: {scalar(best)}\n"
    return None


def contested(data: bytes, against: str) -> bytes:
    """A note as contested; *against* says with what."""
    return with_values(data, {"status": "contested", "contested": quoted(against)})
