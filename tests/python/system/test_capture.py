"""``ai-kb capture``: what becomes of files and addresses, and what is refused."""

from __future__ import annotations

import hashlib
import os
import stat

import pytest
from world import ALPHA

from aikb.formats.org import capture

EVIL = 'Words.\n# Local Variables:\n# eval: (shell-command "x")\n# End:\n'


def given(world, name, data="Some words that somebody else wrote.\n"):
    """A file in the project from which the command is called."""
    place = world.project / name
    place.write_bytes(data.encode() if isinstance(data, str) else data)
    return place


def taken(world, *words, **further):
    """The path that a capture printed; it is committed, alone with its like."""
    path = world.ok("capture", *words, **further).out.strip()
    assert path.startswith("raw/")
    assert world.at_head(path) is not None
    assert world.git("status", "--porcelain") == ""
    return path


def record(world, path):
    """A record as it is on disk."""
    found = capture.parse((world.store / path).read_bytes())
    assert found is not None
    assert capture.damage(found) == ""
    return found


def test_a_file_is_copied_byte_for_byte_under_its_date_and_name(backed_up):
    data = b"One\r\nTwo \xc3\xa9\n"
    path = taken(backed_up, given(backed_up, "Call Notes.txt", data))
    assert path.endswith("-call-notes.txt")
    assert path[4:8].isdigit()
    assert (backed_up.store / path).read_bytes() == data
    assert stat.S_IMODE((backed_up.store / path).stat().st_mode) == 0o600
    assert backed_up.git("log", "-1", "--format=%s").strip() == "capture: Call Notes.txt"
    assert backed_up.git("rev-parse", "origin/main").strip() == backed_up.head(), "not pushed"
    backed_up.assert_sound()


def test_the_same_bytes_are_kept_once_and_the_first_is_given_back(world):
    first = taken(world, given(world, "a.txt"))
    head = world.head()
    ran = world.ok("capture", given(world, "b.txt"), "--json")
    assert ran.json["source"] == first
    assert ran.json["known"] is True
    assert ran.json["files"] == []
    assert "captured before" in world.ok("capture", given(world, "c.md")).err
    assert world.head() == head
    assert taken(world, given(world, "a.txt", "other")) != first


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("evil.txt", EVIL),
        ("evil.org", "* head\n#+include: x\n,* y\n"),
        ("evil.pdf", b"%PDF\x00\xff\n" + EVIL.encode()),
        ("no-end.org", "no line end"),
    ],
)
def test_what_an_editor_would_obey_is_kept_in_a_record_that_gives_it_back(world, name, data):
    data = data.encode() if isinstance(data, str) else data
    path = taken(world, given(world, name, data))
    assert path.endswith(f"{name.partition('.')[0]}.org")
    found = record(world, path)
    assert found.original == data
    assert found.properties["SHA256"] == hashlib.sha256(data).hexdigest()
    assert world.ok("capture", given(world, "again.bin", data), "--json").json["source"] == path
    world.assert_sound()


def test_excerpts_stand_in_a_record_beside_the_copy(world):
    words = given(world, "words.txt", "* the point\n#+end_example\n\x1b[31m red")
    path = taken(world, given(world, "doc.md"), "--excerpt-file", words, "--title", "The doc")
    found = record(world, path)
    assert found.title == "The doc"
    assert found.excerpts == ("* the point\n#+end_example\n\\u001b[31m red",)
    assert (world.store / found.properties["ORIGINAL"]).read_bytes() == given(
        world, "doc.md"
    ).read_bytes()


def test_a_url_becomes_a_record_without_asking_the_network(world):
    words = ("capture", "https://example.invalid/a/locks?x=1", "--excerpt-file", "-")
    path = taken(world, *words[1:], stdin="Locks die with their last holder.\n")
    assert path == "raw/example-invalid-a-locks-x-1.org"
    found = record(world, path)
    assert found.properties["URL"] == "https://example.invalid/a/locks?x=1"
    assert found.excerpts == ("Locks die with their last holder.",)
    assert world.ok(*words, stdin="Locks die with their last holder.").out.strip() == path
    other = taken(world, *words[1:], stdin="Another excerpt.")
    assert other == "raw/example-invalid-a-locks-x-1-2.org"


def test_a_note_names_the_capture_in_the_same_commit(world):
    path = taken(world, given(world, "a.txt"), "--note", ALPHA)
    changed = world.git("show", "--name-only", "--format=", "HEAD").split()
    assert {path, "alpha.org"} <= set(changed)
    assert f":SOURCE:   {path}\n" in world.at_head("alpha.org")
    world.assert_sound()


def test_new_and_capture_are_one_commit(world):
    head = world.head()
    ran = world.ok(
        "new", "--type", "reference", "--title", "T", "--body-file", "-", "--json",
        "--capture", given(world, "a.txt"), stdin="Claim.",
    )  # fmt: skip
    path, source = ran.json["path"], ran.json["source"]
    assert f":SOURCE:   {source}\n" in world.at_head(path)
    assert world.at_head(source) is not None
    assert world.git("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    world.assert_sound()


def test_a_refused_node_leaves_no_capture_behind(world):
    world.refused(
        "new", "--type", "reference", "--title", "T", "--body-file", "-",
        "--capture", given(world, "a.txt"), stdin="#+begin_src sh\n",
    )  # fmt: skip
    assert not (world.store / "raw").exists()


def test_captures_are_neither_found_nor_indexed_nor_linted(world):
    node = ":PROPERTIES:\n:ID: 12345678-0000-4000-8000-000000000000\n:END:\n#+title: Zebra\n#+begin_src\n"
    taken(world, given(world, "zebra.org", node))
    taken(world, given(world, "zebra.txt", node))
    assert "Zebra" not in (world.store / "index.org").read_text()
    assert world.ok("find", "zebra").out == ""
    world.refused("show", "12345678")
    world.assert_sound()


@pytest.mark.parametrize(
    ("title", "ending"),
    [("../../../tmp/x", "-tmp-x.txt"), ("/etc/passwd", "-etc-passwd.txt"), ("日本語", "-日本語.txt"),
     ("-rf", "-rf.txt"), ("..", "-capture.txt"), ("a" * 300, "a" * 60 + ".txt")],
)  # fmt: skip
def test_no_title_can_lead_out_of_raw(world, title, ending):
    path = taken(world, given(world, "a.txt"), "--title", title)
    assert path.endswith(ending)
    assert path.count("/") == 1
    assert (world.store / path).is_file()


def test_unicode_file_names_and_the_same_name_twice(world):
    first = taken(world, given(world, "Größe ✓ \u202egnp.md", "a"))
    second = taken(world, given(world, "Größe ✓ \u202egnp.md", "b"))
    assert second == first.replace(".md", "-2.md")
    assert "\u202e" not in first


def _link(world):
    (world.project / "link").symlink_to(given(world, "a.txt"))
    return "link"


def _fifo(world):
    os.mkfifo(world.project / "fifo")
    return "fifo"


def _huge(world):
    with open(world.project / "huge.txt", "wb") as file:
        file.truncate(21 << 20)
    return "huge.txt"


@pytest.mark.parametrize(
    "make",
    [_link, _fifo, _huge, lambda _: "/dev/zero", lambda _: "/", lambda _: "nowhere.txt",
     lambda w: given(w, "empty.txt", ""), lambda _: "ftp://example.org/x",
     lambda _: "https://user:secret@example.org/", lambda _: "https:///x", lambda _: "http://a b/"],
)  # fmt: skip
def test_what_is_no_plain_file_or_address_is_refused(world, make):
    ran = world.refused("capture", str(make(world)), code=2, timeout=30)
    assert "secret" not in ran.err


def test_a_raw_that_is_a_symbolic_link_is_refused(world):
    outside = world.root / "outside"
    outside.mkdir()
    (world.store / "raw").symlink_to(outside)
    ran = world.run("capture", given(world, "a.txt"))
    assert ran.code == 1
    assert list(outside.iterdir()) == []


def test_two_things_from_standard_input_are_wrong_usage(world):
    world.refused("capture", "-", "--excerpt-file", "-", code=2)
    world.refused(
        "new", "--type", "reference", "--title", "T", "--body-file", "-", "--capture", "-", code=2
    )
    world.refused("new", "--type", "reference", "--title", "T", "--fetch", code=2)


def test_standard_input_is_named_by_its_first_words(world):
    assert taken(world, "-", stdin="A call about locks\nmore\n").endswith("-a-call-about-locks.txt")


SECRET = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


@pytest.mark.parametrize(
    "data", [f"token {SECRET}\n", f"* x\ntoken {SECRET}\n", f"\0\f\x1b {SECRET}\n{EVIL}"]
)
def test_a_secret_is_captured_in_no_form(world, data):
    ran = world.refused("capture", given(world, "notes.org", data))
    assert SECRET not in ran.out + ran.err
    ran = world.refused("capture", "https://example.invalid/", "--excerpt-file", "-", stdin=data)
    assert SECRET not in ran.out + ran.err
