"""``vault hubs`` and ``vault init``: maps where three related notes have none; a folder gets a history."""

from __future__ import annotations

import subprocess

from vault_world import markdown


def fill(vault):
    vault.write("rails/a.md", markdown("Apples", "rails, fruit", "How apples are kept. See [[b]]."))
    vault.write("rails/b.md", markdown("Beans", "rails", "How beans are kept. See [[a]]."))
    vault.write("rails/c d.md", markdown("Corn [new]", "rails/api", "See [[a]] and [[b]]."))
    vault.write("x/a.md", markdown("Another a", "few"))
    vault.write("x/y.md", markdown("Y", "few"))
    vault.ok("vault", "commit")


def test_three_notes_with_a_tag_are_proposed_and_two_are_not(vault):
    fill(vault)
    ran = vault.ok("vault", "hubs")
    assert ran.out.splitlines() == [
        "rails (tag): 3 notes, 4 links", "  rails/a.md: Apples", "  rails/b.md: Beans",
        "  rails/c d.md: Corn [new]",
    ]  # fmt: skip
    assert "--create 'rails'" in ran.err
    (cluster,) = vault.ok("vault", "hubs", "--json").json["clusters"]
    assert (cluster["tag"], cluster["links"], len(cluster["notes"])) == ("rails", 4, 3)


def test_a_hub_is_made_on_request_and_the_cluster_is_none_any_more(vault):
    fill(vault)
    path = vault.ok(
        "vault", "hubs", "--create", "#Rails", "--purpose", "How we keep food."
    ).out.strip()
    assert path == "hub/rails-hub.md"
    head, _, body = (vault.store / path).read_text().partition("\n---\n")
    assert "type: hub\ntags:\n  - rails\n" in head
    assert body == (
        "\n# rails hub\n\nHow we keep food.\n\n## Notes\n\n"
        "- [[rails/a|Apples]]: How apples are kept. See b.\n"
        "- [[b|Beans]]: How beans are kept. See a.\n"
        "- [[c d|Corn new]]: See a and b.\n"
    )
    assert "no three related notes" in vault.ok("vault", "hubs").err
    assert "goes by 'rails'" in vault.run("vault", "hubs", "--create", "rails").err
    vault.ok("vault", "check", path)


def test_stale_entries_and_missing_ones_are_reported(vault):
    fill(vault)
    vault.ok("vault", "hubs", "--create", "rails")
    (vault.store / "rails/b.md").unlink()
    vault.write("rails/c d.md", markdown("Corn", "rails/api", status="superseded"))
    vault.write("rails/e.md", markdown("Eggs", "rails"))
    lines = vault.ok("vault", "hubs").err.splitlines()
    assert [line.split(" ")[:3] for line in lines[:3]] == [
        ["hub/rails-hub.md:1:", "warning", "hub-lacks"],
        ["hub/rails-hub.md:18:", "warning", "stale-hub-entry"],
        ["hub/rails-hub.md:19:", "warning", "stale-hub-entry"],
    ]
    assert len(vault.ok("vault", "hubs", "--json").json["findings"]) == 3


def test_notes_that_link_to_each_other_are_related_without_a_tag(vault):
    for one, others in (("a", "bc"), ("b", "ac"), ("c", "ab")):
        links = " ".join(f"[[{other}]]" for other in others)
        vault.write(f"{one}.md", f"# Note {one}\n\nWith {links}.\n")
    vault.ok("vault", "commit")
    assert vault.ok("vault", "hubs").out.startswith("Note a (links): 3 notes, 6 links\n")
    path = vault.ok("vault", "hubs", "--create", "Note a").out.strip()
    assert "tags:\n  - note-a\n" in (vault.store / path).read_text()


def test_init_gives_a_folder_a_history_and_changes_no_note(plain):
    before = {}
    for name in ("a.md", "sub/\u00fc b.md"):
        before[name] = plain.write(name, markdown(name, "x")).stat().st_mtime_ns
    bad = plain.write("bad.md", "---\ntitle: `x`\n---\n")
    plain.write(".obsidian/workspace.json", "{}")
    plain.write(".gitignore", "mine")

    ran = plain.ok("vault", "init")

    assert {name: (plain.store / name).stat().st_mtime_ns for name in before} == before
    assert "refusing bad.md:2: front-matter-invalid" in ran.out
    assert (plain.store / ".gitignore").read_text() == (
        "mine\n.obsidian/workspace*\n.trash/\n.ai-kb/\n"
    )
    assert plain.paths("x") == ["a.md", "sub/\u00fc b.md"]
    assert plain.git("status", "--porcelain") == "?? bad.md\n"
    bad.unlink()
    head = plain.head()
    assert "skipping .gitignore: already there" in plain.ok("vault", "init").out
    assert plain.head() == head
    plain.assert_sound()


def test_two_machines_indexes_merge_without_a_conflict(plain):
    plain.ok("vault", "init")
    plain.write("a.md", markdown("A", "x"))
    plain.ok("vault", "commit")
    plain.git("switch", "--quiet", "-c", "other")
    plain.write("b.md", markdown("B", "x"))
    plain.ok("vault", "commit")
    plain.git("switch", "--quiet", "main")
    plain.write("c.md", markdown("C", "x"))
    plain.ok("vault", "commit")
    plain.git("merge", "--quiet", "--no-edit", "other")
    plain.ok("vault", "index")
    assert plain.paths("x") == ["a.md", "b.md", "c.md"]
    plain.assert_sound()


def test_init_leaves_a_repository_above_alone(plain):
    subprocess.run(["git", "init", "--quiet"], cwd=plain.store.parent, check=True)
    ran = plain.run("vault", "init")
    assert ran.code == 1
    assert "lies in the repository" in ran.err
    assert not (plain.store / ".git").exists()
    fresh = plain.root / "New vault"
    assert "a new repository" in plain.ok("vault", "init", fresh).out
    assert (fresh / "vault-index.json").read_text() == "{}\n"


def test_init_where_a_file_stands_is_refused(plain):
    file = plain.store.parent / "file"
    file.write_text("x")
    for place in (file, file / "below"):
        ran = plain.run("vault", "init", place)
        assert ran.code == 1
        assert f"'{place}' cannot be made a folder" in ran.err
    assert file.read_text() == "x"
