"""The pairs of a YAML block, each value as text: nothing is built, nothing recurses.

Most blocks are plain ``key: value`` lines and lists, which :func:`quick` reads; all others go through
PyYAML's event stream, so that no alias and no nesting can cost more than its own length.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aikb.model import Severity

_LINE = re.compile(r"([A-Za-z_][\w-]*(?: [\w-]+)*) *:(?: +(.*))?")
_ITEM = re.compile(r" *-(?: +(.*))?")
_PLAIN_START = frozenset("-?:,[]{}#&*!|>'\"%@`~=<")
_DEEPEST = 20
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TAG = r"[ \t]*#?[^\s\[\]{},#:'\"]+[ \t]*"
_HASHED = re.compile(rf"^(tags?):[ \t]*\[({_TAG}(?:,{_TAG})*,?)[ \t]*\][ \t]*$", re.MULTILINE)


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


def read_pairs(block: str) -> tuple[list[Pair], list[Problem]]:
    """What stands in the lines between the marks, and what is wrong with it; never raises."""
    pairs = quick(block)
    return thorough(block) if pairs is None else (pairs, [])


# -- the commonest forms, without a parser


def quick(block: str) -> list[Pair] | None:
    """The pairs of a block that has nothing but plain lines and lists; None: ask the parser."""
    if not block.replace("\n", "").isprintable():
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


def thorough(block: str) -> tuple[list[Pair], list[Problem]]:
    """The pairs of any block by PyYAML's events, and what is wrong with it."""
    import yaml  # late: most blocks do not need it

    pairs: list[Pair] = []
    try:
        aliased = _walk(
            yaml.parse(block, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), pairs
        )
    except _UnusableError as error:
        return [], [_invalid(error.line, error.why)]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return _rescued(
            block, _invalid(mark.line if mark else 0, error.problem or "it does not parse")
        )
    except yaml.YAMLError:  # the reader's: a character that YAML does not allow
        lines = block.split("\n")
        line = next((n for n, text in enumerate(lines) if not text.isprintable()), 0)
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


class _UnusableError(Exception):
    def __init__(self, line: int, why: str = "it holds no `key: value` lines") -> None:
        super().__init__()
        self.line = line
        self.why = why


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
            _check_shape(opened, line)
        elif isinstance(event, kinds.CollectionEndEvent):
            opened.pop()
            ends = len(opened) == 1
        elif isinstance(event, kinds.ScalarEvent | kinds.AliasEvent):
            text = _text_of(event)
            if isinstance(event, kinds.AliasEvent):
                aliased = line if aliased is None else aliased
            if not opened and text:
                raise _UnusableError(line)
            if not any(opened[1:]):
                texts.append(text)
            ends = len(opened) == 1
        if ends and key is None:
            key, key_line, texts = "".join(texts[:1]), line, []
        elif ends and key is not None:
            is_list = isinstance(event, kinds.CollectionEndEvent)
            pairs.append(Pair(key, texts if is_list or texts != [""] else [], key_line, is_list))
            key, texts = None, []
    return aliased


def _check_shape(opened: list[bool], line: int) -> None:
    if not opened[0]:
        raise _UnusableError(line)
    if len(opened) > _DEEPEST:
        raise _UnusableError(line, f"it nests deeper than {_DEEPEST}")


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
