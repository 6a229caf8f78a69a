"""What every command of ``ai-kb vault`` promises: help with an example, one JSON object, exit codes."""

from __future__ import annotations

import re

import pytest
from vault_world import markdown

from aikb.cli.vault import COMMANDS

QUIET = {
    "find": ("x",), "recall": ("a.md",), "new": ("--type", "howto", "--title", "T", "--tags", "t"),
    "commit": (), "index": (), "check": (), "status": (), "hubs": (), "init": (),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_a_sentence_and_an_example(plain, command):
    out = plain.ok("vault", command, "--help").out
    assert out.startswith(f"Usage: ai-kb vault {command}")
    example = rf"^ +(\S.* \| )?ai-kb vault {command}"
    assert re.search(example, out.partition("Example")[2], re.MULTILINE)


def test_help_lists_every_command_and_the_exit_codes(plain):
    out = plain.ok("vault", "--help").out
    assert [c for c in COMMANDS if not re.search(rf"^  {c} +\S", out, re.MULTILINE)] == []
    assert "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 a bug" in " ".join(out.split())
    assert re.search(r"^  vault +\S", plain.ok("--help").out, re.MULTILINE)


@pytest.mark.parametrize("command", QUIET)
def test_json_is_one_object_with_ok(vault, command):
    vault.write("a.md", markdown("A", "x"))
    answer = vault.run("vault", command, *QUIET[command], "--json")
    assert (answer.code, answer.json["ok"]) == (0, True), answer


def test_wrong_usage_is_2_with_one_object(plain):
    for words in (
        ("fnd",),
        ("new",),
        ("recall",),
        ("find", "a", "--limit", "x"),
        ("hubs", "--title", "t"),
    ):
        ran = plain.run("vault", *words, "--json")
        assert ran.code == 2
        assert ran.json["error"]["code"] == "usage"
    assert "Did you mean 'find'?" in plain.run("vault", "fnd").err
