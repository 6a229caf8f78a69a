"""Names that are one on another machine: accents in two forms, upper and lower case."""

from __future__ import annotations

import unicodedata

import pytest
from world import note

COMPOSED = unicodedata.normalize("NFC", "käse")
DECOMPOSED = unicodedata.normalize("NFD", "käse")
PAIRS = {
    "accents": (f"{COMPOSED}.org", f"{DECOMPOSED}.org"),
    "case": ("foo.org", "Foo.org"),
    "case of a folder": ("sub/foo.org", "Sub/foo.org"),
    "both": (f"{COMPOSED}.org", f"{DECOMPOSED.upper()}.org"),
    "a letter that has no one lower case": ("straße.org", "STRASSE.org"),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_second_name_that_macos_takes_for_the_first_is_refused(world, pair):
    first, second = PAIRS[pair]
    world.write(first, note("First one"))
    world.ok("commit")
    world.write(second, note("Second one"))
    ran = world.run("commit")
    assert ran.code == 1
    assert f"{second}:1: error file-name-taken '{first}'" in ran.err
    assert world.at_head(second) is None


def test_the_hook_and_check_say_so_too_and_another_name_is_fine(world):
    world.write("foo.org", note("First one"))
    world.ok("commit")
    world.write("Foo.org", note("Second one"))
    assert "file-name-taken" in world.run("check", "--all").out
    world.git("add", "Foo.org")
    refused = world.git("commit", "-qm", "by hand", check=False)
    assert "file-name-taken" in refused.stdout + refused.stderr
    world.git("reset", "-q")
    (world.store / "Foo.org").rename(world.store / "renamed.org")
    world.ok("commit")
    world.assert_sound()


def test_a_file_may_change_the_case_or_the_form_of_its_name(world):
    world.write("foo.org", note("Foo"))
    world.write(f"{DECOMPOSED}.org", note("Cheese"))
    world.ok("commit")
    (world.store / "foo.org").rename(world.store / "FOO.org")
    (world.store / f"{DECOMPOSED}.org").rename(world.store / f"{COMPOSED}.org")
    world.ok("commit", world.store)
    assert world.at_head("foo.org") is None
    assert world.at_head("FOO.org")
    world.assert_sound()


def test_new_does_not_take_a_name_either(world):
    world.ok("new", "--type", "reference", "--title", "One", "--slug", "foo")
    ran = world.refused("new", "--type", "reference", "--title", "Another", "--slug", "FOO")
    assert "'foo.org' exists already" in ran.err


def test_the_same_note_under_both_names_is_one_too_many(world):
    text = note("Cheese")
    world.write(f"{COMPOSED}.org", text)
    world.ok("commit")
    world.write(f"{DECOMPOSED}.org", text)
    ran = world.run("commit")
    assert ran.code == 1
    assert "duplicate-id" in ran.err
    assert "file-name-taken" in ran.err


def test_a_word_is_found_in_either_form(world):
    for form, title in (("NFC", "Brötchen"), ("NFD", "Müsli")):
        world.new(unicodedata.normalize(form, title))
    for form in ("NFC", "NFD"):
        for title in ("Brötchen", "Müsli"):
            word = unicodedata.normalize(form, title)
            assert len(world.ok("find", word).out.splitlines()) == 1, (form, title)
            world.ok("show", word)
