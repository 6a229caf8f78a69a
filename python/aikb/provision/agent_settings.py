"""Our two hooks in the text of an agent's ``settings.json``: put in, taken out, everything else kept.

Pure.  What must stand there was tried on the agent: the end of a session has 1.5 s unless an entry of a
settings file names more, and an entry that names no time is cut off early even beside one that does.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

from aikb.errors import ConfigError
from aikb.formats import json_text
from aikb.formats.json_text import JsonTextError, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

EVENTS = {"SessionStart": "session-start", "SessionEnd": "session-end"}
SECONDS = 10
_BOM = "\ufeff"
_OURS = re.compile(r"ai-kb(?:\.sh)?['\"]?\s+hook\s+session-(?:start|end)\b")


def handler(event: str, program: str) -> dict[str, Any]:
    """The entry for one event; *program* is the absolute path of ``ai-kb``."""
    command = f"{shlex.quote(program)} hook {EVENTS[event]}"
    return {"type": "command", "command": command, "timeout": SECONDS}


def is_ours(entry: object) -> bool:
    """Whether a hook's entry runs our command, from whatever place."""
    command = entry.get("command") if isinstance(entry, dict) else None
    return isinstance(command, str) and bool(_OURS.search(command))


def with_hooks(text: str, program: str, path: str) -> str:
    """The settings with both hooks; the same text if they stand there just so.

    *text* may be empty: there is no such file yet.

    Raises:
        ConfigError: these are no settings that the agent would read.
    """
    mark, text = _split(text)
    if not text.strip():
        text = "{}\n"
    for event in EVENTS:
        _hooks(text, path)
        wanted = handler(event, program)
        here = [entry for entry in _entries(text, event) if is_ours(entry)]
        if here == [wanted]:
            continue
        text = _without(text, event)
        text = _append(text, event, {"hooks": [wanted]})
    return mark + text


def without_hooks(text: str, path: str) -> str:
    """The settings without any hook of ours, and without what would be left empty by that.

    Raises:
        ConfigError: these are no settings that the agent would read.
    """
    mark, text = _split(text)
    if not text.strip():
        return mark + text
    for event in EVENTS:
        _hooks(text, path)
        text = _without(text, event)
    return mark + text


def has_hooks(text: str) -> bool:
    """Whether any hook of ours is registered in a text that may be anything."""
    try:
        return any(is_ours(entry) for event in EVENTS for entry in _entries(_split(text)[1], event))
    except ValueError:
        return False


def are_off(text: str) -> bool:
    """Whether the settings turn all hooks off."""
    try:
        settings = json.loads(_split(text)[1])
    except ValueError:
        return False
    return isinstance(settings, dict) and settings.get("disableAllHooks") is True


def _split(text: str) -> tuple[str, str]:
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def _hooks(text: str, path: str) -> None:
    """Refuse what is not laid out as the agent's settings are."""
    try:
        root = json_text.scan(text)
    except JsonTextError as error:
        raise ConfigError(
            f"'{path}' is not valid JSON: {error}",
            "The agent ignores such a file (comments and trailing commas too): mend it, then run this "
            "again. Nothing was changed.",
        ) from None
    _expect(text, root, "{", "the settings", path)
    if (hooks := json_text.at(root, "hooks")) is None:
        return
    _expect(text, hooks, "{", "hooks", path)
    for event in EVENTS:
        if (groups := json_text.at(hooks, event)) is None:
            continue
        _expect(text, groups, "[", f"hooks.{event}", path)
        for group in groups.members:
            _expect(text, group.value, "{", f"an entry of hooks.{event}", path)
            if (entries := json_text.at(group.value, "hooks")) is not None:
                _expect(text, entries, "[", f"the hooks of an entry of hooks.{event}", path)


def _expect(text: str, value: Value, kind: str, what: str, path: str) -> None:
    if value.kind != kind:
        name = "an object" if kind == "{" else "a list"
        raise ConfigError(
            f"'{path}', line {json_text.line_of(text, value.start)}: {what} must be {name}",
            "The agent ignores such a file: mend it, then run this again. Nothing was changed.",
        )


def _entries(text: str, event: str) -> list[Any]:
    """All handlers of an event, of every group."""
    settings = json.loads(text)
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    found: list[Any] = []
    for group in groups if isinstance(groups, list) else ():
        entries = group.get("hooks") if isinstance(group, dict) else None
        found += entries if isinstance(entries, list) else ()
    return found


def _append(text: str, event: str, group: dict[str, Any]) -> str:
    root = json_text.scan(text)
    hooks = json_text.at(root, "hooks")
    if hooks is None:
        return json_text.append(text, root, {event: [group]}, "hooks")
    groups = json_text.at(hooks, event)
    if groups is None:
        return json_text.append(text, hooks, [group], event)
    return json_text.append(text, groups, group)


def _without(text: str, event: str) -> str:
    """The text without our handlers for an event, one after the other."""
    while (place := _find(text, event)) is not None:
        group, number = place
        text = _take(text, ["hooks", event, group, "hooks"], number)
        if _is_empty(text, "hooks", event, group, "hooks"):
            text = _take(text, ["hooks", event], group)
            for keys in (["hooks"], []):
                name = event if keys else "hooks"
                if _is_empty(text, *keys, name):
                    text = _take(text, keys, name)
    return text


def _find(text: str, event: str) -> tuple[int, int] | None:
    """The group and the number in it of our first handler."""
    groups = json_text.at(json_text.scan(text), "hooks", event)
    for group, member in enumerate(groups.members if groups else ()):
        entries = json_text.at(member.value, "hooks")
        for number, entry in enumerate(entries.members if entries else ()):
            if is_ours(json.loads(text[entry.value.start : entry.value.end])):
                return group, number
    return None


def _take(text: str, keys: Sequence[str | int], which: str | int) -> str:
    container = json_text.at(json_text.scan(text), *keys)
    if container is None:
        return text
    number = which
    if isinstance(number, str):
        number = [member.key for member in container.members].index(number)
    return json_text.remove(text, container, number)


def _is_empty(text: str, *keys: str | int) -> bool:
    value = json_text.at(json_text.scan(text), *keys)
    return value is not None and not value.members
