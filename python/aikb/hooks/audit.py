"""The audit as a step: what a session left is gathered, an agent asked, and its answer decided on.

The last audited commit moves only when the audit came to its end, so that what a late agent, a full
disk or a kill prevented is looked at again.  An answer is kept until then: a run that is taken up
again decides on the same words.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from typing import TYPE_CHECKING, Any

from aikb.hooks import log, projects, settings
from aikb.hooks.journal import since
from aikb.hooks.steps import Outcome, project_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aikb.app import VaultApp
    from aikb.audit.gather import Material
    from aikb.audit.session import Result
    from aikb.formats.project_note import ProjectNote
    from aikb.hooks.queue import Job
    from aikb.hooks.settings import HookSettings
    from aikb.tools.git_project import ProjectGit

FOLDER = "answers"
_FOR_WRITING = 3.0  # seconds that are kept free behind the agent
_WORTH_ASKING = 4.0
_TRANSCRIPT = 2 << 20  # bytes of its end that are searched for notes' names


def audit_session(env: Mapping[str, str], job: Job, deadline: float, most: int = 5) -> Outcome:
    """Audit what a session left in its project, and make at most *most* notes of it.

    Raises:
        AikbError, OSError: it could not be done; the next run begins where this one did.
    """
    from aikb.audit.gather import gather
    from aikb.hooks.vault import count_unreviewed, open_vault
    from aikb.tools.git_project import ProjectGit, find_root

    vault = open_vault(env, deadline)
    if vault is None:
        return Outcome("skipped", "there is no vault")
    root = find_root(job.cwd)
    if root is None:
        return Outcome("skipped", "the session's directory is in no git repository")
    if root in {os.path.realpath(vault.root), os.path.realpath(vault.places.store)}:
        return Outcome("skipped", "the vault and the store are not audited themselves")
    wanted = settings.load(env)
    known = projects.load(env, root)
    names = project_names(job.cwd) or ("project",)
    git = ProjectGit(root, env, min(deadline - 1.0, time.monotonic() + 8.0))
    start = known.audited or _baseline(git)
    material = gather(git, names[0], known.audited, since(env, job, root), wanted.diff_bytes)
    if material is None:
        if start != known.audited:  # what comes by hand before the next session counts then
            projects.save(env, root, projects.load(env, root)._replace(audited=start))
        return Outcome("skipped", "nothing was committed since the last audit")
    vault.repair()
    outcome = _audit(env, vault, wanted, job, material, names, deadline, most)
    if outcome.counts.get("created"):
        count_unreviewed(vault)
    if outcome.state == "done":
        projects.save(env, root, projects.load(env, root)._replace(audited=material.head))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(_answer_file(env, job))
    return outcome


def _baseline(git: ProjectGit) -> str:
    """Where a project stands that was never audited; empty if that cannot be seen."""
    from aikb.tools.git_project import NO_COMMIT

    return git.head() or (NO_COMMIT if git.is_empty() else "")


def _audit(
    env: Mapping[str, str], vault: VaultApp, wanted: HookSettings, job: Job, material: Material,
    names: tuple[str, ...], deadline: float, most: int,
) -> Outcome:  # fmt: skip
    from aikb.audit.session import Audit, Session
    from aikb.formats.markdown.write import TYPES
    from aikb.tools.agent import find_agent

    note, path = _project_note(vault.root, names)
    session = Session(job.name, _transcript(job.transcript), (job.queued or log.now())[:10], most)
    audit = Audit(vault, material, session, _types(TYPES), note, path)
    agent = find_agent(wanted.command, env)
    if agent is None:
        return _told(env, job, material, audit.conclude_alone())
    answer = _kept_answer(env, job, material)
    if answer is None:
        left = min(wanted.agent_seconds, deadline - time.monotonic() - _FOR_WRITING)
        if left < min(wanted.agent_seconds, _WORTH_ASKING):
            return Outcome(
                "failed", "too little time to ask an agent: session_end.seconds is small"
            )
        reply = audit.ask(agent, left)
        if reply.failure:
            return Outcome("failed", reply.failure)
        if not isinstance(reply.value, dict) or "candidates" not in reply.value:
            return Outcome(
                "failed", f"{agent.name} answered with something else than was asked for"
            )
        answer = reply.value
        _keep_answer(env, job, material, answer)
    return _told(env, job, material, audit.conclude(answer, agent.name))


def _types(known: tuple[str, ...]) -> tuple[str, ...]:
    """The types that an audit may create: a hub and a project's note are made otherwise."""
    return tuple(name for name in known if name not in {"hub", "project"})


def _told(env: Mapping[str, str], job: Job, material: Material, result: Result) -> Outcome:
    from aikb.audit import stats

    counts = {
        "proposed": result.proposed, "created": len(result.created), "covered": result.covered,
        "rejected": result.rejected, "flagged": result.flagged, "confirmed": result.confirmed,
    }  # fmt: skip
    stats.record(
        log.state_folder(env),
        stats.Audit(log.now(), material.project, job.name, material.head, result.agent, **counts),
    )
    said = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    detail = f"{said or 'nothing proposed'} (agent: {result.agent})"
    if result.created:
        detail += ": " + ", ".join(result.created)
    if result.left:
        detail += f"; {result.left} more wait for the next run, which has room for them"
        return Outcome("put off", detail, counts, result.words)
    return Outcome("done", detail, counts, result.words)


def _project_note(vault: str, names: tuple[str, ...]) -> tuple[ProjectNote | None, str]:
    from aikb.audit.produces import note_path
    from aikb.recall.project import find_note

    found = find_note(vault, names)
    return (found.note, found.path) if found else (None, note_path(names[0]))


def _transcript(path: str) -> str:
    """The end of what a session said, if its file is a plain one that is there."""
    if not os.path.isabs(path):
        return ""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                return ""
            file.seek(max(0, state.st_size - _TRANSCRIPT))
            return file.read(_TRANSCRIPT).decode("utf-8", "replace")
    except OSError:
        return ""


# -- an answer is kept until what comes of it is written


def _answer_file(env: Mapping[str, str], job: Job) -> str:
    return os.path.join(log.state_folder(env), FOLDER, job.name + ".json")


def _kept_answer(env: Mapping[str, str], job: Job, material: Material) -> Any:
    try:
        with open(_answer_file(env, job), encoding="utf-8") as file:
            values = json.load(file)
    except (OSError, ValueError):
        return None
    if not isinstance(values, dict) or values.get("range") != [material.base, material.head]:
        return None
    return values.get("answer")


def _keep_answer(env: Mapping[str, str], job: Job, material: Material, answer: Any) -> None:
    """Keep an answer, unless it holds secrets: those must not lie about, and it is asked for again."""
    from aikb.rules.credentials import find

    text = json.dumps({"range": [material.base, material.head], "answer": answer})
    if find(json.dumps(answer, ensure_ascii=False)):
        return
    path = _answer_file(env, job)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)
