"""The last two steps of a session's end: the vault's index, and what people wrote, committed and pushed."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from aikb.formats.counted import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aikb.app import VaultApp

_LEAST = 1.0  # seconds for what is not waiting: reading notes, committing


def rebuild_index(env: Mapping[str, str], deadline: float) -> tuple[str, str]:
    """Bring ``vault-index.json`` up to the committed notes; returns the step's state and words.

    Raises:
        AikbError: it cannot be written; nothing was changed.
    """
    from aikb.writing.gate import Proposal

    app = open_vault(env, deadline)
    if app is None:
        return "skipped", "there is no vault"
    written = app.write_path.write(lambda _: Proposal((), ""), lints=False, sends=False)
    count_unreviewed(app)
    if written.paths:
        return "done", "; ".join(
            filter(None, (written.repaired, f"wrote {', '.join(written.paths)}"))
        )
    return "done", "the index is as the notes say"


def count_unreviewed(app: VaultApp) -> None:
    """Count what a session's start only tells; a count that cannot be kept is an old one."""
    from aikb.audit import unreviewed

    with contextlib.suppress(OSError):
        unreviewed.remember(app.places.state, app.root, len(unreviewed.waiting(app)))


def sync(env: Mapping[str, str], deadline: float) -> tuple[str, str]:
    """Commit what people wrote in the vault, but for what is refused, and push.

    Raises:
        AikbError: nothing was committed.
    """
    from aikb.writing.repository import check_fit
    from aikb.writing.vault_proposals import propose_commit

    app = open_vault(env, deadline)
    if app is None:
        return "skipped", "there is no vault"
    if not app.git.has_history:
        return "skipped", "the vault is no git repository: nothing is committed or pushed"
    written = app.write_path.write(
        lambda ground: propose_commit(app.source, ground, ()), lints=False, asked=True
    )
    pushed = written.pushed
    if not written.commit and app.git.head():
        pushed = app.write_path.push(check_fit(app.git))
    said = [
        f"committed {counted(len(written.paths), 'file')}"
        if written.commit
        else "nothing to commit"
    ]
    if written.refused:
        said.append(f"left out {', '.join(written.refused[:5])}")
    said += [f"{f.path}: {f.message}" for f in written.findings if f.severity == "error"][:5]
    said += [f"{f.path}: {f.message}" for f in written.findings if f.code == "gone"][:1]
    said.append(f"push: {pushed.state}" + (f" ({pushed.detail})" if pushed.detail else ""))
    return "done", "; ".join(said)


def open_vault(env: Mapping[str, str], deadline: float) -> VaultApp | None:
    """The vault, with bounds on time that end before *deadline*; None: there is none.

    Raises:
        ConfigError: a configuration file is wrong.
    """
    from aikb.app import VaultApp

    app = VaultApp(env)
    if not os.path.isdir(app.root):
        return None
    left = max(0.5, deadline - time.monotonic() - _LEAST)
    app.settings = app.settings._replace(
        lock_seconds=min(app.settings.lock_seconds, left),
        push_seconds=min(app.settings.push_seconds, left),
    )
    return app
