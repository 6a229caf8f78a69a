"""The captures that a store has: which files, which bytes are there already, which names are free."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING

from aikb.errors import DiskError
from aikb.formats.lookalike import unmixed
from aikb.formats.org import capture
from aikb.rules.capture import FOLDER, LARGEST
from aikb.sources.captures import list_captures
from aikb.writing.files import read_or_none

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from aikb.formats.org.capture import Record

_LONGEST = 60
_HEAD = 8000  # a record's properties stand in its first bytes
# What Emacs and a file manager show without doing anything; others become .txt or .bin.
_KEPT = frozenset({
    "bib", "bmp", "c", "cfg", "conf", "cpp", "css", "csv", "diff", "docx", "eml", "epub", "gif", "go",
    "h", "htm", "html", "ini", "java", "jpeg", "jpg", "js", "json", "log", "md", "mp3", "mp4", "ods",
    "odt", "ogg", "patch", "pdf", "png", "pptx", "ps", "py", "rb", "rs", "rst", "rtf", "sh", "sql",
    "srt", "tex", "toml", "ts", "tsv", "txt", "vtt", "wav", "webp", "xhtml", "xlsx", "xml", "yaml",
    "yml", "zip",
})  # fmt: skip


class Library:
    """The folder ``raw/`` of one store, as it is on disk."""

    def __init__(self, root: str) -> None:
        self.root = root

    def paths(self) -> list[str]:
        """Every capture.

        Raises:
            DiskError: ``raw`` is no directory of the store's own.
        """
        return list_captures(self.root)

    def read(self, path: str) -> bytes | None:
        """A capture's bytes, or None where it is not there.

        Raises:
            DiskError: it is no regular file, or is larger than a capture may be.
        """
        data = read_or_none(self.root, path, most=LARGEST)
        if data is not None and len(data) > LARGEST:
            raise DiskError(f"'{path}' is larger than a capture may be")
        return data

    def record(self, path: str) -> Record | None:
        """The record in a file, or None."""
        data = read_or_none(self.root, path, most=LARGEST) if path.endswith(".org") else None
        return capture.parse(data) if data is not None and capture.is_record(data) else None

    def records(self, digest: str, among: Container[str]) -> Iterator[tuple[str, Record]]:
        """The records that name a digest; paths *among* those that are not committed are left out."""
        needle = digest.encode()
        for path in self.paths():
            if path in among or not path.endswith(".org"):
                continue
            data = read_or_none(self.root, path, most=LARGEST)
            if data is None or needle not in data[:_HEAD]:
                continue
            if capture.is_record(data) and (record := capture.parse(data)) is not None:
                yield path, record

    def same_bytes(self, data: bytes, ending: str, among: Container[str]) -> str:
        """A committed file with exactly these bytes, or an empty string.

        Files of another kind or another size are not read.
        """
        for path in self.paths():
            if path in among or not path.endswith(ending):
                continue
            if os.lstat(os.path.join(self.root, path)).st_size != len(data):
                continue
            if read_or_none(self.root, path) == data:
                return path
        return ""

    def free(self, stem: str, endings: tuple[str, ...]) -> str:
        """``raw/STEM``, or ``raw/STEM-2`` …: none of the endings is taken behind it."""
        number = 1
        while True:
            base = FOLDER + (stem if number == 1 else f"{stem}-{number}")
            if not any(os.path.lexists(os.path.join(self.root, base + end)) for end in endings):
                return base
            number += 1


def slug_of(words: str) -> str:
    """A file name's part from a title, a file's name or an address.

    Letters of every script stay; marks, spaces and signs become hyphens, so that no name can be a
    path, an option or a hidden file.
    """
    folded = unicodedata.normalize("NFKC", unmixed(words)).lower()
    latin = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^a-z0-9]+", "-", latin).strip("-")
    if (
        len(plain) < sum(c.isalnum() for c in folded) / 2
    ):  # another script: nothing else would be left
        plain = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", folded)).strip("-")
    if len(plain.encode()) > _LONGEST:
        cut = plain.encode()[: _LONGEST + 1].decode("utf-8", "ignore")
        plain = cut.rpartition("-")[0] or cut[:_LONGEST]
    return plain or "capture"


def ending_of(name: str, data: bytes) -> str:
    """The ending that a copy gets: its own if it is a harmless one, else ``.txt`` or ``.bin``."""
    own = os.path.splitext(name)[1].lower().lstrip(".")
    if own in _KEPT:
        return "." + own
    return ".bin" if capture.as_text(data) is None else ".txt"
