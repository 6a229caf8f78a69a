"""Who reads staged files besides us before they are promoted: Emacs for an org store, or nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from aikb.formats.org.emacs_view import Reading


class Reader(Protocol):
    """A second opinion on staged files: Emacs for an org store."""

    def __enter__(self) -> Reader: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def start(self) -> None:
        """Begin to get ready; returns at once."""

    def ask(self, paths: Sequence[str]) -> None:
        """Begin to read these files."""

    def answers(self) -> list[Reading]:
        """What it read in each."""


class NoReader:
    """No second opinion: a vault's notes are read by us alone."""

    def __enter__(self) -> NoReader:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def start(self) -> None:
        """Nothing to get ready."""

    def ask(self, paths: Sequence[str]) -> None:
        """Nothing is asked."""

    def answers(self) -> list[Reading]:
        """Nothing is said."""
        return []
