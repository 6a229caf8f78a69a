"""Where things are and how they behave: flag > environment > the store's ``ai-kb.toml`` > default.

Pure: the environment and the file's text are handed in (by :mod:`aikb.app`), so that a test or a
hook can never pick up the wrong HOME by accident.
"""

from __future__ import annotations

import posixpath
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

TYPES = ("principle", "preference", "procedure", "observation", "reference")
STATUSES = ("current", "contested", "superseded")
SETTINGS_FILE = "ai-kb.toml"
HEX = "0123456789abcdef"
JOURNAL = ".ai-kb/txn"  # in the store, while a write is under way or after its process died


class Places(NamedTuple):
    """Absolute directories: the store, and where caches and logs may be written."""

    store: str
    cache: str
    state: str


class Settings(NamedTuple):
    """How a store behaves; every value can stand in its ``ai-kb.toml``.

    ``index_budget`` is in bytes; ``allowed_secrets`` are beginnings of the hashes of what looks like a
    secret and may stand in the store; the others are in seconds.
    """

    types: tuple[str, ...] = TYPES
    index_budget: int = 24_000
    lock_seconds: float = 60.0
    lint_seconds: float = 10.0
    push_seconds: float = 20.0
    allowed_secrets: tuple[str, ...] = ()


class UserConfig(NamedTuple):
    """What stands in a person's ``config.toml``; it concerns a machine, not a store."""

    vault: str = ""


def find_places(env: Mapping[str, str], store: str | None = None) -> Places:
    """The directories by XDG rules; relative values of XDG variables are ignored, as it demands.

    Raises:
        ConfigError: HOME is not set and nothing else says where to look.
    """
    data = _base(env, "XDG_DATA_HOME", ".local/share")
    root = store or env.get("AI_KB_HOME") or (data and posixpath.join(data, "ai-kb"))
    if not root:
        raise ConfigError(
            "neither AI_KB_HOME nor HOME is set", "Set AI_KB_HOME to the store's directory."
        )
    if root.startswith("~/") and env.get("HOME"):
        root = posixpath.join(env["HOME"], root[2:])
    if not root.startswith("/"):
        raise ConfigError(f"the store's path '{root}' is not absolute", "Give a path from /.")
    cache = _base(env, "XDG_CACHE_HOME", ".cache") or posixpath.join(root, ".ai-kb")
    state = _base(env, "XDG_STATE_HOME", ".local/state") or posixpath.join(root, ".ai-kb")
    return Places(
        posixpath.normpath(root), posixpath.join(cache, "ai-kb"), posixpath.join(state, "ai-kb")
    )


def config_file(env: Mapping[str, str]) -> str:
    """Where a person's own configuration lies; empty if nothing says where."""
    base = _base(env, "XDG_CONFIG_HOME", ".config")
    return posixpath.join(base, "ai-kb", "config.toml") if base else ""


def read_user(text: str | None, path: str) -> UserConfig:
    """A person's configuration from its text; None means that there is no such file.

    Raises:
        ConfigError: the text is not TOML, a name is unknown, or a value is of the wrong kind.
    """
    if not text or not text.strip():
        return UserConfig()
    table = _parse(text, path)
    _refuse_unknown(table, {"vault", "session_end", "audit"}, path)  # the others: hooks/settings.py
    vault = table.get("vault", "")
    if not isinstance(vault, str):
        raise ConfigError(f"'{path}': vault must be a path", 'For example: vault = "~/Notes".')
    return UserConfig(vault)


def find_vault(env: Mapping[str, str], config: UserConfig, vault: str | None = None) -> str:
    """The vault's directory (10-sb-findability-plan.md): flag > AI_KB_VAULT > config > default.

    Raises:
        ConfigError: HOME is not set and nothing else says where to look, or the path is relative.
    """
    home = env.get("HOME", "")
    root = vault or env.get("AI_KB_VAULT") or config.vault
    root = root or (home and posixpath.join(home, "Documents", "SecondBrain"))
    if not root:
        raise ConfigError(
            "neither AI_KB_VAULT nor HOME is set",
            "Set AI_KB_VAULT to the vault, or give it with --vault.",
        )
    if root.startswith("~/") and home:
        root = posixpath.join(home, root[2:])
    if not root.startswith("/"):
        raise ConfigError(f"the vault's path '{root}' is not absolute", "Give a path from /.")
    return posixpath.normpath(root)


def cache_file(places: Places, real_store: str) -> str:
    """Where the cache of a store lies; *real_store* is its path without symbolic links."""
    return posixpath.join(places.cache, f"{zlib.crc32(real_store.encode()):08x}.db")


def _base(env: Mapping[str, str], variable: str, default: str) -> str:
    value = env.get(variable, "")
    if value.startswith("/"):
        return value
    home = env.get("HOME", "")
    return posixpath.join(home, default) if home else ""


def read_settings(text: str | None, path: str = SETTINGS_FILE) -> Settings:
    """Settings from the text of an ``ai-kb.toml``; None means that there is no such file.

    Raises:
        ConfigError: the text is not TOML, a name is unknown, or a value is of the wrong kind.
    """
    if not text or not text.strip():
        return Settings()
    table = _parse(text, path)
    values: dict[str, Any] = {}
    _refuse_unknown(table, {"types", "index", "seconds", "secrets"}, path)
    if "types" in table:
        values["types"] = _types(table["types"], path)
    if "index" in table:
        values["index_budget"] = _number(table["index"], "budget", path, 2_000)
    for name, seconds in _table(table.get("seconds", {}), "seconds", path).items():
        if name not in {"lock", "lint", "push"}:
            raise ConfigError(f"'{path}' has an unknown setting 'seconds.{name}'")
        values[f"{name}_seconds"] = _number({name: seconds}, name, path, 0)
    if "secrets" in table:
        values["allowed_secrets"] = _hashes(table["secrets"], path)
    return Settings(**values)


def _parse(text: str, path: str) -> dict[str, Any]:
    import tomllib  # late: most stores have no such file

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"'{path}' is not valid TOML: {error}") from None


def _refuse_unknown(table: Mapping[str, object], known: set[str], path: str) -> None:
    if unknown := sorted(set(table) - known):
        raise ConfigError(
            f"'{path}' has an unknown setting '{unknown[0]}'",
            f"Known are: {', '.join(sorted(known))}.",
        )


def _hashes(value: object, path: str) -> tuple[str, ...]:
    """Beginnings of SHA-256 hashes, long enough that no two things share one by chance."""
    table = _table(value, "secrets", path)
    hashes = table.get("allow", [])
    if set(table) - {"allow"} or not isinstance(hashes, list):
        raise ConfigError(f"'{path}': [secrets] holds a list named allow and nothing else")
    for digest in hashes:
        if not isinstance(digest, str) or not 16 <= len(digest) <= 64 or digest.strip(HEX):
            raise ConfigError(
                f"'{path}': secrets.allow holds hashes of 16 to 64 hexadecimal digits",
                "`ai-kb allow-secret` puts them there.",
            )
    return tuple(hashes)


def _types(value: object, path: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and _is_tag(v) for v in value):
        raise ConfigError(
            f"'{path}': types must be a list of tags", 'For example: types = ["recipe", "person"].'
        )
    return (*TYPES, *(v for v in value if v not in TYPES))


def _is_tag(value: str) -> bool:
    return bool(value) and all(c.isalnum() or c in "_@#%" for c in value)


def _table(value: object, name: str, path: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"'{path}': {name} must be a table", f"Write it below a line [{name}].")
    return value


def _number(table: object, name: str, path: str, least: float) -> Any:
    value = _table(table, "index", path).get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
        raise ConfigError(f"'{path}': {name} must be a number of at least {least:g}")
    return value
