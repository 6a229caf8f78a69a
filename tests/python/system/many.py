"""Many commands in one process that forks for each: what takes a second alone takes a tenth here.

Each command still is a process of its own, with its own arguments, standard input and streams.
"""

from __future__ import annotations

import json
import subprocess
import sys

from world import Ran

_DRIVER = """
import json, os, sys
import click, aikb.app, aikb.cli.entry, aikb.cli.main, aikb.cli.read, aikb.cli.write, aikb.cli.check
import aikb.sources.org_store, aikb.tools.git, aikb.tools.sqlite, aikb.rules, aikb.rules.credentials
for line in sys.stdin:
    words, given, out, err = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in enumerate((given, out, err)):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), number)
        sys.stdin = open(0, closefd=False)
        sys.argv = ["ai-kb", *(os.fsdecode(bytes.fromhex(word)) for word in words)]
        code = 99
        try:
            code = aikb.cli.entry.main()
            sys.stdout.flush(); sys.stderr.flush()
        finally:
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def run_many(world, calls):
    """How commands ended that were run one after the other; a call is ``(words, stdin)``."""
    folder = world.root / "many"
    folder.mkdir(exist_ok=True)
    answers = []
    with subprocess.Popen(
        [sys.executable, "-c", _DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=world.environment(), cwd=world.project,
    ) as driver:  # fmt: skip
        for number, (words, given) in enumerate(calls):
            places = [folder / f"{number}.{kind}" for kind in ("in", "out", "err")]
            places[0].write_bytes(given.encode("utf-8", "surrogateescape"))
            places[1].write_bytes(b"")
            places[2].write_bytes(b"")
            hexed = [str(word).encode("utf-8", "surrogateescape").hex() for word in words]
            driver.stdin.write(json.dumps([hexed, *map(str, places)]).encode() + b"\n")
            driver.stdin.flush()
            code = int(driver.stdout.readline())
            answers.append(Ran(code, *(place.read_bytes().decode() for place in places[1:])))
        driver.stdin.close()
    return answers
