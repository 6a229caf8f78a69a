"""What git is told and what it says, as values: environment, status, objects, a commit's stream."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_QUIET_SSH = "-oBatchMode=yes -oConnectTimeout=5"
SSH = f"ssh {_QUIET_SSH}"
DEFAULT_NAME = "ai-kb"
DEFAULT_EMAIL = "ai-kb@localhost"

UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
_KEPT = {
    "GIT_ALLOW_PROTOCOL",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_SSL_NO_VERIFY",
}
_HINTS = (
    ("dubious ownership", "The store belongs to another user: give it to yourself with `chown -R`."),
    ("'submodule.", "Take `.gitmodules` out of the store: a store has no submodules."),
    ("index file", "git's index is damaged: `ai-kb index` builds it anew from the last commit."),
    ("No space left", "The disk is full: make room and run the command again."),
    ("insufficient permission", "git has no permission to write below .git: see who owns it."),
)  # fmt: skip


class Dirty(NamedTuple):
    """A path that differs from HEAD: git's two letters, and the object that HEAD has there."""

    letters: str
    at_head: str | None


class Status(NamedTuple):
    """What one ``git status`` says: the commit that HEAD names, and what differs from it.

    ``ignored`` are files and folders (with ``/`` at their end) that are on disk and never committed;
    it is empty unless they were asked for.
    """

    head: str | None
    dirty: Mapping[str, Dirty]
    ignored: tuple[str, ...] = ()


class Identity(NamedTuple):
    """Who a commit is by."""

    name: str
    email: str

    @classmethod
    def of_config(cls, config: Mapping[str, str]) -> Identity:
        """The person that git's configuration names, or a neutral default."""
        name = "".join(c for c in config.get("user.name", "") if c not in "<>\n").strip()
        email = "".join(c for c in config.get("user.email", "") if c not in "<>\n ")
        return cls(name or DEFAULT_NAME, email or DEFAULT_EMAIL)


def git_environment(base: Mapping[str, str]) -> dict[str, str]:
    """The environment for git: nothing inherited from a hook, and nobody can be asked."""
    env = {k: v for k, v in base.items() if not k.startswith("GIT_") or k in _KEPT}
    env.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_ASKPASS="/bin/false",
        SSH_ASKPASS="/bin/false",
        SSH_ASKPASS_REQUIRE="never",
        GIT_OPTIONAL_LOCKS="0",
        GIT_LITERAL_PATHSPECS="1",
        GIT_EDITOR="/bin/false",
        GIT_PAGER="cat",
        LC_ALL="C.UTF-8",
    )
    # Always set: else a repository's own core.sshCommand goes before the person's GIT_SSH.
    program = env.get("GIT_SSH")
    env.setdefault("GIT_SSH_COMMAND", shlex.quote(program) if program else SSH)
    return env


def ssh_of(person: str) -> str:
    """The ssh that a person's own ``core.sshCommand`` names (a deploy key, say), asking nothing."""
    return f"{person} {_QUIET_SSH}" if person else SSH


def hint_for(said: str) -> str | None:
    """What mends what git complains of, where that is known."""
    return next((hint for words, hint in _HINTS if words in said), None)


def name_list(paths: Iterable[str]) -> bytes:
    """Paths as git reads them with ``-z --stdin``."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def read_status(text: str) -> Status:
    """Read ``git status --porcelain=v2 --branch -z``."""
    head = None
    dirty: dict[str, Dirty] = {}
    ignored = []
    for entry in text.split("\0"):
        kind, _, rest = entry.partition(" ")
        if kind == "#" and rest.startswith("branch.oid ") and not rest.endswith("(initial)"):
            head = rest.removeprefix("branch.oid ")
        elif kind == "1":
            letters, *_, at_head, _, path = rest.split(" ", 7)
            known = at_head if at_head.strip("0") else None
            dirty[path] = Dirty(letters.replace(".", " "), known)
        elif kind == "u":
            letters, path = rest[:2], rest.split(" ", 9)[9]
            dirty[path] = Dirty(letters, f"HEAD:{path}")
        elif kind == "?" and rest not in dirty:
            dirty[rest] = Dirty("??", None)
        elif kind == "!":
            ignored.append(rest)
    return Status(head, dirty, tuple(ignored))


def read_batch(out: bytes, count: int) -> list[bytes | None]:
    """Read what ``git cat-file --batch`` says of *count* objects; None for what is no blob."""
    blobs: list[bytes | None] = []
    at = 0
    for _ in range(count):
        end = out.index(b"\n", at)
        words = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if words[-1] == b"missing" or len(words) != 3:
            blobs.append(None)
            continue
        size = int(words[2])
        blobs.append(out[at : at + size] if words[1] == b"blob" else None)
        at += size + 1
    return blobs


def blob_id(data: bytes, *, sha256: bool) -> str:
    """The id under which git stores these bytes."""
    digest = hashlib.sha256 if sha256 else hashlib.sha1
    return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def is_sound_index(data: bytes) -> bool:
    """Whether the bytes of an index file agree with the checksum at their end (or it has none)."""
    if data[:4] != b"DIRC":
        return False
    for digest, size in ((hashlib.sha1, 20), (hashlib.sha256, 32)):
        if data[-size:] in (digest(data[:-size], usedforsecurity=False).digest(), bytes(size)):
            return True
    return False


def shown_url(url: str) -> str:
    """A remote's address without the password or token that may stand in it."""
    if url.startswith("ssh://"):  # the user is a part of the address, a password is not
        return re.sub(r"^(ssh://[^/@:]*):[^/@]*@", r"\1@", url)
    return re.sub(r"^([a-z][a-z0-9+.-]*://)[^/@]*@", r"\1", url)


def import_stream(
    files: Mapping[str, bytes | None],
    message: str,
    ref: str,
    parent: str | None,
    identity: Identity,
    merged: str | None = None,
) -> bytes:
    """One commit on top of *parent* (None: the first), with these files (None: removed).

    *merged* is the second parent of a merge; *files* are as against the first.
    """
    text = message.encode("utf-8", "replace")
    lines = [
        b"commit " + ref.encode(),
        b"committer " + f"{identity.name} <{identity.email}> {_now()}".encode("utf-8", "replace"),
        b"data %d" % len(text),
        text,
    ]
    if parent:
        lines.append(b"from " + parent.encode())
    if merged:
        lines.append(b"merge " + merged.encode())
    for path, data in files.items():
        if data is None:
            lines.append(b"D " + _quote(path))
        else:
            lines += [b"M 100644 inline " + _quote(path), b"data %d" % len(data), data]
    return b"\n".join([*lines, b"done", b""])


def _quote(path: str) -> bytes:
    """A path in the quoted form that fast-import reads back exactly."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"' + os.fsencode(escaped) + b'"'


def _now() -> str:
    return f"{int(time.time())} {time.strftime('%z', time.localtime())}"
