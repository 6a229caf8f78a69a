"""How a vault is: what it holds, and what is not committed or backed up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.provision.backup import look
from aikb.rules.vault import check_untagged
from aikb.writing.obstacle import home

if TYPE_CHECKING:
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.tools.folder import Repository
    from aikb.writing.obstacle import Obstacle
    from aikb.writing.write import WritePath


class VaultStatus(NamedTuple):
    """Counts, and what is not as it should stay; without git what follows ``git`` says nothing.

    While folders are ``unlistable`` nobody can say whether the index is current.
    """

    notes: int
    tags: int
    untagged: int
    index_current: bool | None
    unlistable: list[str]
    git: bool
    uncommitted: list[str]
    unpushed: int | None
    remote: str | None
    under_way: str | None
    behind_since: str | None = None
    last_try: str = ""
    hindered: Obstacle | None = None
    other_branch: str = ""


def read_status(vault: MarkdownVault, git: Repository, write_path: WritePath) -> VaultStatus:
    """The vault's status; changes nothing and asks no network."""
    snapshot = vault.snapshot()
    notes, closed = snapshot.notes, [finding.path for finding in snapshot.closed]
    tags = {tag for note in notes for tag in note.tags}
    untagged = len(list(check_untagged(notes)))
    current = None if closed else not write_path.stale_pages()
    counts = (len(notes), len(tags), untagged, current, closed)
    if not git.has_history:
        return VaultStatus(*counts, False, [], None, None, None)
    backup = look(git, f"git switch {home(git)}")
    return VaultStatus(
        *counts, True, sorted(git.status().dirty), backup.unpushed, backup.remote, git.under_way(),
        backup.behind_since, backup.last_try, backup.hindered,
        backup.other_branch,
    )  # fmt: skip
