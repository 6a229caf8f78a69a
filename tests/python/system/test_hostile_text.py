"""Hostile text of every kind, through every command: it is refused or stays text, and is shown harmless."""

from __future__ import annotations

import collections
import itertools
import json
import os
import re
from pathlib import Path

import pytest
from hostile_worlds import FILES, assert_harmless, copy_of, here, pulled, unseen, written
from machines import machines
from many import run_many
from world import ALPHA, BETA, note

from cases import payloads


@pytest.fixture(scope="module")
def by_hand(template, tmp_path_factory):
    """The payloads were put there by hand, and ``ai-kb commit`` was asked to take them."""
    world = written(copy_of(template, tmp_path_factory.mktemp("by-hand")))
    before = {
        name: (world.store / name).read_bytes() for name in ("alpha.org", "beta.org", "README.org")
    }
    runs = {}
    for words in (("check", "--json"), ("status",), ("commit", "--json"), ("commit",), ("check",)):
        runs[words] = world.run(*words, timeout=300)
    return world, before, runs


@pytest.fixture(scope="module")
def by_pull(template, tmp_path_factory):
    """The payloads came by a pull: they are committed, and no rule has seen them."""
    return pulled(copy_of(template, tmp_path_factory.mktemp("by-pull")))


def test_there_are_sixty_payloads_of_all_kinds():
    kinds = collections.Counter(p.kind for p in (*payloads.LINES, *payloads.BODIES))
    assert set(kinds) >= set(
        "terminal bidi hidden tags separators homograph row fence finding image traversal code "
        "variables table macro".split()
    )
    assert sum(kinds.values()) >= 60
    assert len(FILES) >= 300
    assert len(payloads.NAMES) >= 20


def test_each_is_refused_or_taken_as_the_table_says(by_hand):
    _, _, runs = by_hand
    answer = runs["commit", "--json"].json
    assert runs["commit", "--json"].code == 1
    refused, taken = set(answer["refused"]), set(answer["committed"])
    assert not refused & taken
    otherwise = [
        (name, expected, [f["code"] for f in answer["findings"] if f["path"] == name])
        for name, (_, expected) in FILES.items()
        if expected is not None and (name in refused) != expected
    ]
    assert otherwise == []
    assert refused | taken >= set(FILES)
    errors = {f["path"] for f in answer["findings"] if f["severity"] == "error"}
    assert refused <= errors, "refused without a word why"


def test_what_commit_says_is_harmless(by_hand):
    world, _, runs = by_hand
    for words, ran in runs.items():
        assert_harmless(world, ran, words)


def rows_of(world):
    """The titles' cells and ids of the rows of all generated pages."""
    rows = []
    for page in sorted(world.store.glob("index*.org")):
        for line in page.read_text().split("\n"):
            if line.startswith("| ") and not line.startswith(("| Title ", "| Page ")):
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                if len(cells) == 6:
                    rows.append(cells)
                else:
                    assert len(cells) in {2, 3}, line
    return rows


def test_no_line_around_a_payload_changes(by_hand):
    world, before, runs = by_hand
    for name, data in before.items():
        assert (world.store / name).read_bytes() == data
        assert world.git("show", f"HEAD:{name}", text=False) == data
    for name, (text, _) in FILES.items():
        now = (world.store / name).read_bytes()
        assert now == here(world, text).encode("utf-8", "surrogateescape"), name
    nodes = world.run("find", "--limit", "1000", "--json").json["nodes"]
    committed = set(runs["commit", "--json"].json["committed"]) | set(before)
    names = collections.Counter(cells[1] for cells in rows_of(world))
    assert set(names.values()) == {1}
    assert len(names) == sum(node["path"] in committed for node in nodes)
    ids = [node["id"] for node in nodes if node["path"] in committed]
    assert all(sum(i.startswith(name) for i in ids) == 1 for name in names)
    for page in world.store.glob("index*.org"):
        assert unseen(page.read_text()) == []


def test_what_was_taken_in_is_sound(by_hand):
    world, _, runs = by_hand
    for name in runs["commit", "--json"].json["refused"]:
        (world.store / name).unlink()
    world.assert_sound()


READING = (
    ("status",), ("find", "--limit", "2000"), ("find", "tried"), ("index", "--type", "observation", "--full"),
    ("index", "--check"), ("check", "--all"), ("check",), ("reground", "--all"), ("backlinks", ALPHA),
    ("doctor",), ("doctor", "--history"), ("links", BETA), ("remote",), ("push",),
)  # fmt: skip


def test_what_came_by_a_pull_is_shown_harmless(by_pull):
    world = by_pull
    calls = [(words, "") for call in READING for words in (call, (*call, "--json"))]
    calls.remove((("check", "--all"), ""))  # its lines are those of the findings in its JSON
    for (words, _), ran in zip(calls, run_many(world, calls), strict=True):
        assert_harmless(world, ran, words)


def test_each_node_is_shown_harmless(by_pull):
    world = by_pull
    titles = [name for name in FILES if name.startswith("title-")]
    bodies = [name for name, (text, _) in FILES.items() if unseen(text) and name[:8] != "heading-"]
    commands = itertools.cycle(
        (("show",), ("show", "--json"), ("links",), ("backlinks",), ("reground",))
    )
    calls = [((*next(commands), name), "") for name in dict.fromkeys((*titles, *bodies))]
    for (call, _), ran in zip(calls, run_many(world, calls), strict=True):
        assert_harmless(world, ran, call)


def test_writing_beside_what_was_pulled_changes_nothing_of_it(by_pull):
    world = by_pull
    before = {
        p: p.read_bytes() for p in world.store.rglob("*") if p.is_file() and ".git/" not in str(p)
    }
    for words in (
        ("index",), ("edit", ALPHA, "--append-file", "-"), ("contest", ALPHA, BETA, "--why", "both"),
        ("resolve", ALPHA, "--keep", "--both", "--decided-by", "Ann", "--because", "so"),
        ("new", "--type", "principle", "--title", "Of its own", "--body-file", "-"),
    ):  # fmt: skip
        ran = world.run(*words, stdin="More words.\n")
        assert_harmless(world, ran, words)
        assert ran.code == 0, ran.err
    for path, data in before.items():
        if path.name not in {"alpha.org", "beta.org"} and not path.name.startswith("index"):
            assert path.read_bytes() == data, path
    names = collections.Counter(cells[1] for cells in rows_of(world))
    assert set(names.values()) == {1}


def test_what_comes_by_a_sync_is_told_and_changes_nothing_else(template, tmp_path):
    here_, there = machines(template, tmp_path)
    pulled(there)
    there.write(".dir-locals.el", "((nil . ((eval . (ignore)))))\n")
    there.git("add", "-A")
    there.git("commit", "--no-verify", "-qm", "more")
    there.git("push", "-q", "origin", "main")
    before = {name: (here_.store / name).read_bytes() for name in ("alpha.org", "beta.org")}
    here_.write("own.org", note("Of our own"))
    here_.run("commit", env={"GIT_ALLOW_PROTOCOL": "none"})
    for words in (("sync", "--dry-run"), ("sync", "--dry-run", "--json"), ("sync",), ("status",)):
        ran = here_.run(*words, timeout=300)
        assert_harmless(here_, ran, words)
        if words == ("sync",):
            assert ran.code == 0, ran.err[-300:]
            assert ".dir-locals.el:1: error acting-file" in ran.err
            assert "code-elisp.org:12: error code-link" in ran.err
    assert {name: (here_.store / name).read_bytes() for name in before} == before
    assert (here_.store / "own.org").is_file()
    assert set(collections.Counter(cells[1] for cells in rows_of(here_)).values()) == {1}


WORDS = {p.name: p.text for p in payloads.LINES} | {
    "new-line": "a\ncommitted evil.org", "tab": "a\tb", "surrogate": "a\udcffb", "option": "--force",
    "path": "../../escape", "path-absolute": "/etc/passwd", "path-git": ".git/hooks/pre-commit",
    "wide-dots": "\uff0e\uff0e/x", "trailer": "x\n\nReason: forged", "long": "x" * 5000, "empty": " ",
}  # fmt: skip
NEW = ("new", "--type", "principle", "--body-file", "-")
PLACES = {
    "title": lambda w: (*NEW, "--title", w),
    "tag": lambda w: (*NEW, "--title", "T", "--tag", w),
    "project": lambda w: (*NEW, "--title", "T", "--project", w),
    "source": lambda w: (*NEW, "--title", "T", "--source", w),
    "slug": lambda w: (*NEW, "--title", "T", "--slug", w),
    "type": lambda w: ("new", "--title", "T", "--type", w),
    "related": lambda w: (*NEW, "--title", "T", "--related", w),
    "edit": lambda w: ("edit", w, "--add-tag", "x"),
    "edit-title": lambda w: ("edit", BETA, "--title", w),
    "reason": lambda w: ("edit", ALPHA, "--append-file", "-", "--reason", w),
    "message": lambda w: ("commit", "-m", w),
    "path": lambda w: ("commit", w),
    "why": lambda w: ("contest", ALPHA, "--why", w),
    "by": lambda w: ("contest", ALPHA, "--why", "x", "--by", w),
    "decided": lambda w: ("resolve", ALPHA, "--keep", "--because", w, "--decided-by", w),
    "capture": lambda w: ("capture", w),
    "capture-title": lambda w: ("capture", "-", "--title", w),
    "capture-note": lambda w: ("capture", "-", "--note", w),
    "show": lambda w: ("show", w),
    "find": lambda w: ("find", w),
    "find-tag": lambda w: ("find", "--tag", w),
    "index": lambda w: ("index", "--project", w),
    "check": lambda w: ("check", w),
    "remote": lambda w: ("remote", w),
    "option": lambda w: ("find", f"--{w}"),
    "command": lambda w: (w,),
}


def test_whatever_word_of_a_command_it_is(template, tmp_path):
    """Every payload at two places, every place with half a dozen payloads, with and without JSON."""
    world = copy_of(template, tmp_path)
    world.fake("ssh", "exit 255")  # whoever makes such a thing the remote wants it asked
    places = itertools.cycle(PLACES.items())
    calls = []
    for text in WORDS.values():
        for _ in range(2):
            place, command = next(places)
            words = command(here(world, text))
            calls.append((place, (*words, "--json") if len(calls) % 2 else words))
        next(places)
    calls.sort(key=lambda call: call[0] == "remote")
    answers = run_many(world, [(words, "Words.\n") for _, words in calls])
    for (_, words), ran in zip(calls, answers, strict=True):
        assert_harmless(world, ran, words)
        if ran.code:
            assert ran.err or "--json" in words
    assert {place for place, _ in calls} == set(PLACES)
    world.git("remote", "remove", "origin", check=False)
    for name in ("README.org", "alpha.org", "beta.org"):
        assert (world.store / name).is_file()
    names = collections.Counter(cells[1] for cells in rows_of(world))
    assert set(names.values()) == {1}
    world.assert_sound()
    log = world.git("log", "--format=%B")
    assert unseen(log) == []
    assert not re.search(r"(?m)^(?:Reason: forged|committed evil)", log)
    outside = [p for p in tmp_path.rglob("*") if p.name in {"escape", "escape.org"}]
    assert outside == []


def test_captures_of_every_payload_are_quoted(template, tmp_path):
    world = copy_of(template, tmp_path)
    calls = []
    for number, payload in enumerate((*payloads.LINES, *payloads.BODIES)):
        place = world.project / f"{number}.{('txt', 'org')[number % 2]}"
        place.write_text(here(world, payload.text) + "\n")
        calls.append((("capture", str(place)), ""))
        if payload in payloads.LINES and number % 3 == 0:
            words = ("capture", "-", "--excerpt-file", str(place), "--title", payload.name)
            calls.append((words, f"{number}\n"))
    for (words, _), ran in zip(calls, run_many(world, calls), strict=True):
        assert_harmless(world, ran, words)
        assert ran.code == 0, (words, ran)
    records = list((world.store / "raw").glob("*.org"))
    assert len(records) > 20
    for record in records:
        assert unseen(record.read_text().replace("\f", "")) == [], record
    world.assert_sound()


def test_links_lead_nowhere_outside(world, tmp_path):
    """A symbolic link is never read, never written through, and never committed."""
    target = tmp_path / "target.org"
    target.write_text(note("Of a stranger", body="private words"))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x.org").write_text(note("In a folder", body="private words"))
    before = target.read_bytes()
    (world.store / "link.org").symlink_to(target)
    (world.store / "sub").symlink_to(folder)
    (world.store / "passwd.org").symlink_to("/etc/passwd")
    (world.store / "loop.org").symlink_to("loop.org")
    for words in (
        ("commit",), ("find", "stranger"), ("find", "folder"), ("show", "link.org"), ("show", "sub/x.org"),
        ("show", str(target)), ("check", "--all"), ("index",), ("commit", "link.org"),
        ("commit", "sub/x.org"), ("edit", "sub/x.org", "--add-tag", "y"),
    ):  # fmt: skip
        ran = world.run(*words)
        assert "private words" not in ran.out + ran.err, words
        assert ran.code in {0, 1, 2}
    assert target.read_bytes() == before
    assert sorted(p.name for p in folder.iterdir()) == ["x.org"]
    tracked = world.git("ls-files")
    assert not {"link.org", "passwd.org", "loop.org", "sub/x.org", "sub"} & set(tracked.split())
    for name in ("link.org", "passwd.org", "loop.org", "sub"):
        (world.store / name).unlink()
    for name in ("index.org", "ai-kb.toml"):
        place = world.store / name
        place.unlink(missing_ok=True)
        place.symlink_to(target)
        world.run("index")
        world.run("edit", ALPHA, "--add-tag", "z")
        assert target.read_bytes() == before
        place.unlink()
    assert os.path.realpath(world.store) == str(world.store)
    assert isinstance(json.loads(world.ok("status", "--json").out), dict)
    assert Path(target).is_file()


def test_a_name_that_looks_like_another_is_refused(world):
    """Cyrillic letters that look like Latin ones, in a slug, a title and a file put there by hand."""
    words = ("new", "--type", "principle", "--title", "Something else", "--slug")
    assert "alpha" in world.refused(*words, "\u0430lpha", code=2).err
    world.write("cop.org", note("Cop"))
    world.write("b\u0435ta2.org", note("Other words"))
    ran = world.ok("commit")
    assert "b\u0435ta2.org:1: warning look-alike" in ran.err
    assert "'cop.org' exists already" in world.refused(*words, "\u0441\u043e\u0440").err
    ran = world.ok("new", "--type", "principle", "--title", "\u0410lph\u0430")
    assert ran.out.split()[1].endswith("-alpha.org")
    assert "same-title" in ran.err
    assert "look-alike" in ran.err
