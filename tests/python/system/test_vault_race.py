"""Writers at one time, and writers that are killed: no note and no entry is lost, no half file seen."""

from __future__ import annotations

import json
import threading
import time

from vault_world import VaultWorld, markdown

WRITERS = 6
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


def test_a_killed_writer_leaves_the_old_state_or_the_new_one(vault):
    """Killed at several moments; the next command puts right what was begun."""
    vault.ok("vault", "index")
    for number, delay in enumerate((0.12, 0.2, 0.3)):
        vault.write(f"hand{number}.md", markdown(f"Hand {number}", "hand"))
        process = vault.start(
            "vault", "new", "--type", "reference", "--title", SUBJECTS[number], "--tags", "kill",
        )  # fmt: skip
        time.sleep(delay)
        process.kill()
        process.communicate()
    vault.ok("vault", "find", "kill")
    vault.ok("vault", "commit")
    vault.ok("vault", "index")

    on_disk = sorted(f"reference/{p.name}" for p in (vault.store / "reference").glob("*.md"))
    assert sorted(vault.paths("kill")) == on_disk
    assert len(vault.paths("hand")) == 3
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
