"""Register our hooks with the agent, and take them back: ``settings.json`` on disk.

A symbolic link is followed and stays one; the file is replaced whole or not at all, and what it was
before lies beside it until taking the hooks back has put exactly that in its place again.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import AikbError, ChangedOnDiskError, ConfigError, DiskError
from aikb.provision.agent_settings import are_off, has_hooks, with_hooks, without_hooks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BACKUP = ".before-ai-kb"
PLUGIN = "memory"
_LARGEST = 4 << 20


class PluginActiveError(AikbError):
    """The plugin registers the same hooks: with both, each would run twice."""

    def __init__(self, name: str, settings: str, *, registered: bool) -> None:
        both = f", and '{settings}' has them too: each runs twice" if registered else ""
        super().__init__(
            f"the plugin '{name}' registers these hooks already{both}",
            "Run `ai-kb vault uninstall-hooks` to keep the plugin's only."
            if registered
            else f"Nothing is to be done; or run `claude plugin disable {name}` and this again.",
        )


class Plan(NamedTuple):
    """What shall become of a settings file; None: there is no such file, before or after."""

    path: str
    before: bytes | None
    after: bytes | None
    from_backup: bool = False

    @property
    def changes(self) -> bool:
        """Whether anything is to be done."""
        return self.before != self.after

    def diff(self) -> str:
        """What would change, as ``diff -u`` shows it."""
        old, new = (
            (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
            for data in (self.before, self.after)
        )
        lines = difflib.unified_diff(old, new, self.path, f"{self.path} (new)")
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in lines
        )


def config_folder(env: Mapping[str, str]) -> str:
    """Where the agent keeps its user's settings.

    Raises:
        ConfigError: nothing says where that is.
    """
    folder = env.get("CLAUDE_CONFIG_DIR") or (env.get("HOME") and f"{env['HOME']}/.claude")
    if not folder:
        raise ConfigError("HOME is not set", "Name the file with --settings.")
    return os.path.abspath(folder)


def plan_install(settings: str, program: str, env: Mapping[str, str]) -> Plan:
    """The settings with our hooks.

    Raises:
        ConfigError: the file is nothing that the agent would read.
        PluginActiveError: the plugin does it already.
        DiskError: it cannot be read.
    """
    before = _read(settings)
    text = _decoded(before, settings)
    if plugin := active_plugin(config_folder(env), text):
        raise PluginActiveError(plugin, settings, registered=has_hooks(text))
    after = with_hooks(text, program, settings).encode()
    return Plan(settings, before, before if after == before else after)


def plan_uninstall(settings: str) -> Plan:
    """The settings without our hooks: as they were, if nobody changed anything since.

    Raises:
        ConfigError, DiskError: as above.
    """
    before = _read(settings)
    text = _decoded(before, settings)
    after: bytes | None = without_hooks(text, settings).encode()
    if before is None or after == before:
        return Plan(settings, before, before)
    kept = _read(settings + BACKUP)
    original = _decoded(kept, settings + BACKUP) if kept is not None else ""
    if not has_hooks(original) and _same_but_ours(original, text, settings):
        return Plan(settings, before, kept, from_backup=True)
    return Plan(settings, before, after)


def carry_out(plan: Plan) -> str:
    """Do it; returns the backup's path, or nothing where there is none.

    Raises:
        ChangedOnDiskError: somebody changed the file since it was read.
        DiskError: the file system refuses.
    """
    backup = plan.path + BACKUP
    try:
        os.makedirs(os.path.dirname(plan.path), mode=0o700, exist_ok=True)
        target = os.path.realpath(plan.path)
        if not plan.from_backup and plan.before is not None:
            _replace(backup, plan.before, plan.path)
        if _read(plan.path) != plan.before:
            raise ChangedOnDiskError(plan.path)
        if plan.after is None:
            os.unlink(target)
        else:
            _replace(target, plan.after, target)
        if plan.from_backup:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(backup)
    except OSError as error:
        raise DiskError(f"'{plan.path}' cannot be written: {error.strerror}") from error
    return backup if not plan.from_backup and plan.before is not None else ""


def warnings(plan: Plan) -> Iterator[str]:
    """What a person should know although it is done."""
    if are_off((plan.after or b"").decode("utf-8", "replace")):
        yield f"'{plan.path}' has disableAllHooks: no hook runs until that is taken out"


# -- the plugin


def active_plugin(config: str, settings: str) -> str:
    """The name of our plugin where the agent would load it; empty where it would not."""
    try:
        enabled = json.loads(settings.removeprefix("\ufeff") or "{}")["enabledPlugins"]
        enabled = dict(enabled)
    except (ValueError, KeyError, TypeError):
        enabled = {}
    linked = os.path.join(config, "skills", PLUGIN)
    if enabled.get(f"{PLUGIN}@skills-dir") is not False and _is_our_plugin(linked):
        return f"{PLUGIN}@skills-dir"
    for name, folder in sorted(_installed(config)):
        if enabled.get(name) is True and _is_our_plugin(folder):
            return name
    return ""


def _installed(config: str) -> Iterator[tuple[str, str]]:
    """Name and folder of the plugins named like ours, as the agent's list has them."""
    data = _read_quietly(os.path.join(config, "plugins", "installed_plugins.json"))
    try:
        plugins = json.loads(data or b"{}").get("plugins", {})
        for name, places in plugins.items():
            for place in places if isinstance(places, list) else [places]:
                if name.partition("@")[0] == PLUGIN:
                    yield name, str(place.get("installPath", ""))
    except (ValueError, AttributeError):
        return


def _is_our_plugin(folder: str) -> bool:
    """Whether a plugin's hooks run our command: another one may have the same name."""
    data = _read_quietly(os.path.join(folder, "hooks", "hooks.json"))
    return data is not None and has_hooks(data.decode("utf-8", "replace"))


def _read_quietly(path: str) -> bytes | None:
    try:
        return _read(path)
    except DiskError:
        return None


# -- files


def _same_but_ours(original: str, now: str, settings: str) -> bool:
    """Whether *now* is what came of *original* by putting our hooks in."""
    program = _program(now)
    try:
        return bool(program) and with_hooks(original, program, settings) == now
    except ConfigError:
        return False


def _program(text: str) -> str:
    """The program that the registered hooks run."""
    import shlex

    groups = json.loads(text.removeprefix("\ufeff"))["hooks"].get("SessionStart", [])
    for group in groups:
        for entry in group.get("hooks", []):
            if has_hooks(json.dumps({"hooks": {"SessionStart": [{"hooks": [entry]}]}})):
                return shlex.split(entry["command"])[0]
    return ""


def _decoded(data: bytes | None, path: str) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        line = (data or b"").count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"'{path}' is not UTF-8 (line {line})",
            "Mend it, then run this again. Nothing was changed.",
        ) from None


def _read(path: str) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise DiskError(f"'{path}' is no plain file")
            return file.read(_LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DiskError(f"'{path}' cannot be read: {error.strerror}") from error


def _replace(target: str, data: bytes, like: str) -> None:
    """Put *data* at *target* in one step, with the rights of the file *like*."""
    fresh = f"{target}.{os.getpid()}.tmp"
    try:
        mode = stat.S_IMODE(os.stat(like).st_mode)
    except FileNotFoundError:
        mode = 0o600
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        os.replace(fresh, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise
