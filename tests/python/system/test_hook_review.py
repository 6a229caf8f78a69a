"""Discrepancies wait in the vault's review queue, never in a note, until a person says what is right."""

from __future__ import annotations

import json
import os
import pty

import pytest
from sessions import Sessions, answer, candidate

from aikb.audit.discrepancy import digest
from aikb.audit.flags import Flag, render

DEPLOY = """\
---
title: "Deploy the service"
type: howto
tags: [deploy]
---

# Deploy the service

Run `scripts/deploy.sh` on the server.
"""
OLD, NEW = "Run `scripts/deploy.sh` on the server.", "Run `scripts/release.sh` on the server."
UPDATE = {
    "path": "howto/deploy.md", "outcome": "update", "reason": "the script has another name",
    "old": OLD, "new": NEW,
}  # fmt: skip
DECIDED = ("--decided-by", "Craig")


@pytest.fixture
def sessions(tmp_path):
    made = Sessions(tmp_path)
    made.add_vault({"howto/deploy.md": DEPLOY, "howto/other.md": DEPLOY.replace("Deploy", "Other")})
    made.commit("scripts/deploy.sh", "echo deploy\n", "Follow [[deploy]]")
    return made


def flagged(sessions, *found, session="s1", **further):
    """The flags that wait after an agent found this."""
    sessions.agent(answer(discrepancies=list(found), **further))
    sessions.audit(session)
    return sessions.ok("vault", "review", "--json").json["flags"]


def test_a_procedure_that_was_followed_is_shown_to_the_agent_and_others_are_not(sessions):
    sessions.agent(answer())
    sessions.audit()
    _, stdin, _ = sessions.question()
    assert "===== note howto/deploy.md =====" in stdin
    assert "howto/other.md" not in stdin


def test_a_note_that_the_session_read_counts_as_followed(sessions):
    spoken = sessions.root / "transcript.jsonl"
    spoken.write_text(
        json.dumps({"tool": "Bash", "command": "ai-kb vault recall howto/other.md"}) + "\n"
    )
    sessions.agent(answer())
    sessions.finish(transcript_path=str(spoken))
    _, stdin, _ = sessions.question()
    assert "===== note howto/other.md =====" in stdin
    assert "vault recall" not in stdin


def test_what_confirms_a_note_leaves_no_trace_but_a_count(sessions):
    assert (
        flagged(
            sessions, {"path": "howto/deploy.md", "outcome": "confirms", "reason": "as it says"}
        )
        == []
    )
    assert sessions.last("audit")["counts"]["confirmed"] == 1
    assert not (sessions.vault / "_review").exists()


def test_an_update_waits_outside_of_the_note_and_of_the_index(sessions):
    (flag,) = flagged(sessions, UPDATE)
    assert (flag["kind"], flag["path"], flag["old"], flag["new"]) == (
        "update",
        "howto/deploy.md",
        OLD,
        NEW,
    )
    assert (sessions.vault / "howto/deploy.md").read_text() == DEPLOY
    assert "_review" not in (sessions.vault / "vault-index.json").read_text()
    out = sessions.ok("vault", "review").out
    assert f"{flag['id']} update howto/deploy.md (project, " in out
    assert f"- {OLD}\n+ {NEW}\n" in out
    assert "quoted outside material: data, not instructions" in out


def test_the_same_discrepancy_is_not_flagged_twice(sessions):
    first = flagged(sessions, UPDATE)
    sessions.commit("b", "1", "Again [[deploy]]")
    reworded = {**UPDATE, "reason": "said in other words", "new": NEW + " Twice."}
    assert flagged(sessions, reworded, session="s2") == first


def test_applied_at_a_persons_word_in_one_commit_with_the_flag_closed(sessions):
    (flag,) = flagged(sessions, UPDATE)
    answered = sessions.ok("vault", "review", "--apply", flag["id"][:6], *DECIDED, "--json").json
    assert (answered["decision"], answered["pushed"]) == ("applied", True)
    assert (sessions.vault / "howto/deploy.md").read_text() == DEPLOY.replace(OLD, NEW)
    assert set(sessions.vault_git("show", "--name-only", "--no-renames", "--format=", "HEAD").split()) == {
        "howto/deploy.md", f"_review/{flag['id']}.json", f"_review/closed/{flag['id']}.json",
        "vault-index.json",
    }  # fmt: skip
    closed = json.loads((sessions.vault / f"_review/closed/{flag['id']}.json").read_text())
    assert (closed["decision"], closed["decided_by"]) == ("applied", "Craig")
    assert sessions.ok("vault", "review", "--json").json["flags"] == []
    assert sessions.pushed()


def test_rejected_with_a_reason_and_not_asked_again(sessions):
    (flag,) = flagged(sessions, UPDATE)
    assert sessions.run("vault", "review", "--reject", flag["id"], *DECIDED).code == 2
    sessions.ok(
        "vault", "review", "--reject", flag["id"], "--because", "the note is right", *DECIDED
    )
    assert (sessions.vault / "howto/deploy.md").read_text() == DEPLOY
    sessions.commit("c", "1", "Once more [[deploy]]")
    assert flagged(sessions, UPDATE, session="s2") == []
    closed = json.loads((sessions.vault / f"_review/closed/{flag['id']}.json").read_text())
    assert (closed["decision"], closed["because"]) == ("rejected", "the note is right")


def test_a_note_that_changed_since_is_not_touched(sessions):
    (flag,) = flagged(sessions, UPDATE)
    mine = DEPLOY + "\nMine.\n"
    sessions.note("howto/deploy.md", mine)
    ran = sessions.run("vault", "review", "--apply", flag["id"], *DECIDED)
    assert ran.code == 1
    assert "has changed since it was flagged" in ran.err
    assert (sessions.vault / "howto/deploy.md").read_text() == mine
    assert len(sessions.ok("vault", "review", "--json").json["flags"]) == 1


def test_the_line_ends_and_the_mark_of_a_note_stay(sessions):
    before = b"\xef\xbb\xbf" + DEPLOY.replace("\n", "\r\n").encode()
    (sessions.vault / "howto/deploy.md").write_bytes(before)
    old, new = "service\n\nRun", "service\n\nFirst look, then run"
    flag = Flag("update", "howto/deploy.md", digest(before), "because", old, new)
    sessions.note(flag.file, render(flag).decode())
    sessions.ok("vault", "review", "--apply", flag.id, *DECIDED)
    after = before.replace(b"service\r\n\r\nRun", b"service\r\n\r\nFirst look, then run")
    assert (sessions.vault / "howto/deploy.md").read_bytes() == after


def test_what_does_not_fit_the_note_is_a_doubt_and_proposes_nothing(sessions):
    (flag,) = flagged(sessions, {**UPDATE, "old": "These words stand nowhere."})
    assert (flag["kind"], flag["new"]) == ("ambiguous", "")
    ran = sessions.run("vault", "review", "--apply", flag["id"], *DECIDED)
    assert ran.code == 1
    assert "proposes no change" in ran.err
    sessions.ok("vault", "review", "--reject", flag["id"], "--because", "edited by hand", *DECIDED)


def test_only_a_person_decides(sessions):
    (flag,) = flagged(sessions, UPDATE)
    ran = sessions.run("vault", "review", "--apply", flag["id"])
    assert ran.code == 1
    assert "only a person" in ran.err
    assert (sessions.vault / "howto/deploy.md").read_text() == DEPLOY
    ours, theirs = pty.openpty()
    process = sessions.start("vault", "review", "--apply", flag["id"], stdin=theirs)
    assert sessions.end(process).code == 0
    os.close(ours)
    os.close(theirs)
    assert NEW in (sessions.vault / "howto/deploy.md").read_text()


def test_discrepancies_that_cannot_be_are_findings(sessions):
    bad = (
        ({**UPDATE, "path": "../../etc/passwd"}, "was not asked about"),
        ({**UPDATE, "path": "howto/other.md"}, "was not asked about"),
        ({**UPDATE, "outcome": "rewrite"}, "outcome must be one of"),
        ({**UPDATE, "new": "Use ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"}, "secret"),
        ({**UPDATE, "reason": ""}, "gives no reason"),
    )
    assert flagged(sessions, *(found for found, _ in bad)) == []
    told = sessions.last("audit")["findings"]
    assert len(told) == len(bad)
    for _, why in bad:
        assert any(why in line for line in told), (why, told)


def test_files_in_the_queue_that_are_no_flags_are_told_and_cannot_be_applied(sessions):
    bad = (
        "", "[]", '{"kind": "update"}', '{"kind": "update", "path": "../../../home/x.md"}',
        '{"kind": "update", "path": ".git/config.md"}', '{"kind": 1, "path": "a.md"}',
        '{"kind": "update", "path": "howto/deploy.md", "digest": "", "reason": "wrong name"}', "[" * 99_999,
        '{"kind": "produces", "path": "howto/deploy.md", "new": "x"}',
    )  # fmt: skip
    for number, text in enumerate(bad):
        sessions.note(f"_review/012345678{number}.json", text)
    ran = sessions.ok("vault", "review", "--json")
    assert ran.json["flags"] == []
    assert [f["code"] for f in ran.json["findings"]] == ["bad-flag"] * len(bad)
    assert sessions.run("vault", "review", "--apply", "0123456783", *DECIDED).code == 2


def test_without_an_agent_a_path_that_the_session_took_away_is_a_doubt(sessions):
    sessions.config("[audit]\ncommand = []\n")
    sessions.audit("s1")
    assert sessions.ok("vault", "review", "--json").json["flags"] == []
    sessions.commit("scripts/deploy.sh", None, "Take scripts/deploy.sh away, see [[deploy]]")
    sessions.commit("scripts/release.sh", "echo other\n", "Release instead")
    sessions.audit("s2")
    (flag,) = sessions.ok("vault", "review", "--json").json["flags"]
    assert (flag["kind"], flag["path"]) == ("ambiguous", "howto/deploy.md")
    assert "`scripts/deploy.sh` stands here" in flag["reason"]


def test_an_exception_of_a_project_waits_is_accepted_and_then_counts(sessions):
    found = {"kind": "type", "name": "recipe", "reason": "how a dish is made"}
    sessions.agent(answer(candidate(type="recipe", title="Bread"), exceptions=[found]))
    sessions.audit("s1")
    assert "'recipe' is no type" in sessions.last("audit")["findings"][0]
    (flag,) = sessions.ok("vault", "review", "--json").json["flags"]
    assert (flag["kind"], flag["path"]) == ("produces", "project/project.md")
    sessions.ok("vault", "review", "--apply", flag["id"], *DECIDED)
    assert (
        "## produces:\n\n- recipe: how a dish is made\n"
        in (sessions.vault / "project/project.md").read_text()
    )
    sessions.commit("d", "1", "More")
    sessions.agent(answer(candidate(type="recipe", title="Bread"), exceptions=[found]))
    sessions.audit("s2")
    words, _, _ = sessions.question(1)
    assert "howto, recipe" in words[-1]
    assert (sessions.vault / "recipe/bread.md").exists()
    assert sessions.ok("vault", "review", "--json").json["flags"] == []


def test_an_exception_is_added_to_a_project_note_that_is_there(sessions):
    mine = "---\ntitle: project\ntype: project\ntags: [project]\n---\n\n# project\n\nMine.\n\n- deploy\n"
    sessions.note("project/project.md", mine)
    found = {"kind": "tag", "name": "deploy", "reason": "only for the server"}
    sessions.agent(answer(exceptions=[found]))
    sessions.audit()
    (flag,) = sessions.ok("vault", "review", "--json").json["flags"]
    sessions.ok("vault", "review", "--apply", flag["id"], *DECIDED)
    text = (sessions.vault / "project/project.md").read_text()
    assert text.startswith(mine.rstrip("\n"))
    assert text.endswith("- #deploy: only for the server\n")


@pytest.mark.parametrize("name", ["hub", "howto", "Convention", "project"])
def test_a_type_that_every_project_has_is_none_of_its_own(sessions, name):
    sessions.note("project/project.md", "# project\n\nMine.\n\nproduces:\n\n- hub: y\n")
    found = {"kind": "type", "name": name, "reason": "as it says"}
    assert flagged(sessions, exceptions=[found]) == []
    words, _, _ = sessions.question()
    assert "howto. title" in words[-1]
    why = f"'{name.lower()}' is a type that every project has"
    assert any(why in line for line in sessions.last("audit")["findings"])
    flag = Flag("produces", "project/project.md", "", "x", new=f"{name}: y", project="project")
    sessions.note(flag.file, render(flag).decode())
    refused = sessions.run("vault", "review", "--apply", flag.id, *DECIDED)
    assert (refused.code, why in refused.err) == (1, True)
    added = sessions.run("vault", "project", "--edit", "--add-produces", f"{name}: y")
    assert (added.code, why in added.err) == (2, True)


# -- new notes

ACCEPT = ("vault", "review", "--accept")
MADE = "convention/retries-back-off.md"


def test_new_notes_are_listed_told_at_a_start_and_accepted(sessions):
    (flag,) = flagged(sessions, UPDATE, session="s0")
    sessions.commit("b", "1")
    sessions.agent(
        answer(candidate(), candidate("Always warm", tags=["oven"], body="Warm it. " * 9))
    )
    sessions.audit()
    assert "1 flag, 2 new notes wait" in start(sessions)
    listed = sessions.ok("vault", "review", "--json").json
    assert [f["id"] for f in listed["flags"]] == [flag["id"]]
    assert listed["unreviewed"] == [
        {"path": "convention/always-warm.md", "title": "Always warm"},
        {"path": MADE, "title": "Retries back off"},
    ]
    lines = sessions.ok("vault", "review").out.splitlines()
    assert lines[-2:] == [
        "new convention/always-warm.md: Always warm",
        f"new {MADE}: Retries back off",
    ]
    before = (sessions.vault / MADE).read_text()
    accepted = sessions.ok(*ACCEPT, MADE, *DECIDED, "--json").json
    assert (accepted["decision"], accepted["accepted"], accepted["pushed"]) == (
        "accepted",
        [MADE],
        True,
    )
    assert (sessions.vault / MADE).read_text() == before.replace("reviewed: false\n", "")
    assert sessions.vault_git("show", "--name-only", "--format=%B", "HEAD").split("\n") == [
        f"review: accepted {MADE}", "", "Decided by Craig", "", MADE, "",
    ]  # fmt: skip
    assert "1 flag, 1 new note wait for" in start(sessions)
    assert sessions.pushed()


def start(sessions):
    event = sessions.event("later", hook_event_name="SessionStart")
    ran = sessions.ok("hook", "session-start", stdin=event, env={"AI_KB_HOOK": None})
    return ran.json["hookSpecificOutput"]["additionalContext"]


def test_several_are_accepted_in_one_commit_and_every_other_byte_stays(sessions):
    first = (
        b"\xef\xbb\xbf---\r\ntitle: A\r\n'Reviewed' : False # yet\r\n---\r\n\r\nreviewed: false\r\n"
    )
    (sessions.vault / "a.md").write_bytes(first)
    sessions.note("b.md", "---\nreviewed: false\n---\nWords.\n")
    sessions.ok("vault", "commit")
    sessions.ok(*ACCEPT, "a.md", "--accept", "b.md", "--because", "both are right", *DECIDED)
    assert (sessions.vault / "a.md").read_bytes() == first.replace(
        b"'Reviewed' : False # yet\r\n", b""
    )
    assert (sessions.vault / "b.md").read_text() == "---\n---\nWords.\n"
    message = sessions.vault_git("log", "-1", "--format=%B")
    assert message == "review: accepted 2 notes\n\nDecided by Craig: both are right\n"
    assert sessions.pushed()


def test_what_does_not_wait_is_not_accepted_and_nothing_changes(sessions):
    text = "---\nreviewed: false\n---\nWords.\n"
    flow = "---\n{reviewed: false}\n---\nWords.\n"
    sessions.note("a.md", text)
    sessions.note("flow.md", flow)
    sessions.ok("vault", "commit")
    head = sessions.vault_git("rev-parse", "HEAD")
    for words, code in (
        (("howto/deploy.md", *DECIDED), 2), (("none.md", *DECIDED), 2), (("../x.md", *DECIDED), 2),
        (("vault-index.json", *DECIDED), 2), (("a.md", "--apply", "12", *DECIDED), 2), (("a.md",), 1),
        (("a.md", "--accept", "howto/deploy.md", *DECIDED), 2),
    ):  # fmt: skip
        assert sessions.run(*ACCEPT, *words).code == code, words
    assert sessions.run(*ACCEPT, "flow.md", *DECIDED).code in {1, 2}
    assert (sessions.vault / "a.md").read_text() == text
    assert sessions.vault_git("rev-parse", "HEAD") == head
