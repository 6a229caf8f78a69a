"""``vault stats``: does the number of proposals fall towards zero?"""

from __future__ import annotations

import os
import pty

import pytest
from world import World

from aikb.audit import stats


@pytest.fixture
def audited(empty):
    state = empty.home / ".local/state/ai-kb"
    for number, proposed in enumerate((5, 4, 2, 1, 0, 0)):
        stats.record(
            str(state),
            stats.Audit(
                f"2026-01-0{number + 1}T10:00:00+0000", "shop", f"session-{number}", f"h{number}", "claude",
                proposed=proposed, created=proposed // 2, rejected=proposed - proposed // 2,
            ),
        )  # fmt: skip
    stats.record(
        str(state), stats.Audit("2026-02-01T10:00:00+0000", "a\x1b[31mb", "s", "h", "none", 1)
    )
    return empty


def test_for_agents_it_is_one_object(audited):
    shop = audited.ok("vault", "stats", "--json").json["projects"][1]
    assert (shop["project"], shop["direction"]) == ("shop", "near zero")
    assert (shop["proposed"], shop["created"], shop["rejected"]) == (12, 5, 7)
    assert [s["proposed"] for s in shop["sessions"]] == [5, 4, 2, 1, 0, 0]


def test_for_a_pipe_it_has_tabs_and_on_a_terminal_columns(audited):
    lines = audited.ok("vault", "stats", "--project", "shop").out.splitlines()
    assert lines[1].split("\t") == ["shop", "6", "12", "5", "0", "7", "near zero"]
    assert len(lines) == 8
    ours, theirs = pty.openpty()
    process = audited.start("vault", "stats")
    assert "\x1b" not in World.end(process).out
    os.close(ours)
    os.close(theirs)


def test_the_plot_has_a_bar_for_each_session(audited):
    lines = audited.ok("vault", "stats", "--plot", "--project", "shop").out.splitlines()
    bars = [line.count("█") + line.count("░") for line in lines[1:7]]
    assert bars == [8 * n for n in (5, 4, 2, 1, 0, 0)]


def test_the_picture_is_a_png(audited):
    place = audited.root / "out.png"
    audited.ok("vault", "stats", "--png", place)
    from PIL import Image

    with Image.open(place) as picture:
        assert picture.format == "PNG"
        assert picture.size == (900, 480)
        assert len(picture.convert("RGB").getcolors(100_000)) > 3


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [("out.jpg", 2, "does not end in .png"), ("no/such/folder/out.png", 1, "cannot be written")],
)
def test_a_picture_that_cannot_be_drawn(audited, name, code, says):
    ran = audited.run("vault", "stats", "--png", name)
    assert (ran.code, says in ran.err) == (code, True)


def test_before_any_audit(empty):
    assert "no audit has ended yet" in empty.ok("vault", "stats").err
    assert empty.ok("vault", "stats", "--json").json == {"ok": True, "projects": [], "png": None}
    assert empty.run("vault", "stats", "--png", "x.png").code == 2
