"""``vault commit``: what a person and Obsidian wrote, moved and deleted is taken in."""

from __future__ import annotations

import shutil

import pytest
from test_secrets import at_a_terminal
from vault_world import markdown


def committed(ran):
    return sorted(ran.json["committed"])


def test_good_files_go_in_and_bad_ones_stay_and_are_named(repository):
    repository.write("sub folder/\u00fc good.md", markdown("Good", "x"))
    bad = repository.write("bad.md", "---\ntitle: `x`\n---\n#y\n")

    ran = repository.run("vault", "commit", "--json")

    assert ran.code == 1
    assert committed(ran) == ["sub folder/\u00fc good.md"]
    assert ran.json["refused"] == ["bad.md"]
    assert bad.read_text() == "---\ntitle: `x`\n---\n#y\n"
    assert repository.paths("x") == ["sub folder/\u00fc good.md"]
    assert repository.paths("y") == []
    assert repository.git("status", "--porcelain") == "?? bad.md\n"
    assert repository.at_head("vault-index.json") == (
        repository.store / "vault-index.json"
    ).read_text("utf-8")
    bad.write_text("---\ntitle: x\n---\n#y\n")
    assert "committed bad.md" in repository.ok("vault", "commit").out
    repository.assert_sound()


def test_what_is_staged_and_on_disk_as_head_has_it_is_not_said_to_be_committed(repository):
    repository.write("brief.md", markdown("Brief", "x"))
    repository.git("add", "brief.md")
    (repository.store / "brief.md").unlink()
    assert committed(repository.ok("vault", "commit", "--json")) == []
    assert repository.git("status", "--porcelain") == ""


def test_only_what_is_named_goes_in(repository):
    for name in ("a.md", "sub/b.md", "sub/c.md", "d.md"):
        repository.write(name, markdown(name, "x"))
    assert committed(repository.ok("vault", "commit", "sub", "--json")) == ["sub/b.md", "sub/c.md"]
    cwd = repository.store / "sub"
    assert committed(repository.ok("vault", "commit", "../d.md", "--json", cwd=cwd)) == ["d.md"]
    repository.ok("vault", "commit", repository.store / "a.md", "-m", "The last one")
    assert repository.git("log", "-1", "--format=%s") == "The last one\n"
    assert repository.ok("vault", "commit").out == "nothing to commit\n"
    assert "no file 'none.md'" in repository.refused("vault", "commit", "none.md", code=2).err
    outside = repository.root / "x.md"
    outside.write_text("# X\n")
    assert "not in the vault" in repository.refused("vault", "commit", outside, code=2).err


def test_what_notes_show_goes_in_and_what_programs_leave_does_not(repository):
    picture = bytes(range(256)) * 40
    repository.write("files/picture.png", picture)
    repository.write("Templates/daily.md", "<% tp.date.now() %>\n")
    for name in (".obsidian/workspace.json", ".trash/old.md", "a.md~", "b.md.swp", ".DS_Store"):
        repository.write(name, "left")

    ran = repository.ok("vault", "commit", "--json")

    assert committed(ran) == ["Templates/daily.md", "files/picture.png"]
    assert repository.git("show", "HEAD:files/picture.png", text=False) == picture
    assert sorted(repository.index()) == ["meta"]


def test_what_git_ignores_is_found_here_and_stands_in_no_index(repository):
    repository.write(".gitignore", "private/\nsecret*.md\n")
    for number in range(3):
        repository.write(f"private/{number}.md", markdown(f"P {number}", "own", "My diary."))
    repository.write("secret plan.md", markdown("Plan", "own"))
    repository.write("open.md", markdown("Open", "own"))

    assert committed(repository.ok("vault", "commit", "--json")) == [".gitignore", "open.md"]

    assert repository.paths("own") == ["open.md"]
    assert "diary" not in (repository.store / "vault-index.json").read_text()
    assert "private/0.md" in repository.ok("vault", "find", "own").out
    assert repository.ok("vault", "status", "--json").json["uncommitted"] == []
    assert "committed notes" in repository.run("vault", "hubs", "--create", "own").err
    repository.assert_sound()


def test_bytes_stay_as_they_are(repository):
    data = b"\xef\xbb\xbf---\r\ntitle: T\r\ntags: x\r\n---\r\n\r\nText \xc3\xbc\r\n"
    repository.write("a.md", data)
    repository.ok("vault", "commit")
    assert repository.git("show", "HEAD:a.md", text=False) == data
    assert (repository.store / "a.md").read_bytes() == data
    assert repository.index()["x"][0]["title"] == "T"


def test_a_deleted_and_a_moved_note_leave_the_index(repository):
    for name in ("a.md", "b.md"):
        repository.write(name, markdown(name, "x"))
    repository.ok("vault", "commit")
    (repository.store / "a.md").unlink()
    (repository.store / "deep/er").mkdir(parents=True)
    shutil.move(repository.store / "b.md", repository.store / "deep/er/c.md")

    repository.ok("vault", "commit")

    assert repository.paths("x") == ["deep/er/c.md"]
    assert repository.at_head("a.md") is None
    repository.assert_sound()


def test_when_many_are_gone_at_once_they_are_taken_out_only_when_named(repository):
    for number in range(14):
        repository.write(f"folder/{number}.md", markdown(f"N {number}", "x", f"Text {number}."))
    repository.ok("vault", "commit")
    shutil.rmtree(repository.store / "folder")
    repository.write("new.md", markdown("New", "y"))

    ran = repository.ok("vault", "commit")

    assert "folder/0.md:1: warning gone" in ran.err
    assert len(repository.paths("x")) == 14
    assert repository.paths("y") == ["new.md"]
    repository.ok("vault", "commit", "folder")
    assert repository.paths("x") == []
    repository.assert_sound()


def test_a_secret_stays_out_and_is_not_shown(repository):
    secret = "AKIA" + "Q7RT5VWX2YZ3ABCD"
    repository.write("a.md", markdown("A", "x", f"The key is {secret}."))
    ran = repository.run("vault", "commit")
    assert ran.code == 1
    assert "new-secret" in ran.err
    assert secret not in ran.out + ran.err
    assert repository.at_head("a.md") is None
    for words in ((), ("a.md",)):
        ran = repository.run("vault", "check", *words)
        assert (ran.code, "a.md:8: error new-secret" in ran.out) == (1, True)
        assert secret not in ran.out + ran.err


def test_without_history_a_check_looks_for_secrets_in_all_notes(plain):
    secret = "AKIA" + "Q7RT5VWX2YZ3ABCD"
    plain.write("a.md", markdown("A", "x", f"The key is {secret}."))
    ran = plain.ok("vault", "check")
    assert "a.md:8: warning old-secret" in ran.out
    assert secret not in ran.out + ran.err


def test_a_person_allows_a_false_alarm_and_an_agent_does_not(repository):
    secret = "AKIA" + "Q7RT5VWX2YZ3ABCD"
    repository.write("a.md", markdown("A", "x", f"An example: {secret}."))
    words = ("vault", "allow-secret", "a.md")
    assert "only a person in a terminal" in repository.run(*words, stdin="allow\n").err
    assert "`ai-kb vault allow-secret`" in repository.run("vault", "commit", "a.md").err
    code, seen = at_a_terminal(repository, *words, answers="allow\n")
    assert (code, secret in seen) == (0, False), seen
    repository.ok("vault", "commit", "a.md")
    assert repository.paths("x") == ["a.md"]
    assert secret not in (repository.store / "ai-kb.toml").read_text()


def test_links_and_odd_names_are_named(repository):
    (repository.store / "link.md").symlink_to("README.md")
    repository.write("two\nlines.md", "# x\n")
    ran = repository.run("vault", "commit")
    assert ran.code == 1
    assert "link.md:1: error unreadable a link is not read" in ran.err
    assert "two\\nlines.md:1: error unreadable" in ran.err


def test_broken_links_and_programs_are_warnings(repository):
    repository.write(
        "a.md", markdown("A", "x", "[[Nowhere]] [[README]]\n\n```dataviewjs\ndv.list()\n```")
    )
    ran = repository.ok("vault", "commit")
    assert "a.md:8: warning broken-link" in ran.err
    assert "a.md:10: warning dataview-js" in ran.err
    assert ran.err.count("warning") == 2


def test_gits_own_lock_is_waited_for_named_and_left(repository):
    repository.write("a.md", markdown("A", "x"))
    lock = repository.store / ".git/index.lock"
    lock.touch()

    ran = repository.run("vault", "commit")

    assert ran.code == 1
    assert str(lock) in ran.err
    assert lock.exists()
    assert (repository.store / "a.md").read_text() == markdown("A", "x")
    lock.unlink()
    assert "committed a.md" in repository.ok("vault", "commit").out
    repository.assert_sound()


def test_what_is_committed_is_pushed(repository):
    bare = repository.root / "backup.git"
    repository.git(
        "init", "--quiet", "--bare", "--initial-branch=main", str(bare), cwd=repository.root
    )
    repository.git("remote", "add", "origin", str(bare))
    repository.write("a.md", markdown("A", "x"))
    assert repository.ok("vault", "commit", "--json").json["pushed"] is True
    assert repository.git("rev-parse", "main", cwd=bare).strip() == repository.head()
    shutil.rmtree(bare)
    repository.write("b.md", markdown("B", "x"))
    ran = repository.ok("vault", "commit", "--json")
    assert (ran.json["pushed"], committed(ran)) == (False, ["b.md"])
    assert repository.ok("vault", "status", "--json").json["unpushed"] == 1


def test_without_git_the_index_is_brought_up_and_named_files_are_looked_at(plain):
    plain.write("a.md", markdown("A", "x"))
    plain.write("bad.md", "---\ntitle: `x`\n---\n#y\n")
    assert "nothing to commit" in plain.ok("vault", "commit").out
    assert (plain.paths("x"), plain.paths("y")) == (["a.md"], ["bad.md"])
    assert "looked at a.md" in plain.ok("vault", "commit", "a.md").out
    assert "bad.md:2: error front-matter-invalid" in plain.run("vault", "commit", "bad.md").err


@pytest.mark.parametrize("message", ["", "two\nlines"])
def test_a_message_is_one_line(repository, message):
    repository.refused("vault", "commit", "-m", message, code=2)
