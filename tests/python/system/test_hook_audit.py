"""The audit at a session's end: a scripted agent's answer becomes notes and flags, decided in code."""

from __future__ import annotations

import json
import os
import time

import pytest
from sessions import BODY, PASSES, Sessions, answer, candidate

from aikb.hooks import queue

DEPLOY = """\
---
title: "Deploy the service"
type: howto
tags: [deploy, project]
---

# Deploy the service

Run `scripts/deploy.sh` on the server.
"""
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def sessions(tmp_path):
    made = Sessions(tmp_path)
    made.add_vault({"howto/deploy.md": DEPLOY})
    made.commit("src/http.py", "def retry():\n    return 1\n", "Back off when the server is busy")
    return made


def notes(sessions, folder="convention"):
    return sorted(path.name for path in (sessions.vault / folder).glob("*.md"))


def test_what_passes_becomes_an_unreviewed_note_that_is_committed_and_pushed(sessions):
    sessions.agent(answer(candidate()))
    sessions.finish("abcdef12-1")
    (name,) = notes(sessions)
    text = (sessions.vault / "convention" / name).read_text()
    assert text.startswith('---\ntitle: "Retries back off"\ntype: convention\n')
    assert "\nreviewed: false\n" in text
    assert "\n  - http\n  - retries\n" in text
    assert 'source: "audit of project at ' in text
    assert BODY in text
    index = json.loads((sessions.vault / "vault-index.json").read_text())
    assert [e["path"] for e in index["retries"]] == [f"convention/{name}"]
    assert sessions.pushed()
    last = sessions.last("audit")
    assert (last["state"], last["counts"]["proposed"], last["counts"]["created"]) == ("done", 1, 1)


def test_the_agent_is_asked_as_the_facts_say_and_gets_the_differences_as_data(sessions):
    sessions.agent(answer())
    sessions.audit(env={"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(sessions.project)})
    words, stdin, env = sessions.question()
    assert words[:5] == [
        "-p",
        "--safe-mode",
        "--strict-mcp-config",
        "--no-session-persistence",
        "--tools",
    ]
    assert words[words.index("--tools") + 1] == ""
    assert words[words.index("--max-turns") + 1] == "2"
    assert words[words.index("--permission-mode") + 1] == "dontAsk"
    assert words[words.index("--output-format") + 1] == "json"
    schema = json.loads(words[words.index("--json-schema") + 1])
    assert schema["required"] == ["candidates"]
    assert "convention, reference, howto" in words[-1]
    assert "+def retry():" in stdin
    assert "Back off when the server is busy" in stdin
    assert "AI_KB_HOOK=off" in env
    assert "CLAUDECODE" not in env
    assert "CLAUDE_PROJECT_DIR" not in env


def test_only_what_came_since_the_last_audit_is_asked_about(sessions):
    sessions.agent(answer())
    sessions.audit("s1")
    sessions.audit("s2")
    assert sessions.times_asked() == 1
    assert sessions.last("audit")["detail"] == "nothing was committed since the last audit"
    sessions.commit("src/new.py", "fresh = True\n", "Fresh")
    sessions.audit("s3")
    _, stdin, _ = sessions.question(1)
    assert "fresh = True" in stdin
    assert "def retry" not in stdin


@pytest.mark.parametrize("begun", [True, False])
def test_what_follows_a_first_session_without_commits_is_audited(sessions, begun):
    project = sessions.project if begun else sessions.root / "fresh"
    old = {"GIT_COMMITTER_DATE": f"{int(time.time()) - 9999} +0000"}
    if begun:
        sessions.git("commit", "-q", "--amend", "--no-edit", cwd=project, env=old)
    else:  # a repository that has no commit at all
        sessions.git("init", "-q", str(project), cwd=sessions.root)
    sessions.agent(answer())
    begin = {"hook_event_name": "SessionStart", "cwd": str(project)}
    sessions.run("hook", "session-start", stdin=sessions.event("s1", **begin))
    sessions.finish("s1", cwd=str(project))
    assert sessions.last("audit")["detail"] == "nothing was committed since the last audit"
    (project / "by_hand.py").write_text("by_hand = 1\n")
    sessions.git("add", "-A", cwd=project)
    sessions.git("commit", "-q", "-m", "By hand", cwd=project, env=old)
    sessions.run("hook", "session-start", stdin=sessions.event("s2", **begin))
    sessions.finish("s2", cwd=str(project))
    _, stdin, _ = sessions.question()
    assert ("by_hand = 1" in stdin, "def retry" in stdin) == (True, False)


def test_the_tags_of_the_projects_note_are_named_first(sessions):
    sessions.note("project/project.md", "# project\n\nA shop.\n\n- till\n- deploy\n")
    for number in range(70):
        sessions.note(f"n{number}.md", f"---\ntags: [many, t{number}]\n---\n\nWords.\n")
    sessions.agent(answer())
    sessions.audit()
    assert "best those in use: till, deploy, many, " in sessions.question()[0][-1]


def test_what_is_secret_generated_vendored_or_locked_is_not_shown(sessions):
    sessions.commit("conf.py", f"TOKEN = '{TOKEN}'\n", f"Use {TOKEN}")
    for path in ("package-lock.json", "vendor/x.py", "app.min.js", "node_modules/y/i.js", ".env"):
        sessions.commit(path, f"left_out_{path.replace('/', '_')} = 1\n")
    sessions.commit("api_pb.py", "# Code generated by a tool. DO NOT EDIT.\nleft_out = 1\n")
    sessions.commit("big.txt", "left_out\n" * 40_000)
    sessions.commit("pic.bin", b"\0left_out" * 10)
    sessions.agent(answer())
    sessions.audit()
    _, stdin, _ = sessions.question()
    assert "ghp_" not in stdin
    assert "conf.py" in stdin
    assert "left_out" not in stdin.replace("_left_out", "")


def test_the_differences_are_cut_to_the_bound(sessions):
    sessions.config("[audit]\nbytes = 2000\n")
    for number in range(30):
        sessions.commit(f"m{number}.py", "".join(f"a{number}_{i} = {i}\n" for i in range(40)))
    sessions.agent(answer())
    sessions.audit()
    _, stdin, _ = sessions.question()
    assert "differences (the beginning)" in stdin
    assert len(stdin) < 6000


def test_hostile_and_malformed_candidates_are_findings_and_the_good_one_stands(sessions):
    bad = (
        {"title": "../../outside"}, {"title": "Esc \x1b[31m"}, {"body": f"{BODY} The token is {TOKEN}."},
        {"gates": {**PASSES, "longevity": {"pass": False, "reason": "gone tomorrow"}}},
    )  # fmt: skip
    sessions.agent(
        answer(*(candidate("Bad one") | values for values in bad), candidate("Good one"))
    )
    before = set(sessions.root.rglob("*.md"))
    sessions.audit()
    fresh = {path.name for path in sessions.root.rglob("*.md") if path not in before}
    assert fresh == {"good-one.md"}
    last = sessions.last("audit")
    assert (last["counts"]["created"], last["counts"]["rejected"]) == (1, 2)
    for why in (
        "none that a note can have",
        "visible characters",
        "secret",
        "longevity: gone tomorrow",
    ):
        assert any(why in line for line in last["findings"]), last
    log = (sessions.state / "sessions.log").read_text()
    assert "ghp_" not in log
    assert "\\u001b" not in log
    assert not list(sessions.state.glob("answers/*"))


def test_at_most_five_notes_a_run_in_one_commit(sessions):
    before = sessions.vault_git("rev-parse", "HEAD").strip()
    words = ("alpha", "bravo", "copper", "delta", "ember", "frost", "garnet", "harbor")
    many = [
        candidate(
            f"About {w}", tags=[w], body=f"Always {w} before {w}s are {w}ed by the {w} of {w}."
        )
        for w in words
    ]
    sessions.agent(answer(*many))
    sessions.audit()
    assert len(notes(sessions)) == 5
    assert "8 candidates where 5 are looked at" in " ".join(sessions.last("audit")["findings"])
    subjects = sessions.vault_git("log", "--format=%s", f"{before}..").splitlines()
    assert [s for s in subjects if s.startswith("audit: 5 notes from project")]
    assert len([s for s in subjects if s.startswith("audit:")]) == 1


def test_an_answer_that_is_none_leaves_everything_for_the_next_run(sessions):
    sessions.agent('{"is_error": true, "subtype": "success", "result": "Not logged in"}')
    sessions.end_session()
    sessions.wait_for_worker()
    last = sessions.last("audit")
    assert (last["state"], last["detail"]) == ("failed", "claude says: Not logged in")
    assert sessions.last("vault_sync")["state"] == "done"
    assert sessions.queued() == ["s1"]
    sessions.agent(answer(candidate()))
    sessions.finish("s2")
    assert notes(sessions) == ["retries-back-off.md"]
    assert [e["session"] for e in sessions.log("step", "journal")] == ["s1", "s2"]


def test_an_agent_that_is_late_is_killed_with_all_that_it_started(sessions):
    sessions.config("[audit]\nseconds = 1\n")
    own = f"sleep 48.{os.getpid()}"  # of this run alone
    sessions.agent(script=f"sleep 947 & setsid sh -c 'setsid {own} & {own}' & sleep 949")
    sessions.end_session()
    sessions.wait_for_worker()
    assert "no answer within 1 s" in sessions.last("audit")["detail"]
    assert not any(map(sessions.processes_with, ("sleep 947", own, "sleep 949")))
    assert sessions.last("vault_sync")["state"] == "done"


def test_a_session_whose_audit_fails_each_time_is_given_up_in_the_end(sessions):
    sessions.agent("{")
    sessions.end_session()
    sessions.wait_for_worker()
    for _ in range(2):
        assert sessions.queued() == ["s1"]
        sessions.ok("hook", "worker")
    assert sessions.queued() == []
    assert sessions.last("audit")["state"] == "given up"
    assert sessions.times_asked() == 3
    assert len(sessions.log("step", "journal")) == 1


def test_the_agent_may_have_words_of_its_own(sessions):
    sessions.agent(answer(candidate()))
    sessions.config('[audit]\ncommand = ["claude", "--model", "small"]\n')
    sessions.audit()
    words, _, _ = sessions.question()
    assert words[:4] == ["--model", "small", "-p", "--safe-mode"]
    assert notes(sessions) == ["retries-back-off.md"]


def test_another_command_gets_the_question_on_standard_input(sessions):
    value = json.dumps({"candidates": [candidate()]})
    (sessions.root / "said").write_text(value)
    sessions.fake(
        "my-agent",
        f'echo "$@" > {sessions.root}/words; cat > {sessions.root}/stdin; cat {sessions.root}/said',
    )
    sessions.config('[audit]\ncommand = ["my-agent", "--quiet"]\n')
    sessions.audit()
    assert notes(sessions) == ["retries-back-off.md"]
    assert (sessions.root / "words").read_text() == "--quiet\n"
    stdin = (sessions.root / "stdin").read_text()
    assert "+def retry():" in stdin
    assert '"candidates"' in stdin


def test_without_an_agent_decisions_documents_and_reasons_are_proposed_and_it_says_so(sessions):
    sessions.config("[audit]\ncommand = []\n")
    decided = (
        "Two formats were read in two ways, because each tool had its own faults in dates. " * 3
    )
    guide = (
        "Copy the bundle to the machine, start the unit, and look whether its page answers. " * 3
    )
    reason = (
        "Never leave handles open: on slow disks the last bytes stay in a buffer until exit. " * 3
    )
    sessions.commit(
        "docs/decisions/0001-format.md", f"# One format for all\n\n{decided}\n", "Decide"
    )
    sessions.commit("docs/deploy-guide.md", f"# How to deploy\n\n{guide}\n", "Write the guide")
    sessions.commit("x.py", "x = 1\n", f"Always close the file\n\n{reason}")
    sessions.commit("y.py", "y = 1\n", "Rename y")
    sessions.audit()
    last = sessions.last("audit")
    assert last["counts"]["created"] == 3
    assert last["findings"][0].startswith("no agent: ")
    assert notes(sessions, "reference") == ["one-format-for-all.md"]
    assert notes(sessions, "howto") == ["deploy.md", "how-to-deploy.md"]
    assert notes(sessions) == ["always-close-the-file.md"]


def test_what_a_note_covers_already_is_named_and_not_written_again(sessions):
    sessions.agent(answer(candidate()))
    sessions.audit("s1")
    sessions.commit("src/more.py", "z = 1\n", "More")
    sessions.agent(answer(candidate(body=BODY + " It always does.")))
    sessions.audit("s2")
    assert notes(sessions) == ["retries-back-off.md"]
    last = sessions.last("audit")
    assert last["counts"]["covered"] == 1
    assert "'Retries back off' is covered by convention/retries-back-off.md" in last["findings"]


def test_no_vault_means_no_audit_and_no_question(tmp_path):
    made = Sessions(tmp_path)
    made.commit("a", "1")
    made.agent(answer(candidate()))
    made.audit()
    assert made.last("audit")["detail"] == "there is no vault"
    assert not made.vault.exists()
    assert made.times_asked() == 0


def test_a_run_makes_five_notes_however_many_sessions_ended_and_the_next_one_the_rest(sessions):
    words = ("alpha", "bravo", "copper", "delta", "ember", "frost", "garnet", "harbor")
    many = [
        candidate(
            f"About {w}", tags=[w], body=f"Always {w} before {w}s are {w}ed by the {w} of {w}."
        )
        for w in words
    ]
    second = sessions.root / "second"
    sessions.git("clone", "-q", str(sessions.project), str(second), cwd=sessions.root)
    sessions.fake("claude", f"cat > /dev/null; n=$(cat {sessions.root}/n); echo 1 > {sessions.root}/n; "
                  f"cat {sessions.root}/said$n")  # fmt: skip
    (sessions.root / "n").write_text("0")
    (sessions.root / "said0").write_text(answer(*many[:4]))
    (sessions.root / "said1").write_text(answer(*many[4:]))
    for name, folder in (("s1", sessions.project), ("s2", second)):
        queue.put(sessions.env, queue.Job(name, str(folder)))
    sessions.ok("hook", "worker")
    assert len(notes(sessions)) == 5
    assert len(sessions.queued()) == 1
    assert "3 more wait for the next run" in sessions.last("audit")["detail"]
    assert sessions.last("vault_sync")["state"] == "done"
    sessions.ok("hook", "worker")
    assert len(notes(sessions)) == 8
    assert sessions.queued() == []
    projects = sessions.ok("vault", "stats", "--json").json["projects"]
    assert [(p["proposed"], p["created"]) for p in projects] == [(8, 8)]  # clones of one project
    assert sessions.pushed()


def test_a_second_audit_for_which_no_time_is_left_waits_for_the_next_run(sessions):
    second = sessions.root / "second"
    sessions.git("clone", "-q", str(sessions.project), str(second), cwd=sessions.root)
    sessions.config("[session_end]\nseconds = 10\n[audit]\nseconds = 1\n")
    sessions.agent(answer())
    for name, folder in (("s1", sessions.project), ("s2", second)):
        queue.put(sessions.env, queue.Job(name, str(folder)))
    sessions.ok("hook", "worker")
    assert [e["state"] for e in sessions.log("step", "audit")] == ["done", "put off"]
    assert sessions.queued() == ["s2"]
    sessions.ok("hook", "worker")
    assert sessions.queued() == []
