"""Credentials must not enter the store: our own pack is the gate (facts/git-and-safety.md).

What is found is known by its line, its kind and a hash.  The secret itself leaves this room only to
be blotted out (:func:`blot`); no message, no ``repr`` shows it.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from aikb.rules.credential_context import CONTEXTS, in_tables, value_span
from aikb.rules.credential_judge import is_token
from aikb.rules.credential_patterns import PATTERNS
from aikb.rules.credential_text import View, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONG = re.compile(r"[A-Za-z0-9]{22}")
_compiled = lru_cache(maxsize=None)(re.compile)
_SHORTEST = 16  # hexadecimal digits of a hash that may stand for a secret


class Secret:
    """A credential that was found: where, of what kind, and the hash by which it can be allowed."""

    __slots__ = ("digest", "end", "kind", "line", "start", "value")

    def __init__(self, line: int, kind: str, value: str, start: int, end: int) -> None:
        self.line = line
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.digest = digest_of(value)

    def __repr__(self) -> str:
        return f"Secret(line={self.line}, kind={self.kind!r})"


class _Hit(NamedTuple):
    rank: int
    kind: str
    start: int
    end: int
    value: str


def digest_of(value: str) -> str:
    """The hash of a secret, whatever lines it was wrapped over."""
    return hashlib.sha256(re.sub(r"\s+", "", value).encode("utf-8", "replace")).hexdigest()


def is_allowed(digest: str, allowed: Iterable[str]) -> bool:
    """Whether a person allowed what has this hash; *allowed* are beginnings of hashes."""
    return any(len(a) >= _SHORTEST and digest.startswith(a) for a in allowed)


def find(text: str) -> list[Secret]:
    """The credentials in a text of any form, in order; each once for each place."""
    text = normalise(text)
    hits = list(_search(View.plain(text)))
    hits += [_Hit(len(PATTERNS) + 98, "password or token", s, e, text[s:e])
             for s, e in in_tables(text)] if "|" in text else []  # fmt: skip
    if "\n" in text or '"' in text or "'" in text:
        hits += _search(View.joined(text))
    hits.sort(key=lambda hit: (hit.rank, hit.start))
    kept: list[_Hit] = []
    for hit in hits:
        if not any(hit.start < k.end and k.start < hit.end for k in kept):
            kept.append(hit)
    kept.sort(key=lambda hit: hit.start)
    return [
        Secret(text.count("\n", 0, hit.start) + 1, hit.kind, hit.value, hit.start, hit.end)
        for hit in kept
    ]


def _search(view: View) -> Iterator[_Hit]:
    text, lower = view.text, view.text.lower()
    if _LONG.search(text):
        lower += "\nLONG"
    for rank, pattern in enumerate(PATTERNS):
        if any(word in lower for word in pattern.words):
            for match in _compiled(pattern.regex).finditer(text):
                start, end = match.span(match.lastindex or 0)
                if _stands_alone(view, *match.span()) and is_token(match.group(match.lastindex or 0)):
                    yield from _hit(view, rank, pattern.kind, start, end)
    for rank, context in enumerate(CONTEXTS, len(PATTERNS)):
        if any(word in lower for word in context.words):
            for match in _compiled(context.regex).finditer(text):
                if context.judge(match) and (not view.breaks or view.crosses(*match.span())):
                    start, end = value_span(match)
                    yield _Hit(
                        rank, context.kind, view.original(start),
                        view.original(end, end=True), text[start:end],
                    )  # fmt: skip


def _hit(view: View, rank: int, kind: str, start: int, end: int) -> Iterator[_Hit]:
    if not view.breaks or view.crosses(start, end):
        yield _Hit(
            rank, kind, view.original(start), view.original(end, end=True), view.text[start:end]
        )


def _stands_alone(view: View, start: int, end: int) -> bool:
    """Whether a match is no part of a longer word; where lines were joined words end as well."""
    text = view.text
    before, after = text[start - 1 : start], text[end : end + 1]
    if _in_word(before) and not view.is_break(start) and text[start - 2 : start] not in _ESCAPES:
        return False
    return not _in_word(after) or view.is_break(end)


_ESCAPES = frozenset({"\\n", "\\t", "\\r", "3D", "3d", "2F", "20", "3A"})


def _in_word(char: str) -> bool:
    return bool(char) and (char.isascii() and char.isalnum())


def blot(text: str, known: Iterable[Secret] = ()) -> str:
    """The text with every credential in it blotted out, and the *known* ones in whatever form.

    A known one is blotted out too where it stands without what gave it away, in another case, as
    part of a file name made of it, or cut off after eight characters.
    """
    found = find(text)
    if found:
        text = normalise(text)
        for secret in reversed(found):
            text = f"{text[: secret.start]}[{secret.kind}]{text[secret.end :]}"
    for secret in known:
        text = _blot_value(text, secret.value)
    return text


def _blot_value(text: str, value: str) -> str:
    letters = re.findall(r"[^\W_]", value.lower())
    if not letters:
        return text
    lower = text.lower()
    head = r"[\W_]*".join(map(re.escape, letters[: max(4, min(8, len(letters)))]))
    while match := re.search(head, lower):
        end, place = match.end(), min(8, len(letters))
        while place < len(letters) and (
            more := re.compile(r"[\W_]*" + re.escape(letters[place])).match(lower, end)
        ):
            end, place = more.end(), place + 1
        text = f"{text[: match.start()]}[…]{text[end:]}"
        lower = text.lower()
    return text
