"""The door to a running Emacs: one request to sync its database, and nobody waits for the answer.

Nothing depends on it: a person who browses sees a new node at once instead of at the next switch.
So whatever goes wrong is silence, and the caller only looks whether there is a server.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECONDS = 5
_MOST = 4  # one request for each server; more of them than this is no person's machine
_DROPPED = ("ALTERNATE_EDITOR", "EMACS_SERVER_FILE", "EMACS_SOCKET_NAME")

# The whole group goes when all have answered, and when the time is over.
_ASK = f"""request=$1; shift
for socket; do
  emacsclient --socket-name="$socket" --eval "$request" & asked="$asked $!"
done
{{ sleep {_SECONDS}; kill -KILL 0; }} &
wait $asked
kill -KILL 0"""


def ask_to_sync(env: Mapping[str, str], store: str) -> None:
    """Ask each Emacs that serves this user to sync the database of *store*; returns at once.

    The request runs in a session of its own, bounded in time, with nothing to read from and
    nowhere to write to, so that whoever waits for our output does not wait for Emacs.
    """
    sockets = find_sockets(env)
    if not sockets:
        return
    import subprocess

    try:
        subprocess.Popen(
            ["/bin/sh", "-c", _ASK, "ai-kb", _request(store), *sockets[:_MOST]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Without an alternate editor: emacsclient would start one where nobody answers.
            env={k: v for k, v in env.items() if k not in _DROPPED},
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return


def _request(store: str) -> str:
    """What Emacs is asked: nothing where ai-kb is not loaded or browses another store."""
    name = os.path.realpath(store).replace("\\", "\\\\").replace('"', '\\"')
    return (
        "(and (fboundp 'ai-kb-db-sync) (fboundp 'ai-kb-core-true-directory)"
        f' (string= (ai-kb-core-true-directory ai-kb-directory) "{name}/") (ai-kb-db-sync))'
    )


def find_sockets(env: Mapping[str, str]) -> list[str]:
    """The sockets of this user's Emacs servers, where emacsclient looks for them; connects to none."""
    named = env.get("EMACS_SOCKET_NAME", "")
    if "/" in named:
        return [named] if _is_ours(named) else []
    folders = [os.path.join(env.get("TMPDIR") or "/tmp", f"emacs{os.getuid()}")]
    if runtime := env.get("XDG_RUNTIME_DIR"):
        folders.insert(0, os.path.join(runtime, "emacs"))
    found = []
    for folder in folders:
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        found += [os.path.join(folder, name) for name in names if not named or name == named]
    return [path for path in found if _is_ours(path)]


def _is_ours(path: str) -> bool:
    """Whether a path is a socket that nobody else could have put there."""
    try:
        entry = os.lstat(path)
        folder = os.stat(os.path.dirname(path))
    except OSError:
        return False
    mine = entry.st_uid == folder.st_uid == os.getuid()
    return mine and stat.S_ISSOCK(entry.st_mode)
