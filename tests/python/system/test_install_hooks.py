"""``vault install-hooks`` and ``uninstall-hooks``: the agent's settings file, edited and given back."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys

import pytest

MINE = '{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}\n'


@pytest.fixture
def settings(empty):
    path = empty.home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(MINE)
    return path


def files(settings):
    return sorted(path.name for path in settings.parent.iterdir())


def commands(settings, event):
    groups = json.loads(settings.read_text())["hooks"][event]
    return [entry["command"] for group in groups for entry in group["hooks"]]


def test_install_shows_the_change_keeps_a_copy_and_is_done_once(empty, settings):
    ran = empty.ok("vault", "install-hooks", "--yes")
    assert '+    "hooks": {' in ran.out
    assert '-    "permissions": {"allow": ["Bash(ls:*)"]}\n+    "permissions"' in ran.out
    assert "hooks registered" in ran.out
    assert (settings.parent / "settings.json.before-ai-kb").read_text() == MINE
    for event in ("SessionStart", "SessionEnd"):
        (command,) = commands(settings, event)
        assert command.startswith(("/", "'/"))
    before = settings.stat()
    ran = empty.ok("vault", "install-hooks")
    assert "already registered" in ran.out
    assert settings.stat().st_mtime_ns == before.st_mtime_ns
    assert files(settings) == ["settings.json", "settings.json.before-ai-kb"]


def test_the_registered_command_answers(empty, settings):
    (empty.home / "Documents/SecondBrain").mkdir(parents=True)
    empty.ok("vault", "install-hooks", "--yes")
    (command,) = commands(settings, "SessionStart")
    done = subprocess.run(
        ["sh", "-c", command], env=empty.environment(), cwd=empty.project, capture_output=True,
        input=b'{"hook_event_name": "SessionStart", "session_id": "s"}', check=True,
    )  # fmt: skip
    assert b"SecondBrain" in done.stdout


@pytest.mark.parametrize(
    "text", [MINE, "{}", "", '{"a":1}', '\ufeff{\r\n\t"a": 1\r\n}\r\n', None, "{ }\n"]
)
def test_uninstall_gives_back_every_byte(empty, settings, text):
    if text is None:
        settings.unlink()
    else:
        settings.write_bytes(text.encode())
        settings.chmod(0o640)
    empty.ok("vault", "install-hooks", "--yes")
    assert text is None or stat.S_IMODE(settings.stat().st_mode) == 0o640
    empty.ok("vault", "uninstall-hooks", "--yes")
    if text is None:
        assert files(settings) == []
        return
    assert settings.read_bytes() == text.encode()
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640
    assert files(settings) == ["settings.json"]
    assert "already not registered" in empty.ok("vault", "uninstall-hooks").out


def test_what_others_changed_meanwhile_stays(empty, settings):
    empty.ok("vault", "install-hooks", "--yes")
    settings.write_text(settings.read_text().replace('"opus"', '"haiku"'))
    empty.ok("vault", "uninstall-hooks", "--yes")
    assert settings.read_text() == MINE.replace('"opus"', '"haiku"')


def test_hooks_of_an_old_place_are_renewed_and_do_not_come_back(empty, settings):
    empty.ok("vault", "install-hooks", "--yes")
    old = settings.read_text()
    moved = old.replace(commands(settings, "SessionEnd")[0].split(" hook")[0], "/gone/ai-kb")
    settings.write_text(moved)
    empty.ok("vault", "install-hooks", "--yes")
    assert "/gone" not in settings.read_text()
    empty.ok("vault", "uninstall-hooks", "--yes")
    assert settings.read_text() == MINE


def test_a_link_is_followed_and_stays_one(empty, settings):
    dotfiles = empty.home / "dotfiles/claude.json"
    dotfiles.parent.mkdir()
    settings.rename(dotfiles)
    settings.symlink_to("../dotfiles/claude.json")
    empty.ok("vault", "install-hooks", "--yes")
    assert settings.is_symlink()
    assert "session-end" in dotfiles.read_text()
    assert [path.name for path in dotfiles.parent.iterdir()] == ["claude.json"]
    empty.ok("vault", "uninstall-hooks", "--yes")
    assert settings.is_symlink()
    assert dotfiles.read_text() == MINE


def test_a_dry_run_and_a_run_that_cannot_ask_change_nothing(empty, settings):
    ran = empty.ok("vault", "install-hooks", "--dry-run")
    assert '+    "hooks": {' in ran.out
    ran = empty.run("vault", "install-hooks")
    assert ran.code == 2
    assert '+    "hooks": {' in ran.out, "it is shown first"
    assert "--yes" in ran.err
    ran = empty.run("vault", "install-hooks", "--json")
    assert ran.code == 2
    assert ran.json["error"]["code"] == "usage"
    assert settings.read_text() == MINE
    assert files(settings) == ["settings.json"]


def test_json_says_what_was_and_would_be_done(empty, settings):
    would = empty.ok("vault", "install-hooks", "--dry-run", "--json").json
    assert (would["changed"], would["would_change"], would["backup"]) == (False, True, None)
    done = empty.ok("vault", "install-hooks", "--yes", "--json").json
    assert done["changed"]
    assert done["backup"] == f"{settings}.before-ai-kb"
    assert done["diff"] == would["diff"]
    again = empty.ok("vault", "install-hooks", "--json").json
    assert (again["changed"], again["would_change"], again["diff"]) == (False, False, "")


def ask(world, answer):
    """Run it in a terminal in which somebody answers."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "aikb", "vault", "install-hooks"],
        stdin=slave, stdout=slave, stderr=slave, env=world.environment({"TERM": "dumb"}),
        cwd=world.project, close_fds=True,
    )  # fmt: skip
    os.close(slave)
    os.write(master, answer)
    said = b""
    try:
        while piece := os.read(master, 4096):
            said += piece
    except OSError:  # the other end is closed
        pass
    os.close(master)
    return process.wait(60), said.decode()


def test_a_person_is_asked(empty, settings):
    code, said = ask(empty, b"n\n")
    assert (code, settings.read_text()) == (1, MINE)
    assert "Change it so?" in said
    assert files(settings) == ["settings.json"]
    code, said = ask(empty, b"y\n")
    assert code == 0
    assert "session-end" in settings.read_text()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'{\n  // mine\n  "a": 1\n}', "line 2"),
        (b'{"a": 1,}', "line 1"),
        (b"[]", "line 1"),
        (b'{"hooks": 3}', "line 1"),
        (b'{"a": "\xff"}', "not UTF-8"),
    ],
)
def test_a_file_that_is_no_settings_is_refused_untouched(empty, settings, data, word):
    settings.write_bytes(data)
    for command in ("install-hooks", "uninstall-hooks"):
        ran = empty.run("vault", command, "--yes")
        assert ran.code == 1
        assert word in ran.err
        assert "Traceback" not in ran.err
        assert settings.read_bytes() == data
        assert files(settings) == ["settings.json"]


def test_what_is_no_file_is_refused(empty, settings):
    settings.unlink()
    os.mkfifo(settings)
    ran = empty.run("vault", "install-hooks", "--yes")
    assert ran.code == 1
    assert "no plain file" in ran.err


def test_a_key_in_the_settings_is_not_shown(empty, settings):
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    text = f'{{\n  "env": {{\n    "GITHUB_TOKEN": "{token}"\n  }}\n}}\n'
    settings.write_text(text)
    for words in (["--dry-run"], ["--dry-run", "--json"], ["--yes"]):
        ran = empty.ok("vault", "install-hooks", *words)
        assert "GITHUB_TOKEN" in ran.out
        assert token not in ran.out + ran.err
    assert token in settings.read_text()
    empty.ok("vault", "uninstall-hooks", "--yes")
    assert settings.read_text() == text


def test_a_place_that_cannot_be_written_is_refused(empty, settings):
    (empty.project / "file").write_text("mine")
    ran = empty.run("vault", "install-hooks", "--yes", "--settings", "file/settings.json")
    assert ran.code == 1
    assert "cannot be written" in ran.err
    assert (empty.project / "file").read_text() == "mine"


def test_hooks_that_are_turned_off_are_told_of(empty, settings):
    settings.write_text('{"disableAllHooks": true}\n')
    assert "disableAllHooks" in empty.ok("vault", "install-hooks", "--yes").err


def test_the_file_is_where_the_agent_looks_or_where_one_says(empty, settings):
    other = empty.root / "other"
    ran = empty.ok("vault", "install-hooks", "--yes", env={"CLAUDE_CONFIG_DIR": str(other)})
    assert str(other / "settings.json") in ran.out
    empty.ok("vault", "install-hooks", "--yes", "--settings", "local.json")
    assert "session-start" in (empty.project / "local.json").read_text()
    assert settings.read_text() == MINE


def plugin(folder):
    """A plugin like ours in a folder."""
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / ".claude-plugin/plugin.json").write_text('{"name": "memory"}')
    (folder / "hooks").mkdir()
    command = 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/ai-kb.sh" hook session-start'
    hooks = {"SessionStart": [{"hooks": [{"type": "command", "command": command}]}]}
    (folder / "hooks/hooks.json").write_text(json.dumps({"hooks": hooks}))


def test_a_plugin_that_does_it_already_is_reason_to_refuse(empty, settings):
    plugin(settings.parent / "skills/memory")
    ran = empty.run("vault", "install-hooks", "--yes")
    assert ran.code == 1
    assert "memory@skills-dir" in ran.err
    assert settings.read_text() == MINE
    settings.write_text('{"enabledPlugins": {"memory@skills-dir": false}}')
    empty.ok("vault", "install-hooks", "--yes")
    settings.write_text(settings.read_text().replace("false", "true"))
    ran = empty.run("vault", "install-hooks", "--yes")
    assert ran.code == 1
    assert "each runs twice" in ran.err
    empty.ok("vault", "uninstall-hooks", "--yes")
    assert "session-start" not in settings.read_text()


def test_a_plugin_from_a_marketplace_too_but_not_one_of_the_same_name(empty, settings):
    place = empty.root / "cache/memory/1.0"
    plugin(place)
    listed = {"plugins": {"memory@shop": [{"installPath": str(place)}]}}
    (settings.parent / "plugins").mkdir()
    (settings.parent / "plugins/installed_plugins.json").write_text(json.dumps(listed))
    settings.write_text('{"enabledPlugins": {"memory@shop": true}}')
    ran = empty.run("vault", "install-hooks", "--yes")
    assert ran.code == 1
    assert "memory@shop" in ran.err
    (place / "hooks/hooks.json").write_text('{"hooks": {"Stop": []}}')
    empty.ok("vault", "install-hooks", "--yes")
