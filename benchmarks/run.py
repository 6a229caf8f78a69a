"""``make bench``: every speed that the project promises, as a ratio to bare tools in one run.

Absolute times differ by machine; a ratio says what our part of the wait is.  Sizes can be given as
arguments (default: 100 1000 10000).  Exit code 1 if a promise is not kept.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import statistics
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from generate import WORDS, commit_all, fill
from measure import Ratio, clock, compare, environment, run
from two import TwoMachines

HERE = Path(__file__).parent
CHECKOUT = HERE.parent
AI_KB = str(CHECKOUT / ".venv" / "bin" / "ai-kb")
PYTHON = str(CHECKOUT / ".venv" / "bin" / "python")
CORPORA = Path(os.environ.get("AI_KB_CORPORA", CHECKOUT.parent / "shared" / "corpora"))


class Bench:
    """The stores and the world that all figures share."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.home = work / "home"
        self.home.mkdir()
        self.counter = itertools.count()
        self.rows: list[Ratio] = []
        print(f"{'':<58} {'ours ms':>9} {'bare ms':>9} {'ratio':>7} promise")

    def add(self, *args: object, **kwargs: object) -> None:
        """Keep and print a row."""
        row = Ratio(*args, **kwargs)  # type: ignore[arg-type]
        self.rows.append(row)
        print(row.render(), flush=True)

    def store(self, count: int) -> tuple[Path, dict[str, str], list[str]]:
        """A store with *count* generated nodes, indexed and committed."""
        store = self.work / f"store-{count}"
        env = environment(self.home, store)
        run([AI_KB, "init"], env)
        ids = fill(store, count)
        run(["git", "config", "user.name", "bench"], env, store)
        run(["git", "config", "user.email", "bench@localhost"], env, store)
        commit_all(store)
        run([AI_KB, "index"], env)
        return store, env, ids

    # -- one figure each

    def version(self) -> None:
        """The shortest command there is."""
        env = environment(self.home, self.work)
        ours, bare = compare(
            lambda: run([AI_KB, "--version"], env), lambda: run([PYTHON, "-c", "pass"], env), 15
        )
        self.add("ai-kb --version / python -c pass", ours, bare, 4)

    def session_start(self, count: int, env: dict[str, str]) -> None:
        """What a session waits for at its start: a vault's project note, a store of *count* nodes."""
        vault, project = self.work / "vault", self.work / "project-1"
        note = "# project-1\n\nA project that is measured.\n\n- speed\n- tests\n"
        (vault / "project").mkdir(parents=True, exist_ok=True)
        (vault / "project" / "project-1.md").write_text(note)
        run(["git", "init", "--quiet", str(project)], env)
        event = json.dumps({"session_id": "bench", "cwd": str(project)}).encode()
        here = {**env, "AI_KB_VAULT": str(vault)}
        ours, bare = compare(
            lambda: run([AI_KB, "hook", "session-start"], here, project, event),
            lambda: run([PYTHON, "-c", "pass"], env),
            15,
        )
        self.add(f"hook session-start, {count} nodes / python -c pass", ours, bare, 6)

    def session_end(self) -> None:
        """What an agent waits for when a session ends; its worker finds that it is turned off."""
        config = self.work / "config" / "ai-kb" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text("[session_end]\nenabled = false\n")
        env = environment(self.home, self.work)
        env.update(
            XDG_CONFIG_HOME=str(config.parent.parent), XDG_STATE_HOME=str(self.work / "state")
        )

        def ours() -> None:
            event = {"session_id": f"bench-{next(self.counter)}", "cwd": str(self.work)}
            run([AI_KB, "hook", "session-end"], env, stdin=json.dumps(event).encode())

        ours_, bare = compare(
            ours, lambda: run([PYTHON, "-c", "pass"], env), 15, lambda: time.sleep(0.3)
        )
        self.add("hook session-end / python -c pass", ours_, bare, 6)

    def new(self, count: int, store: Path, env: dict[str, str]) -> None:
        """Writing a node, against the least that checks and commits a file."""
        body = self.work / "body.org"
        body.write_text("One sentence that says it. Then the reason why it is so.\n")

        def ours() -> None:
            title = f"A measured node {next(self.counter)}"
            run(
                [AI_KB, "new", "--type", "observation", "--title", title, "--body-file", str(body)],
                env,
            )

        for script in ("bare-lint.el", "tuned-lint.el"):

            def bare(script: str = script) -> None:
                name = f"bare-{next(self.counter)}.org"
                (store / name).write_text(next(store.glob("2026*.org")).read_text())
                lint = str(HERE / script)
                run(["emacs", "-Q", "--batch", "-l", lint, str(store / name)], env)
                run(["git", "add", "--", name], env, store)
                run(["git", "commit", "--quiet", "--no-verify", "-m", "x", "--", name], env, store)
                (store / name).unlink()
                run(["git", "rm", "--quiet", "--cached", "--", name], env, store)

            a, b = compare(ours, bare, 7)
            what = "bare org-lint" if script.startswith("bare") else "org-lint tuned as ours is"
            self.add(f"new, {count} nodes / {what}, git add, git commit", a, b, 1.3)

    def index(self, name: str, store: Path, env: dict[str, str], times: int) -> None:
        """A cold index, against a script that only fills a full-text table from the same files."""
        cache = self.home / ".cache" / "ai-kb"

        def forget() -> None:
            shutil.rmtree(cache, ignore_errors=True)

        database = self.work / "bare.db"
        cold, bare = compare(
            lambda: run([AI_KB, "index", "--type", "procedure"], env),
            lambda: run([PYTHON, str(HERE / "bare_fts.py"), str(store), str(database)], env),
            times,
            forget,
        )
        self.add(f"index, cold, {name} / bare Python filling FTS5", cold, bare, 2)
        self.cold = cold

    def increment(self, count: int, store: Path, env: dict[str, str]) -> None:
        """An index after one change."""
        victim = next(store.glob("2026*.org"))

        def touch() -> None:
            victim.write_text(victim.read_text() + "\nOne more line.\n")

        run([AI_KB, "index", "--type", "procedure"], env)
        warm, _ = compare(
            lambda: run([AI_KB, "index", "--type", "procedure"], env), lambda: None, 7, touch
        )
        self.add(f"index after one change in {count} / cold", warm, self.cold, 0.1)
        run(["git", "checkout", "--quiet", "--", victim.name], env, store)

    def backlinks(self, count: int, store: Path, env: dict[str, str], ids: list[str]) -> None:
        """Who links here, against the bare search."""
        run([AI_KB, "backlinks", ids[7]], env)
        ours, bare = compare(
            lambda: run([AI_KB, "backlinks", ids[7]], env),
            lambda: run(["rg", "-l", "-F", f"id:{ids[7]}", str(store)], env),
            11,
        )
        self.add(f"backlinks, {count} nodes / bare rg", ours, bare, 3)

    def find(self, count: int, env: dict[str, str]) -> None:
        """Finding, against one query on the same table."""
        run([AI_KB, "find", "warm"], env)
        database = next((self.home / ".cache" / "ai-kb").glob("*.db"))
        for words in (["rebase", "hook"], [WORDS[3]]):
            ours, bare = compare(
                lambda words=words: run([AI_KB, "find", *words], env),  # type: ignore[misc]
                lambda words=words: run(  # type: ignore[misc]
                    [PYTHON, str(HERE / "bare_query.py"), str(database), *words], env
                ),
                15,
            )
            self.add(f"find {' '.join(words)}, {count} nodes / bare sqlite3 query", ours, bare, 1.5)

    def sync(self, count: int, store: Path, env: dict[str, str], ids: list[str]) -> None:
        """Sync, against git's own fetch, and against a person's pull and push."""
        work = self.work / f"machines-{count}"
        work.mkdir()
        two = TwoMachines(store, env, ids, work)
        env = {**env, "AI_KB_HOME": str(two.ours)}
        run([AI_KB, "init"], env)
        run([AI_KB, "sync"], env)
        two.git(two.plain, "pull", "--quiet")

        def sync() -> None:
            run([AI_KB, "sync"], env)

        idle, fetch = compare(sync, lambda: two.git(two.plain, "fetch", "--quiet"), 7)
        # It looks whether the pages are current as well: what grows is that, and not the fetch.
        self.add(f"sync, nothing new, {count} nodes / git fetch", idle, fetch, 40)
        ours, plain = [], []
        for _ in range(5):
            two.diverge(two.ours)
            ours.append(clock(sync))
            two.diverge(two.plain)
            plain.append(clock(two.pull))
        self.add(
            f"sync, a merge, {count} nodes / git pull and push, no index",
            statistics.median(ours), statistics.median(plain), 6,
        )  # fmt: skip
        shutil.rmtree(work)

    def roam(self, name: str, store: Path, env: dict[str, str]) -> None:
        """A cold index, against org-roam building its database from the same files."""
        cache = self.home / ".cache" / "ai-kb"

        def forget() -> None:
            shutil.rmtree(cache, ignore_errors=True)

        database = self.work / "roam.db"

        def sync() -> None:
            database.unlink(missing_ok=True)
            lisp = str(HERE / "roam-sync.el")
            run(["emacs", "-Q", "--batch", "-l", lisp, str(store), str(database)], env)

        ours, bare = compare(
            lambda: run([AI_KB, "index", "--type", "procedure"], env), sync, 1, forget
        )
        self.add(
            f"index, cold, {name}: times faster than org-roam-db-sync",
            ours,
            bare,
            30,
            at_least=True,
        )

    def collection(self, name: str) -> tuple[Path, dict[str, str]]:
        """A real collection, unpacked, and a world in which it is the store."""
        with tarfile.open(CORPORA / "org" / f"{name}.tar.xz") as archive:
            archive.extractall(self.work / "corpora")
        store = self.work / "corpora" / name
        return store, environment(self.home, store)


def main() -> int:
    """Measure everything; returns the exit code."""
    sizes = [int(size) for size in sys.argv[1:]] or [100, 1_000, 10_000]
    with tempfile.TemporaryDirectory(prefix="ai-kb-bench-") as work:
        bench = Bench(Path(work))
        bench.version()
        bench.session_end()
        for count in sizes:
            store, env, ids = bench.store(count)
            bench.new(count, store, env)
            bench.index(f"{count} nodes", store, env, 3)
            bench.sync(count, store, env, ids)
            if count == max(sizes):
                bench.increment(count, store, env)
                bench.backlinks(count, store, env, ids)
                bench.find(count, env)
                bench.session_start(count, env)
            if count == 1_000:
                bench.roam(f"{count} nodes", store, env)
        if CORPORA.is_dir():
            for name in ("bphenriques", "rgb24bit", "jethrokuan", "jbb"):
                store, env = bench.collection(name)
                bench.index(name, store, env, 5)
                bench.roam(name, store, env)
        else:
            print(f"no real collections at {CORPORA} (set AI_KB_CORPORA)")
        missed = [row for row in bench.rows if not row.kept]
    print(f"{len(bench.rows) - len(missed)} promises kept, {len(missed)} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
