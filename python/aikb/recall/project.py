"""Which project a directory belongs to, and what the vault's note says about it.  Only reads.

The name is that of the git remote, else of the directory.  Git is not asked: a process costs more than
the whole answer may, and ``.git/config`` can name programs that git would run.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import DiskError
from aikb.formats.project_note import FOLDER, clean_name, read_project

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aikb.formats.project_note import ProjectNote

_LARGEST = (
    1 << 16
)  # bytes that are read of any file: a session waits, and real ones have a few hundred
_DEEPEST = 64
_SECTION = re.compile(r'\s*\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]', re.IGNORECASE)
_URL = re.compile(r"\s*url\s*=\s*(.*)", re.IGNORECASE)


class Found(NamedTuple):
    """A project's note: where it lies in the vault, its bytes, and what it says."""

    path: str
    data: bytes
    note: ProjectNote


def project_names(directory: str) -> tuple[str, ...]:
    """What the project at *directory* may be called, the likeliest first.

    The remote ``origin`` (else the first that there is), then the repository's directory (of a work
    tree the main one's too), then the directory itself where there is no repository.
    """
    directory = os.path.realpath(directory)
    top, git = _repository(directory)
    names = []
    if git:
        common = _common(git)
        names.append(remote_name(_remote_url(os.path.join(common, "config"))))
        if common != git:
            names.append(_folder_name(common))
    names.append(os.path.basename(top or directory))
    return tuple(dict.fromkeys(filter(None, map(clean_name, names))))


def find_note(vault: str, names: Sequence[str]) -> Found | None:
    """The first of these projects' notes that the vault has; letters' case is not looked at.

    Raises:
        DiskError: it is there and cannot be read.
    """
    folder = os.path.join(vault, FOLDER)
    try:
        there = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DiskError(f"'{folder}' cannot be listed: {error.strerror}") from error
    by_name = {name.casefold(): name for name in reversed(there)} | {name: name for name in there}
    for name in names:
        file = by_name.get(f"{name}.md") or by_name.get(f"{name}.md".casefold())
        if file is None:
            continue
        data = _read(os.path.join(folder, file))
        if data is None:
            raise DiskError(f"'{FOLDER}/{file}' cannot be read, or is no plain file")
        text = data.decode("utf-8", "replace")
        return Found(f"{FOLDER}/{file}", data, read_project(text, file.removesuffix(".md")))
    return None


def remote_name(url: str) -> str:
    """The repository's name in a remote's address, in whatever form git takes it."""
    scheme, sign, rest = url.strip().partition("://")
    path = rest if sign else scheme
    if sign:
        path = path.split("?")[0].split("#")[0]
        _, slash, path = path.partition("/")
        if not slash:
            return ""
        if scheme.lower() != "file" and "%" in path:
            from urllib.parse import unquote  # late: a session's start waits for it

            path = unquote(path, errors="replace")
    elif not path.startswith(("/", ".", "~")) and ":" in path:  # host:path; or a drive's letter
        path = path.partition(":")[2]
    parts = [part for part in re.split(r"[/\\]", path) if part not in {"", ".", "..", ".git"}]
    return parts[-1].removesuffix(".git") if parts else ""


def _repository(directory: str) -> tuple[str, str]:
    """The work tree that *directory* stands in, and its git directory; empty: there is none."""
    for _ in range(_DEEPEST):
        place = os.path.join(directory, ".git")
        if os.path.isdir(place):
            return directory, os.path.realpath(place)
        if pointer := _line(place, "gitdir:"):
            return directory, os.path.realpath(os.path.join(directory, pointer))
        above = os.path.dirname(directory)
        if above == directory:
            break
        directory = above
    return "", ""


def _common(git: str) -> str:
    """The directory with the configuration: a linked work tree's is elsewhere."""
    pointer = _line(os.path.join(git, "commondir"), "")
    return os.path.realpath(os.path.join(git, pointer)) if pointer else git


def _folder_name(common: str) -> str:
    """The name of the repository that a work tree is linked to: ``name/.git``, ``name.git``."""
    base = os.path.basename(common)
    if base.startswith("."):
        base = os.path.basename(os.path.dirname(common))
    return base.removesuffix(".git")


def _line(path: str, begin: str) -> str:
    data = _read(path)
    text = data.decode("utf-8", "surrogateescape").strip() if data else ""
    return text.removeprefix(begin).strip() if text.startswith(begin) and "\0" not in text else ""


def _remote_url(config: str) -> str:
    data = _read(config)
    if not data:
        return ""
    urls: dict[str, str] = {}
    for remote, url in _remotes(data.decode("utf-8", "replace")):
        urls.setdefault(remote, url)
    return urls.get("origin") or next(iter(urls.values()), "")


def _remotes(text: str) -> Iterator[tuple[str, str]]:
    remote = None
    for line in re.sub(r"\\\r?\n", "", text).splitlines():
        if line.lstrip().startswith("["):
            section = _SECTION.match(line)
            remote = re.sub(r"\\(.)", r"\1", section[1]) if section else None
            line = line[section.end() :] if section else ""  # noqa: PLW2901 - a value may follow
        if remote is not None and (found := _URL.match(line)):
            yield remote, _value(found[1])


def _value(text: str) -> str:
    """A value as git reads it: quotes are taken away, ``#`` and ``;`` outside them end it."""
    plain, quoted, escaped = [], False, False
    for character in text:
        if escaped:
            plain.append(character)
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            plain.append(character)
    return "".join(plain).strip()


def _read(path: str) -> bytes | None:
    """A plain file's first bytes; a pipe or a device is not waited for, a link not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with open(descriptor, "rb") as file:
        return file.read(_LARGEST) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
