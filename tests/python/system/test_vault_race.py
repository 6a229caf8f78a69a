"""Writers at one time, and writers that are killed: no note and no entry is lost, no half file seen."""

from __future__ import annotations

import json
import signal
import threading
import time

from crashing import fated
from vault_world import VaultWorld, markdown

WRITERS = 6
TRIALS = 10
SUBJECTS = (
    "rivers carry sand", "lamps burn oil", "wheels turn slowly", "gardens need rain",
    "harbours freeze early", "bridges span gorges",
)  # fmt: skip


def watch(vault: VaultWorld, stop: threading.Event, seen: list[str]) -> None:
    """Read the index again and again, as another program does."""
    while not stop.is_set():
        try:
            json.loads((vault.store / "vault-index.json").read_text("utf-8"))
        except FileNotFoundError:
            pass
        except ValueError as error:
            seen.append(str(error))
        time.sleep(0.002)


def test_writers_at_one_time_lose_nothing(vault):
    vault.ok("vault", "index")
    stop, seen = threading.Event(), []
    watcher = threading.Thread(target=watch, args=(vault, stop, seen))
    watcher.start()
    running = [
        vault.start(
            "vault", "new", "--type", "reference", "--title", f"On {subject}", "--tags",
            f"race,own{number}", "--body-file", "-",
        )
        for number, subject in enumerate(SUBJECTS)
    ]  # fmt: skip
    for process, subject in zip(running, SUBJECTS, strict=True):
        process.stdin.write(f"It is said that {subject}.".encode())
        process.stdin.close()
        process.stdin = None
    ended = [vault.end(process) for process in running]
    stop.set()
    watcher.join()

    assert [ran.code for ran in ended] == [0] * WRITERS, [ran.err for ran in ended]
    assert seen == []
    assert len(vault.paths("race")) == WRITERS
    assert {ran.out.strip() for ran in ended} == set(vault.paths("race"))
    vault.assert_sound()


def test_two_writers_of_one_thing_make_one_note(repository):
    words = (
        "vault", "new", "--type", "reference", "--title", "The same", "--tags", "x",
        "--body-file", "-",
    )  # fmt: skip
    body = b"Words that say the very same thing about the very same matter, twice over."
    running = [repository.start(*words) for _ in range(2)]
    for process in running:
        process.stdin.write(body)
        process.stdin.close()
        process.stdin = None
    assert sorted(repository.end(process).code for process in running) == [0, 1]
    assert repository.paths("x") == ["reference/the-same.md"]
    repository.assert_sound()


def test_a_writer_killed_at_any_step_leaves_the_old_state_or_the_new_one(vault):
    """The next command puts right what was begun, whichever command it is."""
    vault.ok("vault", "index")
    new = ("vault", "new", "--type", "reference", "--tags", "kill", "--title")
    log = vault.root / "steps"
    vault.ok(*new, "Counted", env=fated(0, f"tell {log}"))
    count = len(log.read_text().splitlines())
    landed = ["reference/counted.md"]
    steps = range(1, count + 1, max(1, count // TRIALS))
    for step in steps:
        hand = vault.write(f"hand{step}.md", markdown(f"Hand {step}", "hand"))
        ran = vault.run(*new, f"Killed at {step}", env=fated(step))
        assert ran.code in (-signal.SIGKILL, 0), ran
        time.sleep(0.1)  # a git of its own may live on for a moment
        vault.ok("vault", "find", "kill")
        there = (vault.store / f"reference/killed-at-{step}.md").exists()
        assert there or not ran.out, "acknowledged and lost"
        landed += [f"reference/killed-at-{step}.md"] * there
        assert sorted(vault.paths("kill")) == sorted(landed), step
        assert hand.read_text() == markdown(f"Hand {step}", "hand")
        assert not (vault.store / ".ai-kb/txn").exists()
    assert len(steps) >= TRIALS
    assert 1 <= len(landed) <= len(steps)
    vault.ok("vault", "commit")
    assert len(vault.paths("hand")) == len(steps)
    vault.assert_sound()


def test_a_file_that_changes_under_a_commit_is_not_lost(repository):
    place = repository.write("a.md", markdown("A", "x", "old"))
    script = f"""
case "$*" in *fast-import*) printf '%s' 'newer' > '{place}' ;; esac
exec "$REAL" "$@"
"""
    repository.fake("git", script)
    repository.run("vault", "commit")
    assert place.read_text() == "newer"
    (repository.bin / "git").unlink()
    repository.ok("vault", "commit")
    assert repository.at_head("a.md") == "newer"
