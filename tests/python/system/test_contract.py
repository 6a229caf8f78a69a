"""What every command keeps to: help, exit codes, one JSON object, no colour in a pipe, no prompt."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from world import ALPHA

COMMANDS = [
    "init", "new", "edit", "check", "commit", "show", "links", "backlinks", "find", "index", "status",
    "doctor", "remote", "push", "sync",
]  # fmt: skip
QUIET = {
    "init": (), "new": ("--type", "reference", "--title", "T"), "edit": (ALPHA, "--add-tag", "t"),
    "check": (), "commit": (), "show": (ALPHA,), "links": (ALPHA,), "backlinks": (ALPHA,),
    "find": ("alpha",), "index": (), "status": (), "doctor": (), "remote": (), "push": (),
    "sync": (),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_a_sentence_and_an_example(empty, command):
    for option in ("--help", "-h"):
        out = empty.ok(command, option).out
        assert out.startswith(f"Usage: ai-kb {command}")
        assert re.search(
            r"^ +(\S.* \| )?ai-kb " + command, out.partition("Example")[2], re.MULTILINE
        )


def test_help_lists_every_command_and_the_exit_codes(empty):
    out = empty.ok("--help").out
    everything = [*COMMANDS, "allow-secret", "clone"]
    assert [c for c in everything if not re.search(rf"^  {c} +\S", out, re.MULTILINE)] == []
    assert "merge-file" not in out
    assert "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 a bug" in " ".join(out.split())


def test_version_without_anything_else(empty):
    assert re.fullmatch(r"ai-kb \d+\.\d+\S*\n", empty.ok("--version", env={"HOME": None}).out)


@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_one_object_with_ok(backed_up, command):
    answer = backed_up.run(command, *QUIET[command], "--json")
    assert answer.code == 0, answer.err
    assert answer.json["ok"] is True


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in ("init", "doctor")])
def test_without_a_store_every_command_is_refused_and_names_init(empty, command):
    ran = empty.run(command, *QUIET[command])
    assert ran.code == 1
    assert "ai-kb init" in ran.err
    assert ran.out == ""
    assert not empty.store.exists()
    refusal = empty.run(command, *QUIET[command], "--json")
    assert refusal.json["ok"] is False
    assert set(refusal.json["error"]) == {"code", "message", "hint"}


def test_wrong_usage_is_2_with_one_object_and_the_usage_line(world):
    for words in (("nw",), ("new",), ("edit",), ("find", "--status", "dead"), ("push", "x")):
        ran = world.refused(*words, "--json", code=2)
        assert ran.json["error"]["code"] == "usage"
        assert "Usage:" in ran.err
    assert "Did you mean 'new'?" in world.refused("nw", code=2).err


def test_a_bug_is_3_with_a_sentence_and_a_log(world):
    (world.root / "broken").mkdir()
    (world.root / "broken/sitecustomize.py").write_text(
        "import aikb.links.graph as g\ndef boom(*a): raise RuntimeError('boom')\ng.resolve = boom\n"
    )
    env = {"PYTHONPATH": f"{world.root / 'broken'}:{world.env['PYTHONPATH']}"}
    ran = world.run("show", ALPHA, env=env)
    assert ran.code == 3
    assert "a bug in ai-kb: RuntimeError: boom" in ran.err
    log = ran.err.split("The traceback is in ")[1].strip()
    assert "Traceback" in Path(log).read_text()
    assert log.startswith(str(world.home))
    assert world.run("show", ALPHA, "--json", env=env).json["error"]["code"] == "bug"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_write_is_130_and_leaves_nothing(world, number):
    nap = f"sleep {time.monotonic_ns()}"
    world.fake("emacs", f"exec {nap}")
    if number == signal.SIGHUP:  # ignored under nohup, and so in every child
        signal.signal(number, signal.SIG_DFL)
    with world.unchanged():
        process = world.start("new", "--type", "reference", "--title", "T")
        _wait_for((world.store / ".ai-kb/txn").exists)
        process.send_signal(number)
        assert world.end(process, timeout=10).code == 130
    programs = subprocess.run(
        ["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True
    )
    assert nap not in programs.stdout.splitlines()


def _wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_asked_when_streams_are_closed(world, command):
    script = 'exec "$0" -m aikb "$@" <&- 2>/dev/null'
    words = ["sh", "-c", script, sys.executable, command, *QUIET[command]]
    ran = subprocess.run(
        words, env=world.env, cwd=world.project, timeout=60, capture_output=True, check=False
    )
    assert ran.returncode == (1 if command in {"push", "sync", "doctor"} else 0)
    script = 'exec "$0" -m aikb "$@" <&- >&- 2>&-'
    words[2] = script
    ran = subprocess.run(words, env=world.env, cwd=world.project, timeout=60, check=False)
    assert ran.returncode in (0, 1)
    assert not (world.store / ".ai-kb/txn").exists()


def _on_terminal(world, *words, env=None):
    """What a command prints on standard error when that is a terminal."""
    mine, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "aikb", *words], env=world.env | (env or {}), cwd=world.project,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=its,
    )  # fmt: skip
    os.close(its)
    process.wait(timeout=60)
    said = os.read(mine, 10_000).decode()
    os.close(mine)
    return said


def test_colour_only_on_a_terminal(world):
    words = ("edit", ALPHA, "--append-file", str(world.project / "bad"))
    (world.project / "bad").write_text("#+begin_src\n")
    assert "\x1b[31merror\x1b[0m" in _on_terminal(world, *words)
    assert "\x1b" not in world.refused(*words).err
    assert "\x1b" not in world.ok("find", "alpha").out


@pytest.mark.parametrize(
    "command", ["index --type principle", "show Alpha", "find a", "status --json"]
)
def test_a_reader_that_goes_away_is_no_error(world, command):
    world.ok("find", "a")
    words = f"{shlex.quote(sys.executable)} -m aikb {command} | true; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(
        ["bash", "-c", words], env=world.env, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_another_store_by_option_and_by_environment(world, tmp_path):
    other = tmp_path / "other store"
    world.ok("--store", other, "init")
    world.ok("--store", other, "new", "--type", "reference", "--title", "There")
    assert "There" in world.ok("find", "there", env={"AI_KB_HOME": str(other)}).out
    assert world.ok("find", "there").out == ""
