"""Credentials must not enter the store: our own pack is the gate (facts/git-and-safety.md).

What is found is known by its line, its kind and a hash.  The secret itself leaves this room only to
be blotted out (:func:`blot`); no message, no ``repr`` shows it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.rules.credential_context import CONTEXTS, in_tables, of_providers, value_span
from aikb.rules.credential_judge import compiled, is_token, is_torn
from aikb.rules.credential_patterns import PATTERNS
from aikb.rules.credential_text import View, normalise
from aikb.rules.credential_words import SPOKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from aikb.rules.credential_context import Context

_CONTEXTS = (*CONTEXTS, *SPOKEN)
_RUN = re.compile(r"\S{16,}")
_LONG = re.compile(r"[A-Za-z0-9]{22}")
_ID = re.compile(
    r"\W*(?:id:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[^-\w]*\S?"
)
_BEFORE, _BEHIND = 260, 1200  # how far from its word a credential is looked for, in one line
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
    import hashlib  # late: it loads OpenSSL, for which a session's start would wait

    return hashlib.sha256(re.sub(r"\s+", "", value).encode("utf-8", "replace")).hexdigest()


def is_allowed(digest: str, allowed: Iterable[str]) -> bool:
    """Whether a person allowed what has this hash; *allowed* are beginnings of hashes."""
    return any(len(a) >= _SHORTEST and digest.startswith(a) for a in allowed)


def find(text: str) -> list[Secret]:
    """The credentials in a text of any form, in order; each once for each place."""
    text = normalise(text)
    hits = list(_search(View.plain(text)))
    if "|" in text:
        rank = len(PATTERNS) + len(_CONTEXTS)
        hits += [_Hit(rank, "password or token", a, b, text[a:b]) for a, b in in_tables(text)]
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
    runs = _runs(view)
    for rank, pattern in enumerate(PATTERNS):
        if any(w[1:] in lower if w[0] == "@" else w in runs for w in pattern.words):
            for found in compiled(pattern.regex).finditer(text):
                match = _alone(view, found)
                if match and is_token(match.group(match.lastindex or 0)):
                    span = match.span(match.lastindex or 0)
                    yield from _hit(view, rank, pattern.kind, match.span(), span)
    rank = len(PATTERNS)
    for context in _CONTEXTS:
        rank += 1
        for match in _near_words(context, text, lower):
            span = value_span(match)
            if context.judge(match) and (not view.breaks or _is_whole(view, match, span)):
                yield from _hit(view, rank, context.kind, match.span(), span)
    for span in of_providers(text):
        yield from _hit(view, rank, "provider's key", span, span)


def _is_whole(view: View, match: re.Match[str], span: tuple[int, int]) -> bool:
    """Whether the value's parts belong together; nothing but a space ends one without quotes."""
    if "u" not in match.re.groupindex or match.group("u") is None:
        return True
    first = view.first_break(*span)
    return is_torn(view.text[span[0] : first], view.text[first : span[1]])


def _runs(view: View) -> str:
    """The long words of a text in lower case; of joined lines those over which lines were joined."""
    runs = [
        match.group()
        for match in _RUN.finditer(view.text)
        if (not view.breaks or view.crosses(*match.span())) and not _ID.fullmatch(match.group())
    ]
    return "\n".join(runs).lower() + ("\nLONG" if any(map(_LONG.search, runs)) else "")


def _near_words(context: Context, text: str, lower: str) -> Iterator[re.Match[str]]:
    """The matches of a context's regex around its words, each in one line."""
    if context.whole or len(lower) != len(text):
        if any(word in lower for word in context.words):
            yield from compiled(context.regex).finditer(text)
        return
    windows: list[tuple[int, int]] = []
    for word in context.words:
        at = lower.find(word)
        while at >= 0:
            start = text.rfind("\n", max(0, at - _BEFORE), at) + 1 or max(0, at - _BEFORE)
            end = text.find("\n", at, at + _BEHIND)
            windows.append((start, min(len(text), at + _BEHIND) if end < 0 else end))
            at = lower.find(word, at + len(word))
    for start, end in _merged(windows):
        yield from compiled(context.regex).finditer(text, start, end)


def _merged(windows: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches that overlap as one."""
    start, end = -1, -1
    for first, last in sorted(windows):
        if first > end:
            if end >= 0:
                yield start, end
            start = first
        end = max(end, last)
    if end >= 0:
        yield start, end


def _hit(
    view: View, rank: int, kind: str, whole: tuple[int, int], span: tuple[int, int]
) -> Iterator[_Hit]:
    """A hit by its place in the file; of joined lines only what is not there without joining."""
    if not view.breaks or view.crosses(*whole):
        start, end = view.original(span[0]), view.original(span[1], end=True)
        yield _Hit(rank, kind, start, end, view.text[slice(*span)])


def _alone(view: View, match: re.Match[str]) -> re.Match[str] | None:
    """A match that is no part of a longer word; where lines were joined words end as well."""
    text, (start, end) = view.text, match.span()
    inside = _in_word(text[start - 1 : start]) and _in_word(text[start])
    if inside and not view.is_break(start) and text[start - 2 : start] not in _ESCAPES:
        return None
    if not (_in_word(text[end - 1]) and _in_word(text[end : end + 1])) or view.is_break(end):
        return match
    last = view.last_break(start, end)  # the next line's first word may have looked like more of it
    return match.re.fullmatch(text, start, last) if last else None


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
