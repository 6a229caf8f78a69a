"""A machine on which an agent's sessions end: a project, a vault with a bare remote, a scripted agent."""

from __future__ import annotations

import json
import os
import subprocess
import time

from world import World

PASSES = {
    name: {"pass": True, "reason": "it holds for every project of this kind"}
    for name in ("longevity", "reusability", "mutability")
}
BODY = (
    "Retries wait twice as long each time, up to a minute, because the server bans steady callers."
)


def candidate(title="Retries back off", **values):
    """A candidate that passes; *values* say what is otherwise."""
    return {
        "type": "convention", "title": title, "tags": ["http", "retries"], "body": BODY,
        "gates": PASSES, **values,
    }  # fmt: skip


def answer(*candidates, **further):
    """What a good agent's standard output has."""
    value = {"candidates": list(candidates), **further}
    return json.dumps({"type": "result", "is_error": False, "structured_output": value})


class Sessions(World):
    """A :class:`World` with a project under git, and what a session's end needs."""

    def __init__(self, root):
        super().__init__(root)
        self.state = self.home / ".local/state/ai-kb"
        self.journal = self.state / "journal/project"
        self.vault = self.home / "Documents/SecondBrain"
        self.asked = root / "asked"
        self.passes = 0  # of the worker, when the last session ended
        self.git("init", "-q", "-b", "main", ".", cwd=self.project)
        self.commit("README.md", "A project.\n", "Begin", days=3)

    # -- the project

    def commit(self, path, text, message="Work", days=0):
        """A file of the project, committed; *days* ago."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            place.unlink()
        else:
            place.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "-A", cwd=self.project)
        when = f"{int(time.time()) - days * 86400} +0000"
        env = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        self.git("commit", "-q", "-m", message, cwd=self.project, env=env)
        return self.git("rev-parse", "HEAD", cwd=self.project).strip()

    # -- the vault

    def add_vault(self, notes=()):
        """A vault under git with a bare repository as its remote, and its index."""
        self.vault.mkdir(parents=True)
        self.git("init", "-q", "-b", "main", ".", cwd=self.vault)
        for path, text in dict(notes).items():
            self.note(path, text)
        bare = self.root / "vault.git"
        self.git("init", "-q", "--bare", "-b", "main", str(bare), cwd=self.root)
        self.git("remote", "add", "origin", str(bare), cwd=self.vault)
        self.git("add", "-A", cwd=self.vault)
        self.git("commit", "-q", "--allow-empty", "-m", "begin", cwd=self.vault)
        return bare

    def note(self, path, text):
        """A note that a person writes by hand."""
        place = self.vault / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def vault_git(self, *words):
        return self.git(*words, cwd=self.vault)

    def pushed(self):
        """Whether the remote has all that the vault has, and nothing lies about."""
        there = self.git("rev-parse", "main", cwd=self.root / "vault.git", check=False).stdout
        return (self.vault_git("rev-parse", "HEAD"), self.vault_git("status", "--porcelain")) == (
            there, "",
        )  # fmt: skip

    # -- hooks

    def event(self, session="s1", **values):
        """What an agent gives to a hook."""
        return json.dumps({
            "session_id": session, "cwd": str(self.project), "transcript_path": "",
            "hook_event_name": "SessionEnd", "reason": "other", "new_field": [1], **values,
        })  # fmt: skip

    def end_session(self, session="s1", *, env=None, **values):
        """A session ends; nothing is said."""
        self.passes = len(self.log("worker"))
        ran = self.run("hook", "session-end", stdin=self.event(session, **values), env=env)
        assert (ran.code, ran.out, ran.err) == (0, "", "")

    def finish(self, session="s1", **values):
        """A session ends, and is looked after."""
        self.end_session(session, **values)
        self.wait()

    def audit(self, session="s1", **further):
        """The audit alone, by hand; what the log has of it."""
        words = ("hook", "step", "audit", "--cwd", self.project, "--session", session)
        self.ok(*words, **further)
        return self.last("audit")

    def queued(self):
        """The names of the sessions that wait."""
        return sorted(path.stem for path in (self.state / "sessions").glob("*.json"))

    def wait(self, seconds=40):
        """Until no session waits and no worker is at work."""
        end = time.monotonic() + seconds
        while self.queued() or self.is_at_work():
            assert time.monotonic() < end, f"still waiting: {self.queued()} {self.log()}"
            time.sleep(0.05)

    def wait_for_worker(self, seconds=40):
        """Until the worker is gone, whatever it left."""
        end = time.monotonic() + seconds
        while self.is_at_work() or len(self.log("worker")) <= self.passes:
            assert time.monotonic() < end, self.log()
            time.sleep(0.05)

    def is_at_work(self):
        import fcntl

        try:
            with open(self.state / "worker.lock") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def log(self, event=None, step=None):
        """The log's entries, all or those of one kind."""
        try:
            lines = (self.state / "sessions.log").read_text().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return []
        entries = [json.loads(line) for line in lines if line.endswith("}")]
        return [
            e for e in entries
            if (event is None or e["event"] == event) and (step is None or e.get("step") == step)
        ]  # fmt: skip

    def last(self, step):
        """The last log entry of a step."""
        return self.log("step", step)[-1]

    # -- the agent

    def agent(self, said="", script=None):
        """A ``claude`` that says this, or runs a script; what it was asked is kept."""
        (self.root / "said").write_text(said)
        self.asked.mkdir(exist_ok=True)
        keep = (
            f'n=$(ls {self.asked} | wc -l); printf "%s\\0" "$@" > {self.asked}/$n.words; '
            f"cat > {self.asked}/$n.stdin; env > {self.asked}/$n.env\n"
        )
        self.fake("claude", keep + (script or f"cat {self.root}/said"))

    def question(self, number=0):
        """Words, standard input and environment with which the agent was called."""
        files = sorted(self.asked.glob("*.stdin"), key=os.path.getmtime)
        stem = files[number].with_suffix("")
        words = stem.with_suffix(".words").read_text().split("\0")[:-1]
        return words, files[number].read_text(), stem.with_suffix(".env").read_text()

    def times_asked(self):
        return len(list(self.asked.glob("*.stdin")))

    def config(self, text):
        """A person's configuration."""
        place = self.home / ".config/ai-kb/config.toml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def processes_with(self, word):
        """The command lines of running processes that have a word."""
        listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        return [x for x in listing.stdout.splitlines() if word in x and "ps -eo" not in x]
