"""How a vault is: what it holds, and what is not committed or backed up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.rules.vault import check_untagged
from aikb.sync.push import remote_url, unpushed
from aikb.tools.git_format import shown_url

if TYPE_CHECKING:
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.tools.folder import Repository
    from aikb.writing.write import WritePath


class VaultStatus(NamedTuple):
    """Counts, and what is not as it should stay; without git the last four say nothing.

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
    return VaultStatus(
        *counts, True, sorted(git.status().dirty),
        unpushed(git, git.branch() or "HEAD"), shown_url(remote_url(git) or "") or None,
        git.under_way(),
    )  # fmt: skip
