"""Edits in a JSON text that leave every other byte as it is: where each value stands, put in, take out.

For files that people and other programs keep in their own order and layout.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'[ \t\r\n]*("(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+)')
_UNIT = "  "


class JsonTextError(ValueError):
    """The text is no JSON, or says something twice: ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


class Value(NamedTuple):
    """A value's place in the text; ``members`` of an object or a list, in their order."""

    start: int
    end: int
    kind: str  # "{", "[", or "" for everything else
    members: tuple[Member, ...] = ()

    def member(self, key: str) -> Member | None:
        """An object's member of that name."""
        return next((m for m in self.members if m.key == key), None)


class Member(NamedTuple):
    """A value in a container; ``start`` is where its key begins, in a list where it does itself."""

    key: str | None
    start: int
    value: Value


def scan(text: str) -> Value:
    """Where everything stands.

    Raises:
        JsonTextError: this is no JSON (comments and trailing commas are none), too deep, or an object
            names one key twice.
    """
    try:
        json.loads(text, parse_constant=_no_constant)
        return _value(text, _tokens(text))
    except json.JSONDecodeError as error:
        raise JsonTextError(error.lineno, f"{error.msg} (column {error.colno})") from None
    except RecursionError:
        raise JsonTextError(1, "it is nested too deeply") from None


def _no_constant(name: str) -> None:
    raise JsonTextError(1, f"'{name}' is no JSON")


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    place = 0
    while match := _TOKEN.match(text, place):
        yield match.span(1)
        place = match.end()


def _value(text: str, tokens: Iterator[tuple[int, int]]) -> Value:
    start, end = next(tokens)
    if text[start] not in "{[":
        return Value(start, end, "")
    return _container(text, tokens, start)


def _container(text: str, tokens: Iterator[tuple[int, int]], opening: int) -> Value:
    kind = text[opening]
    members: list[Member] = []
    keys = set()
    for start, end in tokens:
        if text[start] in "}]":
            return Value(opening, end, kind, tuple(members))
        if text[start] == ",":
            continue
        if kind == "{":
            key = json.loads(text[start:end])
            if key in keys:
                raise JsonTextError(line_of(text, start), f"'{key}' stands there twice")
            keys.add(key)
            next(tokens)  # the colon
            members.append(Member(key, start, _value(text, tokens)))
        elif text[start] in "{[":
            members.append(Member(None, start, _container(text, tokens, start)))
        else:
            members.append(Member(None, start, Value(start, end, "")))
    raise AssertionError("json.loads took what does not end")


def line_of(text: str, place: int) -> int:
    """The number of the line in which *place* stands."""
    return text.count("\n", 0, place) + 1


def at(value: Value, *keys: str | int) -> Value | None:
    """The value below *value* by names and numbers; None: it is not there."""
    for key in keys:
        if isinstance(key, str):
            found = value.member(key)
        else:
            found = value.members[key] if key < len(value.members) else None
        if found is None:
            return None
        value = found.value
    return value


def append(text: str, container: Value, item: Any, key: str | None = None) -> str:
    """The text with *item* as the container's last member, laid out as its neighbours are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if container.members:
        last = container.members[-1]
        gap = text[: last.start]
        gap = gap[len(gap.rstrip()) :]
        if "\n" in gap:
            gap = newline + gap.rpartition("\n")[2]
        elif len(container.members) == 1 and _colon(text) == ": ":
            gap = " "
        place, before, after = last.value.end, "," + gap, ""
        close = last.value.end
    else:
        base = _indent(text, container.start)
        wide = "\n" in text or container.start == _first(text)
        gap = newline + base + _unit(text) if wide else ""
        place, before, after = container.start + 1, gap, newline + base if wide else ""
        close = container.end - 1
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + _colon(text)
    if "\n" in gap:
        body = json.dumps(item, indent=_unit(text), ensure_ascii=False)
        body = body.replace("\n", newline + gap.rpartition("\n")[2])
    else:
        comma = ", " if _colon(text) == ": " else ","
        body = json.dumps(item, separators=(comma, _colon(text)), ensure_ascii=False)
    return text[:place] + before + name + body + after + text[close:]


def remove(text: str, container: Value, number: int) -> str:
    """The text without one member: what :func:`append` put there is gone without a trace."""
    members = container.members
    if len(members) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    if number:
        return text[: members[number - 1].value.end] + text[members[number].value.end :]
    return text[: members[0].start] + text[members[1].start :]


def _first(text: str) -> int:
    return len(text) - len(text.lstrip())


def _indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation: that of the first line that has any."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else _UNIT


def _colon(text: str) -> str:
    return ":" if re.search(r'"[ \t]*:\S', text) and '": ' not in text else ": "
