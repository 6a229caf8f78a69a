"""The plugin, its skills and the text that a session is told: every command in them works when typed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from aikb import __version__
from aikb.provision.agent_settings import EVENTS, is_ours
from aikb.recall.startup import RULES

CHECKOUT = Path(__file__).parents[3]
PLUGIN = CHECKOUT / "plugins/memory"
NAMES = ("memory-audit", "memory-find", "memory-project", "memory-recall")
NOTES = {
    "howto/release.md": "---\ntags: [git, howto]\n---\n# Release\n\nTag, then push.\n",
    "project/my-app.md": "# my-app\n\nAn application.\n\n- ruby\n- org-roam\n",
}


def skill(name: str) -> str:
    return (PLUGIN / "skills" / name / "SKILL.md").read_text(encoding="utf-8")


def front_matter(name: str) -> dict[str, str]:
    head = skill(name).split("---\n")[1]
    return {
        key: value.strip() for key, _, value in (line.partition(":") for line in head.splitlines())
    }


def commands(text: str) -> set[str]:
    """The `ai-kb …` commands that a text names: their words up to the first that is no command's."""
    found = re.findall(r"ai-kb ((?:vault|hook) [a-z-]+|[a-z-]+)", text)
    return {words for words in found if words not in {"command", "is"}}


@pytest.fixture
def shell(tmp_path):
    """Run shell text as an agent does: own HOME, a vault, a project with a remote, `ai-kb` on PATH."""
    home, bin_, project = tmp_path / "home", tmp_path / "bin", tmp_path / "some project"
    for folder in (home, bin_, project):
        folder.mkdir()
    launcher = bin_ / "ai-kb"
    launcher.write_text(
        f"#!/bin/sh\nPYTHONPATH='{CHECKOUT / 'python'}' exec '{sys.executable}' -m aikb \"$@\"\n"
    )
    launcher.chmod(0o755)
    env = {"HOME": str(home), "PATH": f"{bin_}:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
    vault = home / "Documents/SecondBrain"
    for path, text in NOTES.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text)

    def run(text: str, *, path: str | None = None) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text], env=env | ({"PATH": path} if path else {}),
            cwd=project, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout

    run(
        "git config --global user.name P; git config --global user.email p@example.org; git init -q;"
        "git remote add origin git@example.org:me/my-app.git; git commit -q --allow-empty -m x;"
        "cd ~/Documents/SecondBrain; git init -q; git add -A; git commit -q -m notes"
    )
    return run


def test_the_skills_are_the_plans():
    assert sorted(path.name for path in (PLUGIN / "skills").iterdir()) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_keeps_to_the_agents_limits(name):
    head = front_matter(name)
    assert head["name"] == name
    assert 40 <= len(head["description"]) <= 1024
    assert set(head) <= {"name", "description", "argument-hint", "allowed-tools"}
    assert skill(name).count("\n") < 100
    assert "$ARGUMENTS" in skill(name)


@pytest.mark.parametrize("name", NAMES)
def test_arguments_never_reach_a_shell_unseen(name):
    for command in re.findall(r"!`([^`]*)`", skill(name)):
        assert "$" not in command


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_a_skill_works_when_typed(name, shell):
    blocks = re.findall(r"```sh\n(.*?)```", skill(name), re.DOTALL)
    assert blocks
    if name == "memory-project":  # it shows how to make a note that is there already
        shell("git -C ~/Documents/SecondBrain rm -q project/my-app.md;"
              "git -C ~/Documents/SecondBrain commit -q -m gone")  # fmt: skip
    for block in blocks:
        for line in block.splitlines():
            out = shell(line)
            assert "Usage:" not in out
            assert out or "--edit" in line or "log" in line
    for words in commands(skill(name)):
        assert "Usage:" in shell(f"ai-kb {words} --help")


@pytest.mark.parametrize("name", NAMES)
def test_options_that_a_skill_names_exist(name, shell):
    helps = "".join(shell(f"ai-kb {words} --help") for words in commands(skill(name)))
    option = re.compile(r"(?<![\w-])--[a-z-]+")
    named = set(option.findall(skill(name).split("---\n", 2)[2]))
    assert named <= set(option.findall(helps)) | {"--help"}


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_runs_first_ends_well_in_any_state(name, shell):
    for command in re.findall(r"!`([^`]*)`", skill(name)):
        shell(command)
        assert "ai-kb" in shell(command, path="/usr/bin:/bin"), "without ai-kb it says so"
        shell(f"rm -rf ~/Documents; {command}")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_may_do_are_commands_that_exist_and_ask_for_nothing_more(name, shell):
    for tool in front_matter(name)["allowed-tools"].split(", "):
        words = re.fullmatch(r"Bash\(ai-kb (vault [a-z]+):\*\)", tool)
        assert words, tool
        assert "Usage:" in shell(f"ai-kb {words[1]} --help")


def test_every_command_that_a_session_is_told_works_when_typed(shell):
    text = " ".join(RULES).format(vault="~/Documents/SecondBrain")
    assert commands(text) == {"vault find", "vault recall"}
    assert "howto/release.md" in shell("ai-kb vault find git")
    assert "Tag, then push." in shell("ai-kb vault recall howto/release.md")
    for name in re.findall(r"/(memory-[a-z]+)", text):
        assert name in NAMES
    told = (CHECKOUT / "python/aikb/recall/startup.py").read_text(encoding="utf-8")
    for words in commands(told):
        assert "Usage:" in shell(f"ai-kb {words} --help")


def test_the_plugin_registers_the_two_hooks_and_nothing_else():
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("memory", __version__)
    hooks = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]
    assert list(hooks) == list(EVENTS)
    for event, groups in hooks.items():
        (entry,) = (entry for group in groups for entry in group["hooks"])
        assert is_ours(entry)
        assert entry["command"].endswith(f"hook {EVENTS[event]}")
        assert entry["timeout"] >= 10


def test_the_plugins_command_answers_through_a_shell(shell):
    hooks = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]
    command = hooks["SessionStart"][0]["hooks"][0]["command"]
    root = f"CLAUDE_PLUGIN_ROOT='{PLUGIN}'"
    said = shell(f"""{root}; echo '{{"session_id":"s"}}' | {command}""")
    assert "An application." in json.loads(said)["hookSpecificOutput"]["additionalContext"]
