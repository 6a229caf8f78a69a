"""kill -9 at any point of a session's end loses nothing, and nothing is done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from sessions import Sessions, answer, candidate

MINE = "---\ntags: [garden]\n---\n\n# Roses\n\nCut them in March.\n"


@pytest.fixture
def sessions(tmp_path):
    made = Sessions(tmp_path)
    made.add_vault({"first.md": MINE.replace("Roses", "First")})
    made.commit("a.py", "a = 1\n", "One")
    made.note("roses.md", MINE)
    made.agent(answer(candidate()))
    return made


def assert_all_is_there_once(sessions):
    (day,) = sessions.journal.glob("*.md")
    assert day.read_text().count("## ") == 1
    subjects = sessions.vault_git("log", "--format=%s").splitlines()
    assert len([s for s in subjects if s.startswith("audit: 1 note from project")]) == 1
    assert [p.name for p in (sessions.vault / "convention").iterdir()] == ["retries-back-off.md"]
    assert sessions.vault_git("show", "HEAD:roses.md") == MINE
    assert sessions.pushed()
    index = json.loads((sessions.vault / "vault-index.json").read_text())
    assert set(index) == {"garden", "http", "retries"}
    (audit,) = sessions.ok("vault", "stats", "--json").json["projects"][0]["sessions"]
    assert (audit["proposed"], audit["created"], audit["rejected"]) == (1, 1, 0)
    assert sessions.queued() == []


@pytest.mark.parametrize("moment", [0.2, 0.9])
def test_a_worker_that_is_killed_is_taken_up_where_it_was(sessions, moment):
    """With its steps, as a machine that goes down would; wherever it was at that moment."""
    hook = sessions.run("hook", "session-end", stdin=sessions.event(), env={"AI_KB_HOOK": None})
    assert hook.code == 0
    time.sleep(moment)
    kill_all(sessions)
    sessions.end_session("second")
    sessions.wait()
    assert {e["session"] for e in sessions.log("step", "journal")} >= {"second"}
    (day,) = sessions.journal.glob("*.md")
    assert day.read_text().count("- commits: 1\n") == 1
    text = day.read_text()
    for number in (1, 2):
        sessions.finish("second" if number == 1 else "s1")
    assert [p.name for p in (sessions.vault / "convention").iterdir()] == ["retries-back-off.md"]
    assert sessions.vault_git("show", "HEAD:roses.md") == MINE
    assert sessions.pushed()
    assert "session s1" in text


def kill_all(sessions, word=b""):
    """Kill whatever works for this world, or those processes of it whose command has a word."""
    mark = f"HOME={sessions.home}\0".encode()
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with (
                    open(f"/proc/{name}/environ", "rb") as env,
                    open(f"/proc/{name}/cmdline", "rb") as words,
                ):
                    if mark in env.read() and word in words.read():
                        os.kill(int(name), signal.SIGKILL)
            except (OSError, ProcessLookupError):
                continue


STEPS = ("journal", "audit", "memsearch_sync", "vault_index_rebuild", "vault_sync")


@pytest.mark.parametrize("step", STEPS)
def test_killed_behind_each_step_everything_is_done_once(sessions, step):
    """The worker dies when a step is done and not yet marked."""
    code = f"""
import os, signal, sys
from aikb.hooks import worker
real = worker._Pass._call
def call(self, step, job, bound):
    answer = real(self, step, job, bound)
    if step == {step!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer
worker._Pass._call = call
from aikb.hooks import queue
queue.put(os.environ, queue.Job("s1", {str(sessions.project)!r}))
worker.work(os.environ)
"""
    died = subprocess.run([sys.executable, "-c", code], env=sessions.environment(), check=False)
    assert died.returncode == -signal.SIGKILL
    assert sessions.queued() == ["s1"]
    sessions.ok("hook", "worker")
    assert_all_is_there_once(sessions)


@pytest.mark.parametrize("moment", ["answer kept", "written", "counted", "remembered"])
def test_an_audit_killed_inside_decides_once(sessions, moment):
    """Between the agent's answer and the mark that it was dealt with."""
    code = f"""
import os, signal, sys
from aikb.hooks import audit, projects, queue
from aikb.audit import stats
from aikb.audit.session import Audit
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
def after(owner, name):
    real = getattr(owner, name)
    def call(*words, **named):
        value = real(*words, **named)
        die()
        return value
    setattr(owner, name, call)
owner, name = {{
    "answer kept": (audit, "_keep_answer"), "written": (Audit, "conclude"),
    "counted": (stats, "record"), "remembered": (projects, "save"),
}}[{moment!r}]
after(owner, name)
import time
job = queue.Job("s1", {str(sessions.project)!r})
queue.put(os.environ, job)
audit.audit_session(os.environ, job, time.monotonic() + 30)
"""
    died = subprocess.run([sys.executable, "-c", code], env=sessions.environment(), check=False)
    assert died.returncode == -signal.SIGKILL
    assert sessions.queued() == ["s1"]
    sessions.ok("hook", "worker")
    assert_all_is_there_once(sessions)
    assert sessions.times_asked() == 1


def test_an_agent_does_not_outlive_its_time_when_all_of_us_is_killed(sessions):
    sessions.config("[audit]\nseconds = 2\n")
    sessions.agent(script="exec sleep 961")
    sessions.end_session()
    end = time.monotonic() + 30
    while not sessions.processes_with("sleep 961"):
        assert time.monotonic() < end
        time.sleep(0.05)
    kill_all(sessions, b"aikb")
    while sessions.processes_with("sleep 961"):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert sessions.queued() == ["s1"]


def test_an_entry_whose_writer_was_killed_is_not_written_anew_when_more_has_come(sessions):
    """Between the entry and the mark that it is there; then the session's project goes on."""
    code = f"""
import os, signal, time
from aikb.hooks import journal, projects, queue
projects.save = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
job = queue.Job("s1", {str(sessions.project)!r})
queue.put(os.environ, job)
journal.write_entry(os.environ, {str(sessions.state / "journal")!r}, job, "project", time.monotonic() + 30)
"""
    died = subprocess.run([sys.executable, "-c", code], env=sessions.environment(), check=False)
    assert died.returncode == -signal.SIGKILL
    sessions.commit("b.py", "b = 1\n", "Two")
    sessions.finish("s2")
    text = next(sessions.journal.glob("*.md")).read_text()
    assert (text.count(" One\n"), text.count(" Two\n")) == (1, 1)
