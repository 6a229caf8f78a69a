"""The worker: one at a time, it takes every queued session through the steps of the plan, in its order.

Each step is a process of its own with a bound on time, so that one that fails, hangs or is killed
never stops the later ones; all of them together end within the time that a person set.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from aikb.errors import AikbError, BusyError
from aikb.formats.counted import counted
from aikb.hooks import alive, log, queue
from aikb.hooks.dispatch import program, worker_environment
from aikb.hooks.settings import load
from aikb.tools.process import run
from aikb.writing.lock import locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from aikb.hooks.queue import Job
    from aikb.hooks.settings import HookSettings

LOCK = "worker.lock"
MOST_TRIES = 3
MOST_NOTES = 5  # in one run, whatever the number of its sessions
# A step's own bound, and what is kept free for the steps behind it, for 30 seconds in all.
LIMITS = {
    "journal": 4.0, "audit": 24.0, "memsearch_sync": 4.0, "vault_index_rebuild": 6.0, "vault_sync": 24.0,
}  # fmt: skip
_KEPT_FREE = {"journal": 10.0, "audit": 9.0, "memsearch_sync": 7.0, "vault_index_rebuild": 5.0}
_BY_SESSION = ("journal", "audit")
_BY_VAULT = ("memsearch_sync", "vault_index_rebuild", "vault_sync")
_GRACE = 0.8
_LEAST = 0.3
_FOR_AN_AUDIT = 8.0  # a further one with less waits for the next run rather than fail in this
_SETTLED = frozenset({"done", "skipped", "given up"})


def work(env: Mapping[str, str]) -> None:
    """Look after all queued sessions, and after those that are queued meanwhile.

    Whoever queues one and finds us at work leaves it to us: we look again after the lock is free.
    """
    state = log.state_folder(env)
    os.makedirs(state, mode=0o700, exist_ok=True)
    queue.sweep(env)
    seen: set[tuple[str, str]] = set()
    while fresh := [job for job in queue.pending(env) if (job.name, job.queued) not in seen]:
        try:
            with locked(state, 0, LOCK):
                seen |= {(job.name, job.queued) for job in fresh}
                _Pass(env).run(fresh)
        except BusyError:
            return
        except AikbError as error:
            log.write(env, "trouble", detail=f"worker: {error.message}")
            return


class _Pass:
    """One way through all steps with some sessions."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = worker_environment(env)
        self.settings: HookSettings = load(env)
        self.began = time.monotonic()
        self.share = self.settings.seconds / 30.0  # of what stands in LIMITS
        self.jobs: dict[str, Job] = {}
        self.room = MOST_NOTES
        self.audited = False

    def run(self, jobs: Iterable[Job]) -> None:
        if not self.settings.enabled:
            for job in jobs:
                log.write(
                    self.env, "left out", session=job.session, detail="session_end.enabled is false"
                )
                self._finish(job)
            return
        # Anew under the lock: another worker may have ended what we saw before.
        self.jobs = {job.name: now for job in jobs if (now := queue.get(self.env, job.name))}
        for step in _BY_SESSION:
            for name in self.jobs:
                self._step(step, [name])
        for step in _BY_VAULT:
            for names in self._together(step):
                self._step(step, names)
        for job in self.jobs.values():
            if all(job.done.get(step) in _SETTLED for step in (*_BY_SESSION, *_BY_VAULT)):
                self._finish(job)
        took = round(1000 * (time.monotonic() - self.began))
        if self.jobs:
            log.write(self.env, "worker", ms=took, detail=counted(len(self.jobs), "session"))

    def _together(self, step: str) -> list[list[str]]:
        """The sessions for which a step is taken once: those of a vault; of memsearch, of a directory."""
        groups: dict[tuple[str, str], list[str]] = {}
        for name, job in self.jobs.items():
            folder = job.cwd if step == "memsearch_sync" else ""
            groups.setdefault((job.vault, folder), []).append(name)
        return list(groups.values())

    def _step(self, step: str, names: list[str]) -> None:
        """One step for one session, or for all of a vault; what is done already is not repeated."""
        jobs = [self.jobs[name] for name in names]
        jobs = [job for job in jobs if job.done.get(step) not in _SETTLED]
        if not jobs:
            return
        began = time.monotonic()
        bound = min(LIMITS[step] * self.share, self._left(step))
        answer: dict[str, Any] = {"state": "put off", "detail": "no time is left in this run"}
        least = _FOR_AN_AUDIT if step == "audit" and self.audited else _LEAST
        if step == "audit" and not self.room:
            answer["detail"] = f"this run has made its {MOST_NOTES} notes"
        elif bound >= least:
            answer = self._call(step, jobs[0], bound)
        took = round(1000 * (time.monotonic() - began))
        if step == "audit":
            self.audited = True
            self.room = max(0, self.room - _made(answer))
        states = [self._mark(job, step, answer["state"]) for job in jobs]
        if "given up" in states:
            answer = {**answer, "state": "given up"}
        log.write(
            self.env, "step", step=step, session=" ".join(job.session for job in jobs),
            project=os.path.basename(jobs[0].cwd), ms=took, **answer,
        )  # fmt: skip

    def _left(self, step: str) -> float:
        spent = time.monotonic() - self.began
        return self.settings.seconds - _GRACE - spent - _KEPT_FREE.get(step, 0.0) * self.share

    def _call(self, step: str, job: Job, bound: float) -> dict[str, Any]:
        env = dict(self.env)
        env.pop("AI_KB_VAULT", None)
        if job.vault:
            env["AI_KB_VAULT"] = job.vault
        words = ["hook", "step", step, "--job", job.name, "--seconds", f"{bound:.2f}", "--json"]
        if step == "audit":
            words += ["--most", str(self.room)]
        result = run([*program(), *words], seconds=bound, env=env, cwd="/", grace=_GRACE)
        if result.timed_out:
            more = f"`ai-kb hook step {step} --cwd '{job.cwd}'` in a terminal may take longer"
            return {"state": "failed", "detail": f"no end within {bound:.1f} s; {more}"}
        return _answer(result.out, result.reason)

    def _mark(self, job: Job, step: str, state: str) -> str:
        """Write down how a step ended; a step that failed too often is given up.

        What comes behind an audit that is not at its end is taken again behind it: there will be notes.
        """
        tries = job.tries
        if step in _BY_VAULT and any(job.done.get(name) not in _SETTLED for name in _BY_SESSION):
            state = "again"
        if state == "failed":
            tries = {**tries, step: tries.get(step, 0) + 1}
            if tries[step] >= MOST_TRIES:
                state = "given up"
        job = job._replace(done={**job.done, step: state}, tries=tries)
        self.jobs[job.name] = job
        queue.save(self.env, job)
        return state

    def _finish(self, job: Job) -> None:
        alive.closed(self.env, job)
        queue.remove(self.env, job)


def _made(answer: dict[str, Any]) -> int:
    counts = answer.get("counts")
    made = counts.get("created", 0) if isinstance(counts, dict) else 0
    return made if isinstance(made, int) else 0


def _answer(out: bytes, reason: str) -> dict[str, Any]:
    """What a step said of itself; a step that said nothing has failed."""
    lines = out.decode("utf-8", "replace").splitlines()
    try:
        values = json.loads(lines[-1]) if lines else None
    except ValueError:
        values = None
    if isinstance(values, dict) and isinstance(values.get("state"), str):
        return {k: v for k, v in values.items() if k in {"state", "detail", "counts", "findings"}}
    if isinstance(values, dict) and isinstance(values.get("error"), dict):
        reason = str(values["error"].get("message", reason))
    return {"state": "failed", "detail": reason}
