"""Hold a node against its source: is the capture as it was, does the page still say so."""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import AikbError, FetchError
from aikb.formats.org.capture import Record, damage, is_record, parse, sha256
from aikb.formats.org.quote import visible
from aikb.formats.source import capture_of, is_outside, is_safe, url_of
from aikb.raw import compare
from aikb.raw.library import Library
from aikb.tools import http, readable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from aikb.model import Note
    from aikb.tools.git import Git

BAD = frozenset({"missing", "changed", "gone", "differs"})


class Grounds(NamedTuple):
    """What became of a node's source.

    ``capture`` is ``unchanged``, ``changed``, ``missing`` or ``none``; ``live`` is ``same``,
    ``differs``, ``gone``, ``unread`` or empty where nobody asked.  ``words`` are excerpts or passages
    of the source, ``diff`` what the live page says otherwise; both are somebody else's.
    """

    source: str
    path: str
    url: str
    retrieved: str
    capture: str
    detail: str
    live: str = ""
    live_detail: str = ""
    words: tuple[str, ...] = ()
    chosen: bool = False
    diff: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing is gone or changed."""
        return not BAD & {self.capture, self.live}


class Regrounder:
    """Looks at sources; changes nothing.  ``private_hosts`` None: nothing is fetched."""

    def __init__(
        self, root: str, git: Git, env: Mapping[str, str], private_hosts: Collection[str] | None
    ) -> None:
        self.library = Library(root)
        self.git = git
        self.env = env
        self._private = private_hosts
        self._touched: dict[str, str] | None = None

    def look(self, source: str, claims: str) -> Grounds:
        """What became of one source, with its words that are nearest to *claims*."""
        path, url = capture_of(source), url_of(source)
        if not path:
            detail = "the source is an address, and nothing of it was captured" if url else ""
            grounds = Grounds(source, "", url, "", "none", detail)
            return self._look_live(grounds, None, "", claims)
        problem = self._problem(path)
        if problem == "missing":
            return Grounds(source, path, "", "", "missing", "the store has no such capture")
        data = self.library.read(path) or b""
        record = parse(data) if is_record(data) else None
        if not problem and is_record(data):
            problem = self._record_problem(record)
        properties = record.properties if record else {}
        text, unread = self._text(path, data, record)
        excerpts = record.excerpts if record else ()
        words = excerpts or tuple(compare.passages(text, claims))
        grounds = Grounds(
            source, path, properties.get("URL", ""), properties.get("RETRIEVED", ""),
            "changed" if problem else "unchanged",
            problem or ("" if words or text else unread) or f"sha256 {self._digest(record, data)}",
            words=words, chosen=not excerpts,
        )  # fmt: skip
        return self._look_live(grounds, record, text, claims)

    def all(self, notes: Iterator[Note]) -> Iterator[tuple[Note, Grounds]]:
        """Each node that has an outside source, and what became of it."""
        for note in notes:
            if is_outside(note.source):
                yield note, self.look(note.source, "")

    # -- the capture

    def _problem(self, path: str) -> str:
        """What is wrong with a capture as a file, in words; ``missing`` if it is not there."""
        try:
            if not is_safe(path) or self.library.read(path) is None:
                return "missing"
        except AikbError as error:
            return error.message
        return self._history().get(path, "")

    def _history(self) -> dict[str, str]:
        """The captures that were changed after they were committed, by git or on disk."""
        if self._touched is None:
            self._touched = {}
            if self.git.exists() and self.git.head():
                out = self.git.ask(
                    "log", "--format=", "--name-only", "--diff-filter=MT", "--no-renames", "-z", "--", "raw",
                )  # fmt: skip
                for name in out.decode("utf-8", "surrogateescape").split("\0"):
                    self._touched[name.strip("\n")] = "a commit changed it after it was captured"
                for name, dirty in self.git.status(["raw"]).dirty.items():
                    if dirty.at_head:
                        self._touched[name] = "it is not what was committed"
        return self._touched

    def _record_problem(self, record: Record | None) -> str:
        if record is None:
            return "it is no longer as ai-kb wrote it"
        if problem := damage(record):
            return problem
        beside = record.properties.get("ORIGINAL", "")
        if not beside:
            return ""
        if problem := self._problem(beside):
            return f"its original '{beside}' is {problem}" if problem == "missing" else problem
        if sha256(self.library.read(beside) or b"") != record.properties.get("SHA256"):
            return f"its original '{beside}' no longer has its SHA-256"
        return ""

    @staticmethod
    def _digest(record: Record | None, data: bytes) -> str:
        return (record.properties.get("SHA256", "") if record else sha256(data))[:16]

    def _text(self, path: str, data: bytes, record: Record | None) -> tuple[str, str]:
        """A capture's words, and why there are none."""
        if record is not None and (record.text or record.excerpts):
            return record.text, ""
        if record is not None:
            data = record.original or b""
            path = record.properties.get("FILE", "")
            if not data:
                return "", "nothing of it was captured but its address"
        kind = mimetypes.guess_type(path)[0] or ""
        reading = readable.read(data, kind, self.env)
        if reading.problem and not kind.startswith(("image", "application/pdf")):
            reading = readable.read(data, "", self.env)
        return visible(reading.text), reading.problem

    # -- the page

    def _look_live(
        self, grounds: Grounds, record: Record | None, text: str, claims: str
    ) -> Grounds:
        """The same with what the page says now, if somebody asked and there is a page."""
        if self._private is None or not grounds.url:
            return grounds
        try:
            page = http.fetch(grounds.url, self.env, private_hosts=self._private)
        except FetchError as error:
            gone = error.status in {404, 410}
            return grounds._replace(live="gone" if gone else "unread", live_detail=error.reason)
        reading = readable.read(page.data, page.content_type, self.env)
        now = visible(reading.text)
        if record is None:
            words = tuple(compare.passages(now, claims))
            return grounds._replace(live="same", words=words, chosen=True)
        if sha256(page.data) == record.properties.get("SHA256"):
            return grounds._replace(live="same", live_detail="byte for byte")
        if reading.problem:
            return grounds._replace(
                live="differs", live_detail=f"other bytes, and {reading.problem}"
            )
        if text:
            diff = compare.differences(text, now)
            return grounds._replace(live="differs" if diff else "same", diff=tuple(diff))
        missing = compare.lost(record.excerpts, now)
        return grounds._replace(
            live="differs" if missing else "same",
            live_detail="" if record.excerpts else "nothing was captured to compare with",
            diff=tuple(f"no longer there: {excerpt}" for excerpt in missing),
        )
