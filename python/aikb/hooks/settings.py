"""What a person set for the end of a session, in ``$XDG_CONFIG_HOME/ai-kb/config.toml``.

Only these tables are read here; the vault's place and other tables are others' business::

    [session_end]
    enabled = true
    seconds = 30
    journal = "~/journal"          # else in the state folder
    memsearch = ["memsearch", "index"]

    [audit]
    command = ["my-agent", "--json"]   # [] means: no agent, only what can be seen without one
    seconds = 18
    bytes = 60000
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.config import config_file
from aikb.errors import ConfigError
from aikb.hooks.log import state_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

_SESSION_END = {"enabled", "seconds", "journal", "memsearch"}
_AUDIT = {"command", "seconds", "bytes"}


class HookSettings(NamedTuple):
    """How a session's end is looked after; times are in seconds.

    ``command`` is None where nobody named an agent: then ``claude``, if it is there.
    """

    enabled: bool
    seconds: float
    journal: str
    memsearch: tuple[str, ...]
    command: tuple[str, ...] | None
    agent_seconds: float
    diff_bytes: int


def load(env: Mapping[str, str]) -> HookSettings:
    """The settings in force.

    Raises:
        ConfigError: the file is no TOML, or a value is of the wrong kind; it is named.
    """
    path = config_file(env)
    tables: dict[str, Any] = {}
    try:
        with open(path, "rb") as file:
            import tomllib  # late: most people have no such file

            tables = tomllib.load(file)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise ConfigError(f"'{path}' cannot be read: {error}", "Mend it or take it away.") from None
    end = _table(tables, "session_end", _SESSION_END, path)
    audit = _table(tables, "audit", _AUDIT, path)
    enabled = end.get("enabled", True)
    if not isinstance(enabled, bool):
        raise ConfigError(f"'{path}': session_end.enabled must be true or false")
    return HookSettings(
        enabled,
        _number(end, "session_end", "seconds", 30.0, (3.0, 60.0), path),
        _journal(end.get("journal", ""), env, path),
        _words(end.get("memsearch", []), "session_end.memsearch", path),
        _words(audit["command"], "audit.command", path) if "command" in audit else None,
        _number(audit, "audit", "seconds", 18.0, (1.0, 55.0), path),
        int(_number(audit, "audit", "bytes", 60_000, (1_000, 1_000_000), path)),
    )


def _table(tables: dict[str, Any], name: str, known: set[str], path: str) -> dict[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise ConfigError(f"'{path}': {name} must be a table", f"Write it below a line [{name}].")
    if unknown := sorted(set(table) - known):
        raise ConfigError(
            f"'{path}' has an unknown setting '{name}.{unknown[0]}'",
            f"Known are: {', '.join(sorted(known))}.",
        )
    return table


def _number(
    table: dict[str, Any],
    name: str,
    key: str,
    default: float,
    bounds: tuple[float, float],
    path: str,
) -> float:
    value = table.get(key, default)
    least, most = bounds
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ConfigError(f"'{path}': {name}.{key} must be a number from {least:g} to {most:g}")
    return float(value)


def _words(value: object, name: str, path: str) -> tuple[str, ...]:
    good = isinstance(value, list) and all(isinstance(v, str) and "\0" not in v for v in value)
    if not good or (value and not value[0]):  # type: ignore[index]
        raise ConfigError(
            f"'{path}': {name} must be a list of words", f'For example {name} = ["program", "-x"].'
        )
    return tuple(value)  # type: ignore[arg-type]


def _journal(value: object, env: Mapping[str, str], path: str) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ConfigError(f"'{path}': session_end.journal must be the path of a folder")
    if value.startswith("~/"):
        value = os.path.join(env.get("HOME", "/"), value[2:])
    if value and not value.startswith("/"):
        raise ConfigError(f"'{path}': session_end.journal must begin with / or ~/")
    return value or os.path.join(state_folder(env), "journal")
