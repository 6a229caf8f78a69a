"""The YAML at the top of a Markdown note: every value as the text that the file has.

A date, a number or a boolean stays what somebody typed.  Most blocks are plain ``key: value`` lines
and lists, which :func:`_quick` reads; all others go through PyYAML's event stream, in which nothing
is built and nothing recurses, so that no alias and no nesting can cost more than its own length.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from aikb.model import Severity

LARGEST = 64 << 10
Values = dict[str, tuple[str, ...]]


_OPEN = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_KEY_LINE = re.compile(r"[\"']?[^\W\d][\w -]*[\"']?[ \t]*:(?:[ \t\n]|\Z)")
_INSIDE = re.compile(
    r"(?:[\"']?[^\W\d][\w -]*[\"']?[ \t]*:(?: .*)?|[ \t]*-(?: .*)?|[ \t]+.*|#.*|)\Z"
)
_ODD = re.compile(r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_LINE = re.compile(r"([A-Za-z_][\w-]*(?: [\w-]+)*) *:(?: +(.*))?")
_ITEM = re.compile(r" *-(?: +(.*))?")
_PLAIN_START = frozenset("-?:,[]{}#&*!|>'\"%@`~=<")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_HASHED = re.compile(
    r"^(tags?):[ \t]*\[((?:[ \t]*#?[^\s\[\]{},#:'\"]+[ \t]*,?)+)\][ \t]*$", re.MULTILINE
)


class Problem(NamedTuple):
    """What is wrong with a block: the file's line from 1, how bad, which finding, and its words."""

    line: int
    severity: Severity
    code: str
    message: str


class Pair(NamedTuple):
    """A key with its texts, the block's line from 0, and whether the value is a list."""

    key: str
    texts: list[str]
    line: int
    is_list: bool


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
    pairs = _quick(block)
    problems: list[Problem] = []
    if pairs is None:
        pairs, problems = _thorough(block)
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


# -- the commonest forms, without a parser


def _quick(block: str) -> list[Pair] | None:
    """The pairs of a block that has nothing but plain lines and lists; None: ask the parser."""
    if _ODD.search(block):
        return None
    pairs: list[Pair] = []
    open_list = False
    for number, line in enumerate(block.split("\n")):
        if not line.strip(" "):
            continue
        if open_list and (match := _ITEM.fullmatch(line)):
            item = _scalar(match.group(1) or "")
            if item is None:
                return None
            pairs[-1].texts.append(item)
            pairs[-1] = pairs[-1]._replace(is_list=True)
            continue
        match = _LINE.fullmatch(line)
        if not match:
            return None
        value = (match.group(2) or "").rstrip(" ")
        is_list = value[:1] == "["
        texts = _flow_list(value) if is_list else _one(value)
        if texts is None:
            return None
        open_list = not value
        pairs.append(Pair(match.group(1), texts, number, is_list))
    return pairs if _indented_alike(block) else None


def _indented_alike(block: str) -> bool:
    """Whether list items stand at one depth a list: a deeper one continues the line before."""
    depth = None
    for line in block.split("\n"):
        dash = line.find("-")
        if dash < 0 or line[:dash].strip():
            if line.strip():
                depth = None
            continue
        if depth is not None and dash != depth:
            return False
        depth = dash
    return True


def _one(value: str) -> list[str] | None:
    if not value:
        return []
    text = _scalar(value)
    return None if text is None else [text] if text else []


def _scalar(value: str) -> str | None:
    """The text of a plain or plainly quoted scalar; None where YAML has more to say."""
    value = value.strip(" ")
    if value in _NULLS:
        return ""
    first = value[0]
    if first in "'\"":
        inside = value[1:-1]
        if len(value) < 2 or value[-1] != first or first in inside or "\\" in inside:
            return None
        return inside
    if first in _PLAIN_START or ": " in value or " #" in value or value[-1] == ":" or "\t" in value:
        return None
    return value


def _flow_list(value: str) -> list[str] | None:
    if value[-1] != "]" or len(value) < 2:
        return None
    inside = value[1:-1].strip(" ")
    if not inside:
        return []
    texts = []
    for item in inside.split(","):
        bare = item.strip(" ")
        if not bare or any(c in bare for c in "[]{}#:"):
            return None
        text = _scalar(bare)
        if text is None or bare in _NULLS:
            return None
        texts.append(text)
    return texts


# -- everything else, by PyYAML


def _thorough(block: str) -> tuple[list[Pair], list[Problem]]:
    import yaml  # late: most blocks do not need it

    pairs: list[Pair] = []
    try:
        aliased = _walk(
            yaml.parse(block, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), pairs
        )
    except _NotAMappingError as error:
        return [], [_invalid(error.line, "it holds no `key: value` lines")]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return _rescued(
            block, _invalid(mark.line if mark else 0, error.problem or "it does not parse")
        )
    except yaml.YAMLError:  # the reader's: a character that YAML does not allow
        odd = _ODD.search(block)
        line = block.count("\n", 0, odd.start()) if odd else 0
        return [], [_invalid(line, "it has a character that YAML does not allow")]
    if aliased is None:
        return pairs, []
    problem = Problem(
        aliased + 2, "error", "front-matter-alias",
        "YAML aliases are not followed: they can fill the memory of what reads them; write the values out",
    )  # fmt: skip
    return pairs, [problem]


def _invalid(line: int, what: str) -> Problem:
    return Problem(
        line + 2, "error", "front-matter-invalid",
        f"the front matter is not valid YAML ({what}); nothing of it is read until this is mended",
    )  # fmt: skip


class _NotAMappingError(Exception):
    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


def _walk(events: Iterable[Any], pairs: list[Pair]) -> int | None:
    """Collect the pairs of the first document; returns the line of the first alias, if any.

    Sequences in sequences count as one (``[[a]]``), what stands in an inner mapping does not.
    """
    from yaml import events as kinds

    aliased: int | None = None
    opened: list[bool] = []  # for each collection that is open, whether it is a mapping
    key: str | None = None
    key_line = 0
    texts: list[str] = []
    for event in events:
        line = event.start_mark.line
        ends = False  # a key, or a value
        if isinstance(event, kinds.DocumentEndEvent):
            break
        if isinstance(event, kinds.CollectionStartEvent):
            opened.append(isinstance(event, kinds.MappingStartEvent))
        elif isinstance(event, kinds.CollectionEndEvent):
            opened.pop()
            ends = len(opened) == 1
        elif isinstance(event, kinds.ScalarEvent | kinds.AliasEvent):
            text = _text_of(event)
            if isinstance(event, kinds.AliasEvent):
                aliased = line if aliased is None else aliased
            if not opened and text:
                raise _NotAMappingError(line)
            if not any(opened[1:]):
                texts.append(text)
            ends = len(opened) == 1
        if opened and not opened[0]:
            raise _NotAMappingError(line)
        if ends and key is None:
            key, key_line, texts = "".join(texts[:1]), line, []
        elif ends and key is not None:
            is_list = isinstance(event, kinds.CollectionEndEvent)
            pairs.append(Pair(key, texts if is_list or texts != [""] else [], key_line, is_list))
            key, texts = None, []
    return aliased


def _text_of(event: Any) -> str:
    """A scalar as the file has it; an alias and YAML's null are nothing."""
    value: str = getattr(event, "value", "")
    return "" if not getattr(event, "style", None) and value in _NULLS else value


def _rescued(block: str, problem: Problem) -> tuple[list[Pair], list[Problem]]:
    """What can be had of a block that does not parse: ``tags: [#a, #b]``, in which # opens a comment."""
    match = _HASHED.search(block)
    if not match or "#" not in match.group(2):
        return [], [problem]
    texts = [item.strip() for item in match.group(2).split(",") if item.strip()]
    line = block.count("\n", 0, match.start())
    why = f"a # begins a comment; put quotes around each tag of `{match.group(1)}`, or leave the # out"
    return [Pair(match.group(1), texts, line, is_list=True)], [
        _invalid(line, why)._replace(severity="warning"),
    ]


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
