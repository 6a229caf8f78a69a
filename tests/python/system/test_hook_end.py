"""SessionEnd: queued at once, looked after in the background, and never in an agent's way."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest
from sessions import Sessions
from world import CHECKOUT

NO_AGENT = "[audit]\ncommand = []\n"


@pytest.fixture
def sessions(tmp_path):
    made = Sessions(tmp_path)
    made.config(NO_AGENT)
    return made


def test_a_session_that_ends_gets_its_entry_in_the_journal(sessions):
    sessions.commit("src/a.py", "a = 1\n", "Add a")
    (sessions.project / "draft.txt").write_text("not yet")
    sessions.finish("abcdef12-3456", reason="logout")
    (day,) = sessions.journal.glob("*.md")
    text = day.read_text()
    assert f"# project, {day.stem}" in text
    assert "session abcdef12" in text
    assert "(logout)" in text
    assert "- commits: 1\n" in text
    assert " Add a\n" in text
    assert "  - A src/a.py\n" in text
    assert "- not committed: 1\n  - ?? draft.txt\n" in text


def test_the_steps_are_taken_in_the_plans_order_with_their_times(sessions):
    sessions.finish()
    steps = [(e["step"], type(e["ms"])) for e in sessions.log("step")]
    assert steps == [
        ("journal", int), ("audit", int), ("memsearch_sync", int), ("vault_index_rebuild", int),
        ("vault_sync", int),
    ]  # fmt: skip
    assert sessions.log("worker")[0]["ms"] < 30_000


def test_the_hook_returns_while_its_worker_lives_on_in_a_session_of_its_own(sessions):
    """The agent kills the hook's whole process group; what was begun goes on."""
    sessions.config(f'{NO_AGENT}[session_end]\nmemsearch = ["sleep", "1.5"]\n')
    hook = sessions.start("hook", "session-end", start_new_session=True)
    hook.communicate(sessions.event().encode(), timeout=10)
    assert hook.returncode == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(hook.pid, signal.SIGKILL)  # nobody is left in its group
    sessions.wait()
    assert sessions.last("memsearch_sync")["state"] == "done"


def test_queueing_twice_and_running_twice_change_nothing(sessions):
    sessions.commit("a", "1", "One")
    for _ in range(2):
        sessions.end_session("s1")
    sessions.wait()
    (day,) = sessions.journal.glob("*.md")
    text = day.read_text()
    sessions.finish("s1")
    assert day.read_text() == text
    assert text.count("## ") == 1
    assert sessions.last("journal")["state"] == "skipped"


def test_a_session_that_went_on_gets_an_entry_for_what_is_new(sessions):
    sessions.commit("a", "1", "One")
    sessions.finish("s1")
    sessions.commit("b", "2", "Two")
    sessions.finish("s1")
    (day,) = sessions.journal.glob("*.md")
    assert day.read_text().count(" One\n") == 1
    assert day.read_text().count(" Two\n") == 1


def test_sessions_that_end_at_once_do_not_collide(sessions):
    events = [sessions.event(f"s{number}").encode() for number in range(4)]
    hooks = [sessions.start("hook", "session-end") for _ in events]
    for hook, event in zip(hooks, events, strict=True):
        hook.stdin.write(event)
        hook.stdin.close()
    assert [hook.wait(20) for hook in hooks] == [0] * 4
    sessions.wait()
    (day,) = sessions.journal.glob("*.md")
    assert sorted(x.split()[-1] for x in day.read_text().splitlines() if x.startswith("## ")) == [
        f"s{number}" for number in range(4)
    ]
    assert len(sessions.log("step", "journal")) == 4


def test_a_projects_first_session_to_end_takes_what_an_earlier_one_committed(sessions):
    """Two agents in a project that no session ended in yet: HEAD is remembered for both of them."""
    for session in ("early", "late"):
        begins = sessions.event(session, hook_event_name="SessionStart")
        sessions.run("hook", "session-start", stdin=begins)
    began = sessions.state / "sessions/open/early.json"
    values = json.loads(began.read_text())
    values["started"] = f"{datetime.now(UTC) - timedelta(days=2):%Y-%m-%dT%H:%M:%S%z}"
    began.write_text(json.dumps(values))
    sessions.commit("early.py", "e = 1\n", "Done by the early one", days=1)
    sessions.commit("late.py", "l = 1\n", "Done by the late one")
    sessions.add_vault()
    sessions.config("")
    sessions.agent('{"structured_output": {"candidates": []}}')
    sessions.finish("late")
    assert "Done by the early one" in sessions.question()[1]
    sessions.finish("early")
    text = "".join(day.read_text() for day in sessions.journal.glob("*.md"))
    assert text.count("Done by the early one") == 1
    assert text.count("Done by the late one") == 1


@pytest.mark.parametrize(
    "stdin",
    ["", "no json", "[]", "{}", '{"session_id": 7, "cwd": "/"}', '{"session_id": "a", "cwd": "x"}',
     "{" * 100_000, "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
     '{"session_id": "a\\u0000b", "cwd": "/"}'],
)  # fmt: skip
def test_an_event_that_is_none_is_in_the_log_and_nowhere_else(sessions, stdin):
    ran = sessions.run("hook", "session-end", stdin=stdin)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert sessions.queued() == []
    assert "session-end" in sessions.log("trouble")[0]["detail"]


def test_an_id_cannot_leave_the_folder_of_sessions(sessions):
    sessions.config("[session_end]\nenabled = false\n")
    before = set(sessions.home.rglob("*"))
    for name in ("../../../evil", "/etc/evil", "a/b", ".", "..", "x" * 500, "é\u202e"):
        sessions.finish(name)
    fresh = {
        path.relative_to(sessions.home) for path in sessions.home.rglob("*") if path not in before
    }
    assert all(str(path).startswith(".local") for path in fresh)
    assert len(sessions.log("left out")) == 7


def test_an_open_pipe_does_not_hold_the_hook(sessions):
    hook = sessions.start("hook", "session-end")
    hook.stdin.write(sessions.event().encode())
    hook.stdin.flush()
    assert hook.wait(10) == 0
    hook.stdin.close()
    sessions.wait()
    assert sessions.log("step", "journal")


def test_a_state_folder_that_cannot_be_written_is_no_trouble_for_the_agent(sessions):
    sessions.state.parent.mkdir(parents=True)
    sessions.state.write_text("a file is in its place")
    sessions.end_session()
    sessions.end_session(env={"HOME": None})
    sessions.add_vault()
    start = sessions.event(hook_event_name="SessionStart", source="startup")
    assert "SecondBrain" in sessions.ok("hook", "session-start", stdin=start).out


def test_hooks_inside_of_what_a_worker_starts_do_nothing(sessions):
    sessions.end_session(env={"AI_KB_HOOK": "off"})
    assert not sessions.state.exists()
    child = sessions.root / "child"
    sessions.fake("search", f"env > {child}; ai-kb-hook-again < /dev/null")
    sessions.fake(
        "ai-kb-hook-again",
        f"echo '{sessions.event('inner')}' | {shlex.quote(sys.executable)} -m aikb hook session-end",
    )
    sessions.config(f'{NO_AGENT}[session_end]\nmemsearch = ["search"]\n')
    sessions.finish("outer")
    assert "AI_KB_HOOK=off" in child.read_text()
    assert [e["session"] for e in sessions.log("queued")] == ["outer"]


def test_a_configuration_that_is_wrong_keeps_the_session_until_it_is_mended(sessions):
    sessions.config("[session_end]\nseconds = 'long'\n")
    sessions.end_session()
    end = time.monotonic() + 20
    while not sessions.log("trouble"):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "session_end.seconds must be a number" in sessions.log("trouble")[0]["detail"]
    assert sessions.queued() == ["s1"]
    sessions.config(NO_AGENT)
    sessions.finish("s2")
    assert [e["session"] for e in sessions.log("step", "journal")] == ["s1", "s2"]


def test_a_damaged_job_is_put_aside_and_stops_nobody(sessions):
    folder = sessions.state / "sessions"
    folder.mkdir(parents=True)
    (folder / "bad.json").write_text('{"session": "bad"')
    (folder / "odd.json").write_text('{"session": 1, "cwd": []}')
    (folder / "half.json.77.tmp").write_text("{")
    os.utime(folder / "half.json.77.tmp", (1, 1))
    sessions.finish("good")
    assert sorted(path.name for path in folder.glob("*.damaged")) == [
        "bad.json.damaged", "odd.json.damaged",
    ]  # fmt: skip
    assert sessions.log("step", "journal")[0]["session"] == "good"
    assert not list(folder.glob("*.tmp"))


def test_turned_off_nothing_is_done_and_the_log_says_so(sessions):
    sessions.config("[session_end]\nenabled = false\n")
    sessions.finish()
    assert not sessions.journal.exists()
    assert sessions.log("left out")[0]["detail"] == "session_end.enabled is false"


def test_a_directory_that_is_gone_or_no_repository_still_gets_an_entry(sessions):
    sessions.finish("s1", cwd=str(sessions.root / "gone"))
    plain = sessions.root / "plain"
    plain.mkdir()
    sessions.finish("s2", cwd=str(plain))
    texts = [
        next((sessions.state / "journal" / n).glob("*.md")).read_text() for n in ("gone", "plain")
    ]
    assert all("nothing changed in the project" in text for text in texts)


def test_words_of_a_repository_are_data_in_the_journal(sessions):
    sessions.commit("a", "1", "Look\x1b[31m --> here ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")
    sessions.finish()
    (day,) = sessions.journal.glob("*.md")
    text = day.read_text()
    assert "\x1b" not in text
    assert "ghp_A1" not in text
    assert text.count("-->") == text.count("<!--") == 1


def test_the_steps_can_be_taken_by_hand(sessions):
    sessions.commit("a", "1", "One")
    ran = sessions.ok("hook", "step", "session_end", "--cwd", sessions.project)
    assert ran.out.startswith("session_end: done in ")
    assert " One\n" in next(sessions.journal.glob("*.md")).read_text()
    assert sessions.ok("hook", "step", "memsearch_sync", "--json").json["state"] == "skipped"
    assert "no step" in sessions.run("hook", "step", "sync_all").err
    assert sessions.run("hook", "step", "sync_all").code == 2


def test_the_log_is_shown_to_people_and_agents_and_stays_small(sessions):
    assert "nothing yet" in sessions.ok("vault", "log").err
    sessions.finish("abcdefgh-1")
    out = sessions.ok("vault", "log", "-n", "20").out
    assert [line.split("  ")[1] for line in out.splitlines()][-6:] == [
        "journal", "audit", "memsearch_sync", "vault_index_rebuild", "vault_sync", "worker",
    ]  # fmt: skip
    assert len(sessions.ok("vault", "log", "-n", "2", "--json").json["entries"]) == 2
    with open(sessions.state / "sessions.log", "a") as file:
        file.write(json.dumps({"time": "t", "event": "x", "detail": "y" * 500}) + "\n" * 2)
        file.write('{"cut off')
        file.writelines(
            "\n" + json.dumps({"event": "filler", "detail": "z" * 600}) for _ in range(1700)
        )
    sessions.finish("t")
    sizes = [path.stat().st_size for path in sessions.state.glob("sessions.log*")]
    assert len(sizes) == 2
    assert max(sizes) < 1_300_000


def test_what_a_killed_session_left_is_caught_up_at_the_next_start(sessions):
    """The agent is killed: it fires no hook, and the next session finds that its process is gone."""
    start = [sys.executable, "-m", "aikb", "hook", "session-start"]
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.run({start!r}, input=sys.argv[1].encode(), check=True)\n"
        "print('up', flush=True); time.sleep(600)\n"
    )
    event = sessions.event("lost", hook_event_name="SessionStart", source="startup")
    agent = subprocess.Popen(
        [sys.executable, "-c", code, event], env=sessions.environment(), cwd=sessions.project,
        stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert b"up" in agent.stdout.read1()
    second = sessions.event("second", hook_event_name="SessionStart", source="startup")
    assert sessions.run("hook", "session-start", stdin=second).code == 0
    assert sessions.queued() == []
    os.killpg(agent.pid, signal.SIGKILL)
    agent.wait()
    sessions.commit("a", "1", "Before the kill")
    sessions.run("hook", "session-start", stdin=second)
    sessions.wait()
    assert [e["session"] for e in sessions.log("lost")] == ["lost"]
    assert "(lost)" in next(sessions.journal.glob("*.md")).read_text()


def test_a_session_that_ends_again_while_it_waits_is_looked_at_anew(sessions):
    """Its audit failed, so it waits; resumed, it does more, and ends again."""
    sessions.config("")
    sessions.add_vault()
    sessions.agent("{")
    sessions.commit("a", "1", "One")
    sessions.end_session("s1")
    sessions.wait_for_worker()
    sessions.commit("b", "2", "Two")
    sessions.agent('{"structured_output": {"candidates": []}}')
    sessions.finish("s1")
    text = next(sessions.journal.glob("*.md")).read_text()
    assert (text.count(" One\n"), text.count(" Two\n"), text.count("## ")) == (1, 1, 2)


def test_a_session_that_was_resumed_while_its_end_is_looked_after_stays_open(sessions):
    start = sessions.event("s1", hook_event_name="SessionStart", source="resume")
    open_file = sessions.state / "sessions/open/s1.json"
    sessions.run("hook", "session-start", stdin=start)
    sessions.finish("s1")
    assert not open_file.exists()
    sessions.config(f'{NO_AGENT}[session_end]\nmemsearch = ["sleep", "2"]\n')
    sessions.end_session("s1")
    time.sleep(1.1)  # times are kept in seconds
    sessions.run("hook", "session-start", stdin=start)
    sessions.wait()
    assert open_file.exists()


@pytest.mark.parametrize(
    "step", ["session_end", "memsearch_sync", "vault_index_rebuild", "vault_sync"]
)
def test_each_step_has_a_script_that_only_calls_it(sessions, step):
    script = CHECKOUT / f"plugins/memory/hooks/{step}.py"
    sessions.fake("ai-kb", 'printf "<%s>" "$@"')
    words = [sys.executable, script, "--cwd", "a b"]
    said = subprocess.run(
        words, env=sessions.environment(), capture_output=True, text=True, check=True
    )
    assert said.stdout == f"<hook><step><{step}><--cwd><a b>"
