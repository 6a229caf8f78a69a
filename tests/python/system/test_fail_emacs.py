"""Emacs missing, hanging, crashing, lying: nothing is committed without its check."""

from __future__ import annotations

import re
import time

import pytest
from world import ALPHA, note

WRITES = {
    "new": ("new", "--type", "reference", "--title", "T"),
    "edit": ("edit", ALPHA, "--add-tag", "x"),
    "commit": ("commit",),
}


@pytest.fixture(params=WRITES)
def words(request, world):
    if request.param == "commit":
        world.write("hand.org", note("Hand"))
    return WRITES[request.param]


def test_a_missing_emacs_is_named_with_its_cure(world, words):
    ran = world.refused(*words, env={"PATH": world.path_without("emacs")})
    assert "Emacs is not installed" in ran.err
    assert "emacs-nox" in ran.err


@pytest.mark.parametrize(
    "script", ["exec sleep 877", "sleep 877 & wait", "trap '' TERM; while :; do sleep 1; done"]
)
def test_a_hanging_emacs_is_bounded_by_the_setting(world, script):
    world.settings("[seconds]\nlint = 0.5\n")
    world.fake("emacs", script)
    start = time.monotonic()
    ran = world.refused(*WRITES["new"])
    assert time.monotonic() - start < 5
    assert "Emacs did not answer within" in ran.err


def test_an_emacs_whose_children_outlive_it_holds_nobody_up(world):
    world.settings("[seconds]\nlint = 0.5\n")
    world.fake("emacs", "setsid sleep 12 & sleep 12")
    start = time.monotonic()
    world.refused(*WRITES["new"])
    assert time.monotonic() - start < 8


@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "exit 255",
        "kill -SEGV $$",
        "echo 'Cannot open load file' >&2; exit 255",
        'echo "(file \\"/x\\" :lint nil)"; exit 0',
        'echo "(file"; exit 0',
        "head -c 100000 /dev/urandom; exit 0",
        'read path; echo "(file \\"$path\\" :nodes (1 2))"',
        'exec $REAL "$@" < /dev/null',
        'exec $REAL "${@:1:2}" --eval "(error \\"broken\\")"',
    ],
)
def test_an_emacs_that_crashes_or_talks_nonsense_is_an_error_of_emacs(world, script):
    world.fake("emacs", script)
    ran = world.refused(*WRITES["new"])
    assert "Emacs ended without an answer" in ran.err
    answer = world.refused(*WRITES["edit"], "--json").json
    assert answer["error"]["code"] == "emacs"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ('s/:title "[^"]*"/:title "Something else"/', "the title 'Something else'"),
        ('s/:tags ([^)]*)/:tags ("wrong")/', "the tags"),
        ("s/:nodes (.*) :links/:nodes nil :links/", "reads a node"),
        (
            's/:links nil/:links (("cccccccc-1111-4111-8111-111111111111" 12))/',
            "different id links",
        ),
    ],
)
def test_an_emacs_that_reads_otherwise_is_believed_over_ourselves(world, change, what):
    world.fake("emacs", f"$REAL \"$@\" | sed '{change}'")
    ran = world.refused(*WRITES["new"])
    assert "emacs-disagrees" in ran.err
    assert what in ran.err


def test_with_several_files_only_the_one_that_emacs_refuses_stays_out(world):
    world.write("good.org", note("Good"))
    world.write("evil.org", note("Evil"))
    world.fake("emacs", '$REAL "$@" | sed \'s/:title "Evil"/:title "Otherwise"/\'')
    ran = world.run("commit", "--json")
    assert ran.code == 1
    assert ran.json["committed"] == ["good.org"]
    assert ran.json["refused"] == ["evil.org"]
    assert "Evil" not in world.at_head("index.org")
    (world.bin / "emacs").unlink()
    (world.store / "evil.org").unlink()
    world.assert_sound()


def test_reading_needs_no_emacs(world):
    env = {"PATH": world.path_without("emacs")}
    for words in (("find", "alpha"), ("show", ALPHA), ("links", ALPHA), ("backlinks", ALPHA),
                  ("status",), ("index", "--check"), ("index",)):  # fmt: skip
        world.ok(*words, env=env)


def test_emacs_gets_no_configuration_of_the_users(world):
    lisp = '(with-temp-file (expand-file-name "~/was-here") (insert "x"))'
    for name in (".emacs", ".emacs.d/init.el", ".emacs.d/early-init.el", ".config/emacs/init.el"):
        place = world.home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(lisp)
    world.write("x.org", note("Local", body="# Local Variables:\n# eval: (error)\n# End:"))
    assert "file-variables" in world.refused("commit").err or world.run("check").code == 1
    world.new("Plain")
    assert not (world.home / "was-here").exists()
    assert re.fullmatch(r"", "".join(p.name for p in (world.root / "tmp").iterdir()))
