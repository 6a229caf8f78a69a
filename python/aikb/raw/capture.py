"""Take outside material into ``raw/``: what there is to keep, and the files that it becomes."""

from __future__ import annotations

import os
import re
import stat
import sys
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from aikb.errors import DiskError, UsageError
from aikb.formats.org.capture import Record, as_text, render, sha256
from aikb.formats.org.quote import one_line, visible
from aikb.model import Change
from aikb.raw.library import Library, ending_of, slug_of
from aikb.rules.capture import LARGEST, armed
from aikb.tools import http, readable

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Mapping, Sequence

_URL = re.compile(r"https?://", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_IN_URL = "!#$%&'()*+,/:;=?@~-._"
_ENDINGS = {
    "text/html": ".html", "application/xhtml+xml": ".xhtml", "text/plain": ".txt",
    "text/markdown": ".md", "text/csv": ".csv", "application/json": ".json",
    "application/xml": ".xml", "text/xml": ".xml", "application/pdf": ".pdf", "image/png": ".png",
    "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp",
}  # fmt: skip


class Source(NamedTuple):
    """Outside material at hand: ``url`` or ``name`` says whose; ``original`` is None if not fetched."""

    url: str
    name: str
    title: str
    content_type: str
    excerpts: tuple[str, ...]
    text: str
    original: bytes | None
    problem: str = ""


class Taken(NamedTuple):
    """The value for ``:SOURCE:``, the new files, and whether the material was there already."""

    path: str
    changes: tuple[Change, ...]
    known: bool
    title: str


def is_url(source: str) -> bool:
    """Whether a SOURCE argument is an address."""
    return bool(_URL.match(source))


def obtain(
    source: str,
    env: Mapping[str, str],
    *,
    title: str = "",
    excerpts: Sequence[str] = (),
    fetch: bool = False,
    private_hosts: Collection[str] = (),
) -> Source:
    """Read or fetch what shall be captured.

    Raises:
        UsageError: the address or the file is none that can be captured.
        FetchError: the page cannot be had.
        DiskError: the file cannot be read.
    """
    words = tuple(filter(None, (visible(excerpt).strip("\n") for excerpt in excerpts)))
    if is_url(source):
        return _from_web(source, env, title, words, private_hosts if fetch else None)
    if _SCHEME.match(source):
        raise UsageError(f"'{source[:80]}' is neither http nor https", "Save it as a file first.")
    if fetch:
        raise UsageError("--fetch is for a URL", "A file is copied as it is.")
    data = _read_input() if source == "-" else read_outside(source)
    if not data:
        raise UsageError(f"'{source}' is empty: there is nothing to capture")
    name = "" if source == "-" else os.path.basename(source)
    return Source("", name, title, "", words, "", data)


def _from_web(
    url: str, env: Mapping[str, str], title: str, words: tuple[str, ...],
    private_hosts: Collection[str] | None,
) -> Source:  # fmt: skip
    url = clean_url(url)
    if private_hosts is None:
        return Source(url, "", title, "", words, "", None)
    page = http.fetch(url, env, private_hosts=private_hosts)
    reading = readable.read(page.data, page.content_type, env)
    return Source(
        url, "", title or reading.title, page.content_type, words,
        visible(reading.text).strip("\n"), page.data, reading.problem,
    )  # fmt: skip


def clean_url(url: str) -> str:
    """An address as it is kept: visible ASCII, no password in it.

    Raises:
        UsageError: it has one, or is no address.
    """
    if not url.isprintable() or " " in url:
        raise UsageError("a URL is one word of visible characters")
    scheme, _, rest = url.partition("://")
    host, path = _split_host(rest)
    if "@" in host:
        raise UsageError("the URL has a user name or password in it", "Leave it out.")
    try:
        host = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        host = ""
    if not re.fullmatch(r"[\w.-]+(?::\d+)?|\[[0-9A-Fa-f:.]+\](?::\d+)?", host):
        raise UsageError(f"'{url[:80]}' names no host")
    return f"{scheme.lower()}://{host}{quote(path, safe=_IN_URL)}"


def _split_host(rest: str) -> tuple[str, str]:
    found = re.search(r"[/?#\\]", rest)
    at = found.start() if found else len(rest)
    return rest[:at], rest[at:]


def read_outside(path: str) -> bytes:
    """The bytes of somebody's file: a regular one, no symbolic link, not too large.

    Raises:
        UsageError: it is none.
        DiskError: it cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if os.path.islink(path):
            raise UsageError(
                f"'{path}' is a symbolic link", "Name the file that it leads to."
            ) from None
        raise UsageError(f"'{path}' cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UsageError(f"'{path}' is no regular file")
    with open(descriptor, "rb") as file:
        try:
            data = file.read(LARGEST + 1)
        except OSError as error:
            raise DiskError(f"'{path}' cannot be read: {error.strerror}") from None
    return _bounded(data, path)


def _read_input() -> bytes:
    return _bounded(sys.stdin.buffer.read(LARGEST + 1), "standard input")


def _bounded(data: bytes, what: str) -> bytes:
    if len(data) > LARGEST:
        raise UsageError(
            f"'{what}' has more than {LARGEST >> 20} MiB",
            "Keep it outside the store, and capture the text that matters.",
        )
    return data


def take(library: Library, source: Source, today: str, uncommitted: Container[str]) -> Taken:
    """The files that a source becomes, or the capture that has it already; asked under the lock."""
    if source.url:
        return _take_page(library, source, today, uncommitted)
    data = source.original or b""
    if not source.excerpts and (path := _known_file(library, data, uncommitted)):
        return Taken(path, (), known=True, title=source.title or source.name or path)
    title = source.title or source.name or _first_words(data)
    stem = f"{today}-{slug_of(source.title or os.path.splitext(source.name)[0] or title)}"
    ending = ending_of(source.name, data)
    properties = {"FILE": one_line(source.name), "RETRIEVED": today}
    if _can_stand_alone(source.name, data) and not source.excerpts:
        path = library.free(stem, (ending,)) + ending
        return Taken(path, (Change(path, None, data),), known=False, title=title)
    return _with_record(library, source, properties, (stem, ending, title), uncommitted)


def _can_stand_alone(name: str, data: bytes) -> bool:
    """Whether a copy of the bytes is harmless to a person who visits it in Emacs."""
    return not name.lower().endswith((".org", ".org_archive")) and not armed(data)


def _known_file(library: Library, data: bytes, uncommitted: Container[str]) -> str:
    if path := library.same_bytes(data, "", uncommitted):
        return path
    digest = sha256(data)
    for path, record in library.records(digest, uncommitted):
        if record.properties.get("SHA256") == digest and not record.properties.get("URL"):
            return path
    return ""


def _take_page(library: Library, source: Source, today: str, uncommitted: Container[str]) -> Taken:
    address = source.url.partition("://")[2].partition("#")[0]
    title = source.title or address.rstrip("/")
    kind = source.content_type.partition(";")[0].strip().lower()
    properties = {
        "URL": source.url,
        "RETRIEVED": today,
        "CONTENT_TYPE": one_line(source.content_type),
    }
    fresh = Record(title, {}, source.excerpts, source.text)
    digest = fresh.content_digest if source.original is None else sha256(source.original)
    for path, record in library.records(digest, uncommitted):
        if record.properties.get("URL") != source.url:
            continue
        has_words = set(source.excerpts) <= set(record.excerpts)
        if record.properties.get("SHA256") == digest and has_words:
            return Taken(path, (), known=True, title=record.title)
    names = slug_of(source.title or address), _ENDINGS.get(kind, ".bin"), title
    return _with_record(library, source, properties, names, uncommitted)


def _with_record(
    library: Library, source: Source, properties: dict[str, str], names: tuple[str, str, str],
    uncommitted: Container[str],
) -> Taken:  # fmt: skip
    """A record, and beside it the original where that is harmless; else it stands in the record."""
    stem, ending, title = names
    base = library.free(stem, (".org", ending))
    record = Record(one_line(title) or "capture", properties, source.excerpts, source.text)
    changes = []
    if source.original is None:
        properties["SHA256"] = record.content_digest
    else:
        properties["SHA256"] = sha256(source.original)
        if record.excerpts or record.text:
            properties["TEXT_SHA256"] = record.content_digest
        if _can_stand_alone(source.name, source.original):
            beside = library.same_bytes(source.original, ending, uncommitted)
            if not beside:
                beside = base + ending
                changes.append(Change(beside, None, source.original))
            properties["ORIGINAL"] = beside
        else:
            record = record._replace(original=source.original)
    changes.append(Change(f"{base}.org", None, render(record).encode()))
    return Taken(f"{base}.org", tuple(changes), known=False, title=record.title)


def _first_words(data: bytes) -> str:
    text = as_text(data[:2000]) or ""
    return one_line(text.strip().partition("\n")[0], 60)
