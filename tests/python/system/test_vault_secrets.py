"""A credential in a title or first sentence is in no index, no cache, and nothing that find prints."""

from __future__ import annotations

import pytest
from vault_world import markdown
from world import note

SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT" + "1vW4yZ7bC0eF3hI6"
LONG = "Before it stand some words which are so many that they fill nearly all of one hundred and forty signs: "


def kept(world):
    """All that the cache has."""
    files = [path for path in (world.home / ".cache/ai-kb").rglob("*") if path.is_file()]
    assert files
    return b"".join(path.read_bytes() for path in files)


@pytest.mark.parametrize(
    ("title", "body"),
    [("A", f"The key {SECRET} opens it. More."), ("A", f"{LONG}{SECRET} and more."),
     (f"Key {SECRET}", "Words."), ("A", "The password: Kestrel#4711 is new. More.")],
)  # fmt: skip
def test_without_git_no_index_and_no_answer_has_it(plain, title, body):
    plain.write("a.md", markdown("B", "x", "Nothing is here."))
    plain.write("b.md", markdown(title, "x", body))
    plain.ok("vault", "index")
    ran = plain.ok("vault", "find", "x")
    said = (plain.store / "vault-index.json").read_text() + ran.out + ran.err
    said += plain.ok("vault", "find", "x", "--json").out + plain.ok("vault", "hubs", "--json").out
    for part in (SECRET[:12], "Kestrel"):
        assert part not in said
        assert part.encode() not in kept(plain)
    assert "[" in ran.out.replace("- a.md: B - Nothing is here.\n", "")
    assert "- a.md: B - Nothing is here.\n" in ran.out


def test_what_is_not_committed_is_not_shown_by_find_either(repository):
    repository.write("b.md", markdown("A", "x", f"The key {SECRET} opens it. More."))
    ran = repository.ok("vault", "find", "x")
    assert ran.out == "- b.md: A - The key [GitHub token] opens it. More.\n"
    assert SECRET.encode() not in kept(repository)


def test_a_node_that_is_not_committed_is_found_without_it(world):
    world.write("b.org", note("Opening", body=f"The key {SECRET} opens it. More."))
    for _ in range(2):  # the second is answered by the cache
        ran = world.ok("find", "opening")
        assert "The key [GitHub token] opens it." in ran.out
        assert SECRET not in ran.out + ran.err
    assert SECRET.encode() not in kept(world)


def test_without_history_nothing_was_committed_before(plain):
    plain.write("a.md", markdown("A", "x", f"The key {SECRET} opens it."))
    ran = plain.ok("vault", "check")
    assert "a.md:8: warning old-secret a secret stands here (GitHub token): change it" in ran.out
    assert "committed" not in ran.out
    assert "history" not in ran.out
