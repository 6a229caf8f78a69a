"""``vault new``, ``vault index``: what agents write into a vault goes through the one gate."""

from __future__ import annotations

import json

import pytest
from vault_world import markdown

BODY = "Migrations are named by what they do, never by a ticket's number. Reviewers read the name."


def new(vault, *words, body=BODY, **further):
    return vault.ok(
        "vault", "new", "--type", "convention", "--tags", "rails,db/schema", "--body-file", "-",
        *words, stdin=body, **further,
    )  # fmt: skip


def test_a_new_note_is_made_by_its_template_and_indexed(vault):
    ran = new(vault, "--title", 'Name migrations: by "what"', "--project", "alpha", "--unreviewed")

    assert ran.out == "convention/name-migrations-by-what.md\n"
    text = (vault.store / ran.out.strip()).read_text()
    head, _, body = text.partition("\n---\n")
    assert head.splitlines()[:6] == [
        "---", 'title: "Name migrations: by \\"what\\""', "type: convention", "tags:", "  - rails",
        "  - db/schema",
    ]  # fmt: skip
    assert "projects:\n  - alpha\n" in head
    assert "reviewed: false" in head
    assert body == f'\n# Name migrations: by "what"\n\n## Rule\n\n{BODY}\n'
    entry = {
        "path": "convention/name-migrations-by-what.md", "title": 'Name migrations: by "what"',
        "summary": BODY,
    }  # fmt: skip
    assert vault.index()["rails"] == [entry]
    assert vault.index()["db/schema"] == [entry]
    vault.assert_sound()


def test_without_a_body_the_templates_questions_stand_there(vault):
    ran = vault.ok(
        "vault", "new", "--type", "howto", "--title", "\u5907\u4efd \u00fc", "--tags", "ops"
    )
    text = (vault.store / ran.out.strip()).read_text()
    assert ran.out.strip() == "howto/\u5907\u4efd-\u00fc.md"
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## When", "## Steps", "## Check",
    ]  # fmt: skip
    assert vault.index()["ops"][0]["summary"] == ""


def test_a_folder_without_git_says_what_it_cannot_promise(plain):
    ran = new(plain, "--title", "Name migrations")
    assert "no history and no backup" in ran.err
    answer = new(plain, "--title", "Another matter", "--json", body="Words on gardens only.").json
    assert (answer["commit"], answer["push"]) == (None, "no-repository")


def test_a_note_that_is_covered_is_named_and_nothing_is_written(vault):
    path = new(vault, "--title", "Name migrations").out.strip()
    again = (
        "vault", "new", "--type", "howto", "--title", "How migrations are named", "--tags", "rails",
        "--body-file", "-",
    )  # fmt: skip
    before = sorted(p for p in vault.store.rglob("*.md"))

    ran = vault.run(*again, stdin=BODY)

    assert ran.code == 1
    assert f"near {path}: Name migrations" in ran.err
    assert "covers this already" in ran.err
    told = vault.run(*again, "--json", stdin=BODY).json
    assert (told["ok"], told["error"]["code"]) == (False, "note-covered")
    assert [note["path"] for note in told["candidates"]] == [path]
    assert sorted(p for p in vault.store.rglob("*.md")) == before
    related = vault.ok(*again, "--force-related", path, stdin=BODY).out.strip()
    assert "Related: [[name-migrations|Name migrations]]." in (vault.store / related).read_text()
    vault.assert_sound()


def test_the_same_title_under_a_shared_tag_is_covered_whatever_the_words(vault):
    new(vault, "--title", "Name migrations")
    ran = vault.run(
        "vault", "new", "--type", "reference", "--title", "name  MIGRATIONS", "--tags", "db",
        "--body-file", "-", stdin="Entirely other things about gardens.",
    )  # fmt: skip
    assert ran.code == 1
    assert "covers this already" in ran.err


def test_what_is_another_matter_is_made_and_what_is_near_is_named(vault):
    new(vault, "--title", "Name migrations")
    other = "Rolling a migration back needs the name that it had, so the reviewers keep a list of names."
    ran = new(vault, "--title", "Roll back", body=other)
    assert ran.out == "convention/roll-back.md\n"
    assert "related convention/name-migrations.md" in ran.err


def test_two_titles_with_one_slug_get_two_files(vault):
    first = new(vault, "--title", "A b", body="On rivers and their stones, as seen from a boat.")
    second = new(vault, "--title", "A, b!", body="Lamps need oil before the winter comes again.")
    assert (first.out, second.out) == ("convention/a-b.md\n", "convention/a-b-2.md\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--type", "essay", "--title", "T", "--tags", "a"), "'essay' is no type"),
        (("--type", "howto", "--title", " ", "--tags", "a"), "one line of visible"),
        (("--type", "howto", "--title", "a\nb", "--tags", "a"), "one line of visible"),
        (("--type", "howto", "--title", "T", "--tags", "a b"), "'a b' is no tag"),
        (("--type", "howto", "--title", "T", "--tags", "2024"), "'2024' is no tag"),
        (("--type", "howto", "--title", "T", "--tags", "a//b"), "'a//b' is no tag"),
        (("--type", "howto", "--title", "T"), "without a tag is found by nobody"),
        (
            ("--type", "howto", "--title", "T", "--tags", "a", "--project", "a/b"),
            "no project's name",
        ),
        (
            ("--type", "howto", "--title", "T", "--tags", "a", "--body-file", "none"),
            "cannot be read",
        ),
    ],
)
def test_wrong_words_are_named(repository, words, said):
    assert said in repository.refused("vault", "new", *words, code=2).err


def test_a_body_that_no_note_may_have_is_told_by_its_own_line(repository):
    words = ("vault", "new", "--type", "howto", "--title", "T", "--tags", "a", "--body-file", "-")
    ran = repository.refused(*words, stdin="\nGood.\nBad \x1b[31m.\n")
    assert "standard input:3: error control-character" in ran.err
    secret = "AKIA" + "Q7RT5VWX2YZ3ABCD"
    ran = repository.refused(*words, stdin=f"Key {secret}\n")
    assert "new-secret" in ran.err
    assert secret not in ran.err


def test_an_unknown_related_note_is_named(repository):
    words = ("vault", "new", "--type", "howto", "--title", "T", "--tags", "a")
    assert (
        "no note is called 'nope.md'"
        in repository.refused(*words, "--force-related", "nope.md").err
    )


def test_index_is_written_once_and_committed(repository):
    repository.write("a.md", markdown("A", "x"))
    repository.git("add", "a.md")
    repository.git("commit", "--quiet", "-m", "by hand")
    assert repository.run("vault", "index", "--check").code == 1

    assert "writing vault-index.json" in repository.ok("vault", "index").out
    head = repository.head()
    assert repository.ok("vault", "index").out == "skipping vault-index.json (already current)\n"

    assert repository.head() == head
    assert (
        repository.at_head("vault-index.json")
        == (repository.store / "vault-index.json").read_text()
    )
    assert repository.paths("x") == ["a.md"]
    repository.assert_sound()


def test_index_says_what_is_not_committed(repository):
    repository.write("new.md", markdown("New", "x"))
    ran = repository.ok("vault", "index")
    assert "1 note is on disk otherwise than committed, among them new.md" in ran.err
    assert repository.ok("vault", "index", "--json").json["uncommitted"] == ["new.md"]
    assert repository.paths("x") == []


def test_index_touches_nothing_else(vault):
    vault.write("a.md", b"\xef\xbb\xbf---\r\ntags: x\r\n---\r\nText\r\n")
    vault.write("bad.md", "---\ntitle: `x`\n---\n")
    vault.write("picture.png", b"\x89PNG")
    if (vault.store / ".git").exists():
        vault.ok("vault", "commit", "a.md")
    before = {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in vault.store.rglob("*")
        if path.is_file() and not {".git", ".ai-kb"} & set(path.parts)
        and path.name != "vault-index.json"
    }  # fmt: skip

    vault.ok("vault", "index")

    assert {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in before} == before
    assert vault.paths("x") == ["a.md"]


def test_index_names_what_is_not_in_it(vault):
    vault.write("untagged.md", "# No tag\n")
    vault.write("bad.md", "---\ntitle: `x`\n---\n#kept\n")
    if (vault.store / ".git").exists():
        vault.git("add", "-A")
        vault.git("commit", "--quiet", "-m", "by hand")

    ran = vault.ok("vault", "index")

    assert "bad.md:2: error front-matter-invalid" in ran.err
    assert "1 note has no tag" in ran.err
    assert vault.paths("kept") == ["bad.md"]
    codes = {f["code"] for f in vault.ok("vault", "index", "--json").json["findings"]}
    assert codes == {"untagged", "front-matter-invalid"}


def test_a_file_of_a_persons_with_the_indexs_name_stays(vault):
    mine = vault.write("vault-index.json", '{"mine": true}\n')
    if (vault.store / ".git").exists():
        vault.git("commit", "--quiet", "-am", "mine")
    ran = vault.run("vault", "index")
    assert ran.code == 1
    assert "is no generated page" in ran.err
    assert json.loads(mine.read_text()) == {"mine": True}


def test_an_empty_vault_has_an_empty_index(plain):
    plain.ok("vault", "index")
    assert (plain.store / "vault-index.json").read_text() == "{}\n"
    assert "no note of the vault has a tag" in plain.ok("vault", "find").err
    assert "no three related notes" in plain.ok("vault", "hubs").err


def test_a_file_where_a_folder_is_wanted_is_named(repository):
    repository.write("howto", "a file")
    words = ("vault", "new", "--type", "howto", "--title", "T", "--tags", "a")
    assert "cannot be written" in repository.refused(*words).err
