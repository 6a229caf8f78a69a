"""The YAML at the top of a Markdown note: every value as the text that the file has.

A date, a number or a boolean stays what somebody typed (see :mod:`~aikb.formats.markdown.pairs`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from aikb.formats.markdown.pairs import Pair, Problem, read_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST = 64 << 10
Values = dict[str, tuple[str, ...]]

_OPEN = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_KEY = r"[\"']?[^\W\d][\w -]{0,200}[\"']?[ \t]*:"
_KEY_LINE = re.compile(_KEY + r"(?:[ \t\n]|\Z)")
_INSIDE = re.compile(rf"(?:{_KEY}(?: .*)?|[ \t]*-(?: .*)?|[ \t]+.*|#.*|)\Z")


class FrontMatter(NamedTuple):
    """``values`` maps a key in small letters to its texts; ``body`` is the offset behind the block.

    ``kind`` is ``none`` where the note has no block, ``good``, or ``bad`` where it cannot be read;
    ``lists`` are the keys whose value is a list.
    """

    values: Values
    body: int
    kind: Literal["none", "good", "bad"]
    problems: tuple[Problem, ...]
    lists: frozenset[str] = frozenset()

    def first(self, *keys: str) -> str:
        """The first text under the first of these keys that has one, or an empty string."""
        for key in keys:
            for value in self.values.get(key, ()):
                if value:
                    return value
        return ""


def read_front_matter(text: str) -> FrontMatter:
    """The block at the top of a note's text (with ``\\n`` line ends); never raises."""
    opened = _OPEN.match(text)
    if not opened:
        return FrontMatter({}, 0, "none", tuple(_misplaced(text)))
    closed = _CLOSE.search(text, opened.end())
    if not closed:
        if not _KEY_LINE.match(text, opened.end()):
            return FrontMatter({}, 0, "none", ())  # a rule that somebody drew
        problem = Problem(
            1, "error", "front-matter-unclosed",
            "the front matter is never closed, so nothing of it is read; end it with a line ---",
        )  # fmt: skip
        return FrontMatter({}, opened.end(), "bad", (problem,))
    body = min(closed.end() + 1, len(text))
    block = text[opened.end() : closed.start()]
    if len(block) > LARGEST:
        problem = Problem(
            1, "error", "front-matter-too-large",
            f"{len(block):,} characters of front matter are not read; at most {LARGEST:,} are",
        )  # fmt: skip
        return FrontMatter({}, body, "bad", (problem,))
    pairs, problems = read_pairs(block)
    values = _gather(pairs, problems)
    lists = frozenset(pair.key.strip().lower() for pair in pairs if pair.is_list)
    problems += _doubled(text, body)
    bad = any(p.severity == "error" for p in problems)
    return FrontMatter(values, body, "bad" if bad else "good", tuple(problems), lists)


def _gather(pairs: Iterable[Pair], problems: list[Problem]) -> Values:
    """Pairs by key.  Of two with one key the first counts, but no tag is lost."""
    values: Values = {}
    for key, texts, line, _ in pairs:
        name = key.strip().lower()
        if name not in values:
            values[name] = tuple(texts)
            continue
        if name in {"tag", "tags"}:
            values[name] += tuple(texts)
        problems.append(
            Problem(
                line + 2, "warning", "front-matter-key-twice",
                f"'{name}' stands here a second time; give it once",
            )
        )  # fmt: skip
    return values


# -- blocks where none is read


def _misplaced(text: str) -> Iterator[Problem]:
    bare = text.lstrip(" \t\n")
    if len(bare) == len(text) or not _is_block(bare):
        return
    yield Problem(
        text.count("\n", 0, len(text) - len(bare)) + 1, "warning", "front-matter-not-first",
        "front matter is read only from the first line on; remove what stands above it",
    )  # fmt: skip


def _doubled(text: str, body: int) -> list[Problem]:
    rest = text[body : body + LARGEST]
    bare = rest.lstrip(" \t\n")
    if not _is_block(bare):
        return []
    line = text.count("\n", 0, body + len(rest) - len(bare)) + 1
    return [
        Problem(
            line, "warning", "front-matter-twice",
            "a second front matter is not read; move its lines into the first",
        )
    ]  # fmt: skip


def _is_block(text: str) -> bool:
    opened = _OPEN.match(text)
    if not opened or not _KEY_LINE.match(text, opened.end()):
        return False
    closed = _CLOSE.search(text, opened.end(), LARGEST)
    if not closed:
        return False
    return all(_INSIDE.match(line) for line in text[opened.end() : closed.start()].split("\n"))
