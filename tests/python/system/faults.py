"""How much the fault suites do: a little in `make test`, all of it in `make test-faults`."""

from __future__ import annotations

import hashlib
import os
import time

FULL = os.environ.get("AI_KB_FAULTS") == "full"


def scaled(few, all_of_it):
    """A number for the bounded run, and one for the whole."""
    return all_of_it if FULL else few


def kill_after(process, seconds):
    """Kill a started command after a while; returns what it had acknowledged."""
    time.sleep(seconds)
    process.kill()
    return process.communicate(timeout=60)[0].decode()


def unlike(seed):
    """Words that no other node has, so that the guard against duplicates has nothing to say."""
    digest = (
        hashlib.sha256(seed.encode())
        .hexdigest()
        .translate(str.maketrans("0123456789", "ghijklmnop"))
    )
    return " ".join(digest[at : at + 7] for at in range(0, 56, 7))


def wait_unlocked(world, seconds=30):
    """Wait until a git that outlives its killed caller has let go of the lock."""
    deadline = time.monotonic() + seconds
    while True:
        ran = world.run("status")
        held = "process" in ran.err and "holds its lock" in ran.err
        if not held and not (world.store / ".ai-kb/txn").exists():
            return ran
        assert time.monotonic() < deadline, ran.err
        time.sleep(0.1)
