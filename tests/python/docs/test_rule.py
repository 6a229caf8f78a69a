"""The agent's rule: everything in it works when it is typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[3]
RULE = CHECKOUT / "claude-rules" / "ai-kb.md"
MOST_WORDS = 700


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", RULE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def shell(tmp_path):
    """Run shell text as an agent does: own HOME, `ai-kb` on PATH, $KB set, from another directory."""
    home, bin_, project = tmp_path / "home", tmp_path / "bin", tmp_path / "some project"
    for folder in (home, bin_, project):
        folder.mkdir()
    launcher = bin_ / "ai-kb"
    launcher.write_text(
        f"#!/bin/sh\nPYTHONPATH='{CHECKOUT / 'python'}' exec '{sys.executable}' -m aikb \"$@\"\n"
    )
    launcher.chmod(0o755)
    store = home / ".local/share/ai-kb"
    env = {
        "HOME": str(home),
        "KB": str(store),
        "PATH": f"{bin_}:/usr/bin:/bin",
        "GIT_CONFIG_NOSYSTEM": "1",
    }

    def run(text: str) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=project, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout

    run("ai-kb init")
    return run


def first_id(shell) -> str:
    out = shell(
        "echo 'On rebase and conflicts.' | ai-kb new --type procedure --title 'Rebase' --body-file -"
    )
    return out.split()[0]


def test_rule_is_short_enough_to_be_always_loaded():
    assert len(RULE.read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_every_command_of_the_rule_works_when_typed(shell):
    known = first_id(shell)[:8]
    node = blocks("org")[0]
    path = "$KB/20260524101500-name-the-paths.org"
    ran = 0
    for block in blocks("sh"):
        text = block.replace("1a2b3c4d", known)
        if "ai-kb commit" in text:
            text = f"cat > {path} <<'NODE'\n{node}NODE\n{text}"
        if "backlinks" in text:
            assert "name-the-paths" in shell(text)
        else:
            shell(text)
        ran += 1
    assert ran == len(blocks("sh")) >= 4
    log = shell('git -C "$KB" log --format=%s')
    assert "new: Name the paths when you commit" in log
    assert "commit: 20260524101500-name-the-paths.org" in log


def test_inline_commands_of_the_rule_exist(shell):
    text = RULE.read_text(encoding="utf-8")
    for command in sorted(set(re.findall(r"ai-kb ([a-z]+)", text)) - {"s"}):
        assert "Usage:" in shell(f"ai-kb {command} --help")


def test_edit_options_of_the_rule_exist(shell):
    text = RULE.read_text(encoding="utf-8")
    options = set(re.findall(r"`(--[a-z-]+)", text))
    helps = shell("ai-kb edit --help; ai-kb new --help; ai-kb find --help; ai-kb index --help")
    assert options
    assert {option for option in options if option not in helps} == set()


def test_grep_recipes_and_commands_give_the_same_backlinks(shell):
    target = first_id(shell)
    shell(
        f"echo 'See [[id:{target[:8]}]].' | ai-kb new --type principle --title 'Other' --body-file -"
    )
    by_grep = shell(f'grep -rl --include="*.org" "id:{target[:8]}" "$KB"').split()
    by_command = shell(f"ai-kb backlinks {target[:8]}")
    assert [os.path.basename(path) for path in by_grep] == [by_command.partition(":")[0]]
