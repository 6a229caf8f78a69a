"""An edit of a file with Windows line ends or a mark keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import builders
from aikb.sources.org_store import OrgStore
from aikb.writing.proposals import EditRequest, propose_edit

if TYPE_CHECKING:
    from pathlib import Path

REQUESTS = (
    EditRequest(title="Other"),
    EditRequest(add_tags=("kb",)),
    EditRequest(append="One\nmore."),
    EditRequest(body="All\r\nnew.\n"),
    EditRequest(status="contested", source="a book"),
)


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "bom"])
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: str(r)[:30])
def test_an_edit_keeps_windows_line_ends(tmp_path: Path, request_: EditRequest, mark: str) -> None:
    before = (mark + builders.node("Words.\n\nMore.\n").replace("\n", "\r\n")).encode()
    (tmp_path / "a.org").write_bytes(before)
    store = OrgStore(str(tmp_path))

    proposal, note = propose_edit(store, store.snapshot(), builders.ME, request_, "2026-05-06")

    assert note.path == "a.org"
    (change,) = proposal.changes
    assert change.before == before
    after = (change.after or b"").decode()
    assert after.startswith(mark + ":PROPERTIES:\r\n")
    assert after.count("\r\n") == after.count("\n") == after.count("\r")
    assert ":UPDATED:  2026-05-06\r\n" in after


def test_an_edit_that_changes_nothing_proposes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.org").write_text(builders.node(), "utf-8")
    store = OrgStore(str(tmp_path))

    request = EditRequest(title="Tried", status="current", add_tags=("observation",))
    proposal, _ = propose_edit(store, store.snapshot(), builders.ME, request, "2026-05-06")

    assert proposal.changes == ()
