"""SessionStart: what the session is told, as the agent wants it (plan, Phase 2).

Answers in well under 100 ms, in any state of anything: what goes wrong is in the log and nothing is
said.  Startup, resume, clear, compact and fork get the same bytes, so that the agent keeps them once.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from aikb.config import cache_file, config_file, find_places, find_vault, read_user
from aikb.hooks import log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.config import Places
    from aikb.recall.startup import Project, Store, Waiting

EVENT = "SessionStart"
LONGEST = 10_000  # characters that the agent takes
_INDEX = "index.org"


def run(stdin: bytes, env: Mapping[str, str]) -> str:
    """The answer to a SessionStart event as one line of JSON; empty: say nothing."""
    try:
        text = startup(_event(stdin), env)
    except Exception as error:  # the session must start, whatever this is
        log.write(env, "trouble", detail=f"session-start: {type(error).__name__}: {error}")
        return ""
    if not text:
        return ""
    answer = {"hookEventName": EVENT, "additionalContext": text[:LONGEST]}
    return json.dumps({"hookSpecificOutput": answer}) + "\n"


def _event(stdin: bytes) -> dict[str, Any]:
    event = json.loads(stdin.decode("utf-8", "replace") or "{}")
    if not isinstance(event, dict):
        raise TypeError("the event is no JSON object")
    name = event.get("hook_event_name", EVENT)
    if name != EVENT:
        raise ValueError(f"called for {name!r}; it is registered for the wrong event")
    return event


def startup(event: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """What a session is told; empty where there is neither a vault nor a store.

    Raises:
        AikbError, OSError: something that should be read cannot be.
    """
    from aikb.recall.project import project_names
    from aikb.recall.startup import Waiting, startup_text

    names = project_names(_directory(event, env))
    vault = _vault(env)
    project = _project(vault, names) if vault else None
    store = _store(find_places(env), names, env)
    waiting = _waiting(vault, env) if vault else Waiting()
    shown = shown_path(vault, env) if vault else None
    return startup_text(shown, project, store, waiting, _blot)


def _directory(event: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """Where the session's project is: what the agent says stays the same although a shell moves."""
    for place in (env.get("CLAUDE_PROJECT_DIR"), event.get("cwd")):
        if isinstance(place, str) and place.startswith("/") and "\0" not in place:
            return place
    return os.getcwd()


def _vault(env: Mapping[str, str]) -> str | None:
    path = config_file(env)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except FileNotFoundError:
        text = None
    vault = find_vault(env, read_user(text, path))
    return vault if os.path.isdir(vault) else None


def _project(vault: str, names: Sequence[str]) -> Project | None:
    from aikb.recall.project import find_note
    from aikb.recall.startup import Project

    found = find_note(vault, names)
    return Project(found.path, found.note) if found else None


def _store(places: Places, names: Sequence[str], env: Mapping[str, str]) -> Store | None:
    """The org store, with the cache's count: a scan of its files would take too long."""
    from aikb.recall.startup import Store

    index = os.path.join(places.store, _INDEX)
    if not os.path.isfile(index):
        return None
    shown = shown_path(index, env)
    counts = _counts(cache_file(places, os.path.realpath(places.store)), names)
    if not counts:
        return Store(shown)
    name = next((name for name in names if counts[name]), names[0])
    return Store(shown, name, counts[name])


def _counts(cache: str, names: Sequence[str]) -> dict[str, int]:
    """How many nodes concern each of these projects; empty: the cache does not say."""
    if not names or not os.path.exists(cache):
        return {}
    from aikb.tools.sqlite import NoteCache

    known = NoteCache(cache)
    counts = {}
    for name in names:
        count = known.count_project(name)
        if count is None:
            return {}
        counts[name] = count
    return counts


def _waiting(vault: str, env: Mapping[str, str]) -> Waiting:
    """What waits for a person's word: flags now, new notes as the last worker or review counted them."""
    from aikb.audit.flags import count
    from aikb.audit.unreviewed import remembered
    from aikb.recall.startup import Waiting

    return Waiting(count(vault), remembered(log.state_folder(env), vault))


def _blot(text: str) -> str:
    from aikb.rules.credentials import blot

    return blot(text)


def shown_path(path: str, env: Mapping[str, str]) -> str:
    """A path as a shell takes it, short: every session pays for it."""
    home = env.get("HOME", "").rstrip("/")
    return "~" + path[len(home) :] if home and path.startswith(home + "/") else path
