"""The last steps of a session's end: memsearch, the index, what people wrote; and projects that are traps."""

from __future__ import annotations

import json
import shutil

import pytest
from sessions import Sessions, answer, candidate

from aikb.hooks import queue

NO_AGENT = "[audit]\ncommand = []\n"
MINE = "---\ntags: [garden]\n---\n\n# Roses\n\nCut them in March.\n"
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def sessions(tmp_path):
    made = Sessions(tmp_path)
    made.config(NO_AGENT)
    made.add_vault({"first.md": MINE.replace("Roses", "First")})
    return made


def at_head(sessions, path):
    result = sessions.git("show", f"HEAD:{path}", cwd=sessions.vault, check=False)
    return result.stdout if result.returncode == 0 else None


def test_what_a_person_wrote_is_in_the_index_committed_and_pushed(sessions):
    sessions.note("garden/roses.md", MINE)
    sessions.note("pictures/rose.txt", "a picture")
    sessions.note(".obsidian/workspace.json", "{}")
    (sessions.vault / "first.md").unlink()
    sessions.finish()
    assert at_head(sessions, "garden/roses.md") == MINE
    assert at_head(sessions, "pictures/rose.txt") == "a picture"
    assert at_head(sessions, "first.md") is None
    assert at_head(sessions, ".obsidian/workspace.json") is None
    assert json.loads(at_head(sessions, "vault-index.json")) == {
        "garden": [{"path": "garden/roses.md", "title": "Roses", "summary": "Cut them in March."}]
    }
    remote = sessions.git("rev-parse", "main", cwd=sessions.root / "vault.git")
    assert remote == sessions.vault_git("rev-parse", "HEAD")
    before = remote
    sessions.finish("s2")
    assert sessions.vault_git("rev-parse", "HEAD") == before


def test_a_note_with_a_secret_stays_out_and_the_others_go(sessions):
    sessions.note("good.md", MINE)
    sessions.note("bad.md", f"# Key\n\n{TOKEN}\n")
    sessions.finish()
    assert at_head(sessions, "good.md") == MINE
    assert at_head(sessions, "bad.md") is None
    detail = sessions.last("vault_sync")["detail"]
    assert "bad.md" in detail
    assert TOKEN not in detail
    assert (sessions.vault / "bad.md").exists()


def test_a_vault_that_is_suddenly_empty_is_not_emptied_in_the_history(sessions):
    for number in range(20):
        sessions.note(f"n{number}.md", MINE.replace("Roses", f"Number {number}"))
    sessions.finish("s1")
    for path in sessions.vault.glob("*.md"):
        path.unlink()
    sessions.finish("s2")
    assert at_head(sessions, "n7.md")
    assert "gone" in sessions.last("vault_sync")["detail"]


def test_a_remote_that_is_away_is_told_and_the_next_session_sends(sessions):
    bare = sessions.root / "vault.git"
    bare.rename(sessions.root / "away")
    sessions.note("roses.md", MINE)
    sessions.finish("s1")
    assert sessions.last("vault_sync")["state"] == "done"
    assert "push: behind" in sessions.last("vault_sync")["detail"]
    (sessions.root / "away").rename(bare)
    sessions.finish("s2")
    assert "push: pushed" in sessions.last("vault_sync")["detail"]
    assert sessions.pushed()


def test_a_remote_that_never_answers_does_not_hold_the_worker(sessions):
    sessions.config(f"{NO_AGENT}[session_end]\nseconds = 6\n")
    sessions.fake("ssh", "exec sleep 953")
    sessions.vault_git("remote", "set-url", "origin", "ssh://nobody@nowhere.invalid/kb.git")
    sessions.note("roses.md", MINE)
    sessions.end_session()
    sessions.wait_for_worker()
    assert sessions.log("worker")[0]["ms"] < 7_000
    assert at_head(sessions, "roses.md") == MINE
    assert sessions.processes_with("sleep 953") == []


def test_a_vault_without_a_remote_is_told_what_adds_one_to_it(sessions):
    sessions.vault_git("remote", "remove", "origin")
    sessions.finish()
    last = sessions.last("vault_sync")
    assert last["state"] == "done"
    assert "in a vault, `git remote add origin URL`" in last["detail"]


def test_a_vault_without_git_gets_its_index_and_the_log_says_what_is_missing(sessions):
    shutil.rmtree(sessions.vault / ".git")
    sessions.finish()
    assert "garden" in (sessions.vault / "vault-index.json").read_text()
    assert "no git repository" in sessions.last("vault_sync")["detail"]


def test_memsearch_runs_in_the_project_and_what_it_does_stops_nothing(sessions):
    where = sessions.root / "where"
    sessions.config(
        f'{NO_AGENT}[session_end]\nseconds = 9\nmemsearch = ["memsearch", "index", "."]\n'
    )
    sessions.fake("memsearch", f'echo "$PWD $*" > {where}')
    sessions.finish("s1")
    assert where.read_text() == f"{sessions.project} index .\n"
    sessions.fake("memsearch", "echo broken >&2; exit 4")
    sessions.end_session("s2")
    sessions.wait_for_worker()
    failed = sessions.last("memsearch_sync")
    assert (failed["state"], failed["detail"]) == ("failed", "memsearch: broken")
    assert sessions.last("vault_sync")["state"] == "done"
    sessions.fake("memsearch", "sleep 957 & sleep 958")
    sessions.ok("hook", "worker")
    assert "memsearch" in sessions.last("memsearch_sync")["detail"]
    assert sessions.processes_with("sleep 95") == []
    (sessions.bin / "memsearch").unlink()
    sessions.finish("s3")
    assert sessions.last("memsearch_sync")["state"] == "skipped"


def test_memsearch_runs_once_in_each_directory(sessions):
    where = sessions.root / "where"
    sessions.config(f'{NO_AGENT}[session_end]\nmemsearch = ["memsearch"]\n')
    sessions.fake("memsearch", f'echo "$PWD" >> {where}')
    second = sessions.root / "second"
    second.mkdir()
    for name, folder in (("s1", sessions.project), ("s2", second), ("s3", second)):
        queue.put(sessions.env, queue.Job(name, str(folder)))
    sessions.ok("hook", "worker")
    assert where.read_text() == f"{sessions.project}\n{second}\n"
    assert sessions.queued() == []


def test_two_vaults_do_not_mix(sessions, tmp_path):
    other = sessions.root / "other-vault"
    other.mkdir()
    (other / "theirs.md").write_text(MINE)
    sessions.note("mine.md", MINE)
    sessions.end_session("s1", env={"AI_KB_VAULT": str(other)})
    sessions.end_session("s2")
    sessions.wait()
    assert "theirs.md" in (other / "vault-index.json").read_text()
    assert "mine.md" not in (other / "vault-index.json").read_text()
    assert "theirs.md" not in (sessions.vault / "vault-index.json").read_text()


def test_nothing_that_a_projects_configuration_names_is_run(sessions):
    """The audit looks at anybody's repository while nobody looks at the audit."""
    trap = sessions.root / "sprung"
    spring = f"touch {trap}; cat"
    sessions.commit(".gitattributes", "*.py filter=evil diff=evil\n*.md diff=evil merge=evil\n")
    sessions.commit("a.py", "a = 1\n")
    config = {
        "core.fsmonitor": spring, "core.pager": spring, "core.editor": spring, "core.hooksPath": ".git/evil",
        "core.sshCommand": spring, "core.gitProxy": spring, "core.askPass": spring,
        "core.alternateRefsCommand": spring, "diff.external": spring, "diff.evil.command": spring,
        "diff.evil.textconv": spring, "filter.evil.clean": spring, "filter.evil.smudge": spring,
        "filter.evil.process": spring, "filter.evil.required": "true", "gpg.program": spring,
        "gpg.ssh.program": spring, "log.showSignature": "true", "pager.log": spring, "pager.diff": spring,
        "alias.log": f"!{spring}", "alias.diff": f"!{spring}", "alias.status": f"!{spring}",
        "credential.helper": f"!{spring}", "uploadpack.packObjectsHook": spring,
        "interactive.diffFilter": spring,
        "diff.submodule": "log", "status.submoduleSummary": "true", "color.ui": "always",
        "diff.noprefix": "true",
        "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::sh -c {trap}", "remote.origin.uploadpack": spring,
        "protocol.allow": "always", "protocol.ext.allow": "always", "core.repositoryFormatVersion": "1",
    }  # fmt: skip
    for name, value in config.items():
        sessions.git("config", name, value, cwd=sessions.project)
    hooks = sessions.project / ".git/evil"
    hooks.mkdir()
    for hook in (
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "fsmonitor-watchman",
    ):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {trap}\n")
        (hooks / hook).chmod(0o755)
    (sessions.project / "a.py").write_text("a = 2\n")
    (sessions.project / "README.md").write_text("Changed.\n")
    trap.unlink(missing_ok=True)
    sessions.config("")
    sessions.agent(answer(candidate()))
    sessions.finish()
    assert not trap.exists()
    assert sessions.last("audit")["counts"]["created"] == 1
    _, stdin, _ = sessions.question()
    assert "+++ b/a.py" in stdin
    assert "\x1b" not in stdin
    (day,) = (sessions.state / "journal").rglob("*.md")
    assert "- not committed: 2\n" in day.read_text()


def test_a_missing_object_is_not_fetched_and_stops_only_the_audit(sessions):
    trap = sessions.root / "sprung"
    sessions.commit("a.py", "a = 1\n")
    blob = sessions.git("rev-parse", "HEAD:a.py", cwd=sessions.project).strip()
    (sessions.project / ".git/objects" / blob[:2] / blob[2:]).unlink()
    for name, value in {
        "extensions.partialClone": "origin", "remote.origin.promisor": "true", "protocol.file.allow": "always",
        "remote.origin.url": str(sessions.root), "remote.origin.uploadpack": f"touch {trap};",
        "core.repositoryFormatVersion": "1",
    }.items():  # fmt: skip
        sessions.git("config", name, value, cwd=sessions.project)
    sessions.end_session()
    sessions.wait_for_worker()
    assert sessions.last("audit")["state"] in {"failed", "skipped", "done"}
    assert sessions.last("vault_sync")["state"] == "done"
    assert not trap.exists()
