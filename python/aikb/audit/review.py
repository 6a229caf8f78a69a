"""A person's word on a flag: applied to the note as it was when it was flagged, or rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from aikb.audit import flags, produces
from aikb.audit.discrepancy import digest, fits
from aikb.audit.flags import CLOSED
from aikb.errors import AikbError, ChangedOnDiskError, StoreError, UsageError
from aikb.model import Change
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from collections.abc import Callable

    from aikb.audit.flags import Flag
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.writing.write import WritePath, Written


class Vault(Protocol):
    """What the audit asks of a vault (:class:`aikb.app.VaultApp` is one)."""

    root: str

    @property
    def source(self) -> MarkdownVault:
        """Its notes."""

    @property
    def write_path(self) -> WritePath:
        """The one way in."""


class Word(NamedTuple):
    """Who decided, why, and on which day."""

    who: str
    because: str
    today: str


def find(root: str, name: str) -> Flag:
    """The flag that waits under an id or the beginning of one.

    Raises:
        UsageError: none or several do.
    """
    found = [flag for flag in flags.waiting(root)[0] if name and flag.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"no flag '{name}' waits", "`ai-kb vault review` lists them.")
    raise UsageError(f"'{name}' names {len(found)} flags", "Give more of the id.")


def apply(vault: Vault, name: str, word: Word) -> tuple[Flag, Written]:
    """Make the change that a flag proposes, and close the flag, in one commit.

    Raises:
        ChangedOnDiskError: the note is not as it was when it was flagged.
        StoreError: the flag proposes nothing.
        UsageError: there is no such flag.
        ValidationFailedError: the note would not be one that may be written.
    """
    flag = find(vault.root, name)
    if flag.kind == "ambiguous":
        raise StoreError(
            f"flag {flag.id} proposes no change: it is not clear what is right",
            f"Look at '{flag.path}', edit it if need be, and close the flag with "
            f'`ai-kb vault review --reject {flag.id} --because "…"`.',
        )
    make = produces.added if flag.kind == "produces" else _updated
    return flag, _close(vault, flag, "applied", word, lambda: make(vault, flag, word.today))


def reject(vault: Vault, name: str, word: Word) -> tuple[Flag, Written]:
    """Close a flag and leave its note as it is.

    Raises:
        UsageError: there is no such flag.
    """
    flag = find(vault.root, name)
    return flag, _close(vault, flag, "rejected", word, lambda: None)


def _close(
    vault: Vault,
    flag: Flag,
    decision: flags.Decision,
    word: Word,
    change: Callable[[], Change | None],
) -> Written:
    def propose(_: object) -> Proposal:
        before = read_or_none(vault.root, flag.file)
        if before is None:
            raise UsageError(f"flag {flag.id} was decided meanwhile")
        kept = f"{CLOSED}/{flag.id}.json"
        closed = flags.render(
            flag, decision=decision, decided_by=word.who, because=word.because, decided=word.today
        )
        changes = [
            Change(flag.file, before, None),
            Change(kept, read_or_none(vault.root, kept), closed),
        ]
        if made := change():
            changes.insert(0, made)
        message = f"review: {decision} {flag.id} ({flag.path})\n\nDecided by {word.who}"
        return Proposal(tuple(changes), f"{message}: {word.because}" if word.because else message)

    return vault.write_path.write(propose)


def _updated(vault: Vault, flag: Flag, today: str) -> Change:
    del today
    data = vault.source.read(flag.path)
    if digest(data) != flag.digest:
        raise _changed(flag)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise StoreError(f"'{flag.path}' is not UTF-8", "Save it as UTF-8 first.") from None
    eol = "\r\n" if "\r\n" in text else "\n"
    plain = text.replace("\r\n", "\n")
    if not fits(text, flag.old, flag.new):
        raise StoreError(
            f"what flag {flag.id} would replace does not stand once in '{flag.path}'",
            "Edit the note by hand, and reject the flag.",
        )
    after = plain.replace(flag.old, flag.new).replace("\n", eol)
    return Change(flag.path, data, after.encode())


def _changed(flag: Flag) -> AikbError:
    error = ChangedOnDiskError(flag.path)
    error.message = f"'{flag.path}' has changed since it was flagged"
    error.hint = (
        f"Look at it and at `ai-kb vault review`; then edit it by hand, and close flag {flag.id} with "
        "--reject. Nothing was changed."
    )
    return error
