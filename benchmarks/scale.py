"""``benchmarks/scale.py [SIZE...]``: how time, memory and disk grow with a store (docs/scaling.md).

Prints a Markdown table with a column for each size (default: 1000 10000 100000).  It runs for many
minutes at the largest, so it is no part of ``make bench``; look at growth along a row of one run.
"""

from __future__ import annotations

import itertools
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from generate import commit_all, fill
from measure import environment, run
from run import AI_KB
from two import TwoMachines

Figure = tuple[str, str]
_TIMES = 3
_WRITES = 20
_HISTORY = 500


class Store:
    """One generated store, and what is measured of it."""

    def __init__(self, work: Path, count: int) -> None:
        self.root = work / f"store-{count}"
        self.count = count
        self.home = work / f"home-{count}"
        self.home.mkdir()
        self.env = environment(self.home, self.root)
        self.counter = itertools.count()
        self.ids: list[str] = []

    def make(self) -> None:
        """Generate, commit, index, pack."""
        run([AI_KB, "init"], self.env)
        self.ids = fill(self.root, self.count)
        for name, value in (("user.name", "bench"), ("user.email", "bench@localhost")):
            run(["git", "config", name, value], self.env, self.root)
        commit_all(self.root)
        run([AI_KB, "index"], self.env)
        self.git("gc", "--quiet")

    def git(self, *words: str) -> str:
        """Plain git in the store, when no background packing is at work there."""
        while (self.root / ".git/gc.pid").exists():
            time.sleep(0.2)
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.env, capture_output=True, check=True
        )
        return done.stdout.decode()

    def seconds(
        self, step: Callable[[], object], times: int = _TIMES, before: Callable[[], object] = int
    ) -> str:
        """The medians of some runs: what the clock says, and the processor's time in brackets."""
        took, worked = [], []
        for _ in range(times):
            before()
            begun, start = _worked(), time.perf_counter()
            step()
            took.append(time.perf_counter() - start)
            worked.append(_worked() - begun)
        return f"{statistics.median(took):.2f} s ({statistics.median(worked):.2f})"

    def command(self, *words: str) -> Callable[[], object]:
        """One of our commands, to be timed."""
        return lambda: run([AI_KB, *words], self.env)

    def new(self) -> None:
        """Write a node that is like none before."""
        number = time.time_ns()
        body = self.home / "body.org"
        words = " ".join(f"w{number}x{place}" for place in range(20))
        body.write_text(f"Lesson {number} is about {words}.\n")
        title = f"Measured {number} w{number}t"
        run(
            [AI_KB, "new", "--type", "observation", "--title", title, "--body-file", str(body)],
            self.env,
        )

    def git_bytes(self) -> int:
        """What the repository takes on disk."""
        return sum(p.stat().st_size for p in (self.root / ".git").rglob("*") if p.is_file())


def _worked() -> float:
    """The processor's time of all children until now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def figures(store: Store) -> Iterator[Figure]:
    """Everything that is measured of one store, in the order of the table's rows."""
    a = store
    a.command("find", "warm")()
    a.new()
    yield "`new` (first to last step, no remote)", a.seconds(a.new, 5)
    yield (
        "`edit --add-tag`",
        a.seconds(
            lambda: run([AI_KB, "edit", a.ids[7], "--add-tag", f"t{next(a.counter)}"], a.env)
        ),
    )
    yield "of it bare `git status`", a.seconds(lambda: a.git("status", "--porcelain"))
    yield "`find` of two words", a.seconds(a.command("find", "rebase", "hook"), 5)
    yield "`find` of a common word", a.seconds(a.command("find", "memory"), 5)
    yield "`show`", a.seconds(a.command("show", a.ids[7][:8]))
    yield "`backlinks`", a.seconds(a.command("backlinks", a.ids[7]))
    yield "`status`", a.seconds(a.command("status"))
    yield "`index`, nothing changed", a.seconds(a.command("index"))
    yield "`index`, cold cache", a.seconds(lambda: _cold(a), 1)
    yield "`check --staged`, one note", _staged(a)
    yield "largest `index*.org` page", f"{_largest_page(a) / 1e3:.0f} kB"
    yield "`index*.org` pages", str(len(list(a.root.glob("index*.org"))))
    yield "most memory of `new`", f"{_memory(a.new):.0f} MB"
    yield "most memory of `find`", f"{_memory(a.command('find', 'rebase', 'hook')):.0f} MB"
    yield "cache on disk", f"{_size(a.home / '.cache') / 1e6:.1f} MB"
    yield "notes on disk", f"{sum(p.stat().st_size for p in a.root.glob('*.org')) / 1e6:.1f} MB"
    yield from _repository(a)
    yield from _merging(a)


def _merging(a: Store) -> Iterator[Figure]:
    work = a.home / "machines"
    work.mkdir()
    two = TwoMachines(a.root, a.env, a.ids, work)
    a.env["AI_KB_HOME"] = str(two.ours)
    run([AI_KB, "init"], a.env)
    run([AI_KB, "sync"], a.env)
    yield "`sync`, nothing new", a.seconds(a.command("sync"))
    for name, before in (("a commit to bring", two.behind), ("a merge", two.diverge)):
        yield (
            f"`sync`, {name}",
            a.seconds(a.command("sync"), before=lambda before=before: before(two.ours)),
        )
    two.git(two.plain, "pull", "--quiet")
    yield (
        "of it bare `git pull`, `git push`",
        a.seconds(two.pull, before=lambda: two.diverge(two.plain)),
    )


def _repository(a: Store) -> Iterator[Figure]:
    a.git("gc", "--quiet")
    packed = a.git_bytes()
    yield "`.git`, packed", f"{packed / 1e6:.1f} MB"
    for _ in range(_WRITES):
        a.new()
    grown = a.git_bytes() - packed
    yield "growth of `.git` a write, before packing", f"{grown / _WRITES / 1e3:.0f} kB"
    yield f"packing {_WRITES} writes (background)", a.seconds(lambda: a.git("gc", "--quiet"), 1)
    yield "growth a write, packed", f"{(a.git_bytes() - packed) / _WRITES / 1e3:.1f} kB"
    bare = a.home / "bare.git"
    a.git("clone", "--quiet", "--bare", str(a.root), str(bare))
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        run(["git", "config", name, "true"], a.env, bare)
    yield "clone", a.seconds(lambda: _clone(a, bare), 1)
    yield "clone, `--filter=blob:none`", a.seconds(lambda: _clone(a, bare, "--filter=blob:none"), 1)
    yield "clone, `--depth=1`", a.seconds(lambda: _clone(a, bare, "--depth=1"), 1)
    yield "`.git` of the clone with `--depth=1`", f"{_size(a.home / 'clone/.git') / 1e6:.1f} MB"


def _clone(a: Store, bare: Path, *words: str) -> None:
    target = a.home / "clone"
    shutil.rmtree(target, ignore_errors=True)
    a.git("clone", "--quiet", *words, f"file://{bare}", str(target))


def _cold(a: Store) -> None:
    shutil.rmtree(a.home / ".cache", ignore_errors=True)
    run([AI_KB, "index"], a.env)


def _staged(a: Store) -> str:
    path = next(a.root.glob("2026*.org"))
    before = path.read_text()
    path.write_text(before + "\nOne more line.\n")
    a.git("add", path.name)
    took = a.seconds(a.command("check", "--staged"))
    a.git("reset", "--quiet", "--hard")
    return took


def _largest_page(a: Store) -> int:
    return max(path.stat().st_size for path in a.root.glob("index*.org"))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _memory(step: Callable[[], object]) -> float:
    """The most that one process of a step's held, in MB: in a child, whose children are counted."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        step()
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        os.write(writing, str(most).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    return int(os.read(reading, 100)) / 1024


def history(work: Path, sizes: Sequence[int]) -> None:
    """How fast a file's history is told after many writes, with and without a commit-graph."""
    print(f"\n| {_HISTORY} further commits | " + " | ".join(f"{s:,} nodes" for s in sizes) + " |")
    rows: dict[str, list[str]] = {}
    for size in sizes:
        a = Store(work / "history", size)
        a.make()
        _commit_many(a)
        for name, value in _told(a):
            rows.setdefault(name, []).append(value)
        shutil.rmtree(a.root)
    print(f"| --- |{' ---: |' * len(sizes)}")
    for name, values in rows.items():
        print(f"| {name} | " + " | ".join(values) + " |")


def _commit_many(a: Store) -> None:
    """Commits that each add a note, by one fast-import."""
    head = a.git("rev-parse", "HEAD").strip()
    stream = []
    for number in range(_HISTORY):
        text = f"Note {number}\n" * 20
        since = f"from {head}\n" if not number else ""
        stream.append(
            f"commit refs/heads/main\ncommitter B <b@localhost> {1_800_000_000 + number} +0000\n"
            f"data 1\nx\n{since}M 100644 inline 2027{number:06d}-x.org\ndata {len(text)}\n{text}\n"
        )
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"],
        input="".join(stream).encode(), cwd=a.root, check=True, env=a.env,
    )  # fmt: skip
    a.git("reset", "--quiet", "--hard")


def _told(a: Store) -> Iterator[Figure]:
    path = next(a.root.glob("2026*.org")).name
    yield "`git gc`", a.seconds(lambda: a.git("gc", "--quiet"), 1)
    yield "`.git`, packed", f"{a.git_bytes() / 1e6:.1f} MB"
    (a.root / ".git/objects/info/commit-graph").unlink(missing_ok=True)
    yield "`git log -- NOTE`", a.seconds(lambda: a.git("log", "--oneline", "--", path))
    a.git("commit-graph", "write", "--reachable", "--changed-paths")
    yield (
        "the same, commit-graph with paths",
        a.seconds(lambda: a.git("log", "--oneline", "--", path)),
    )


def main() -> int:
    """Measure; returns the exit code."""
    sizes = [int(size) for size in sys.argv[1:]] or [1_000, 10_000, 100_000]
    rows: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="ai-kb-scale-") as work:
        for size in sizes:
            store = Store(Path(work), size)
            store.make()
            print(f"{size:>7} made", file=sys.stderr, flush=True)
            for name, value in figures(store):
                rows.setdefault(name, []).append(value)
                print(f"{size:>7} {name}: {value}", file=sys.stderr, flush=True)
            shutil.rmtree(store.root)
            shutil.rmtree(store.home)
        print("\n| | " + " | ".join(f"{size:,} nodes" for size in sizes) + " |")
        print(f"| --- |{' ---: |' * len(sizes)}")
        for name, values in rows.items():
            print(f"| {name} | " + " | ".join(values) + " |")
        (Path(work) / "history").mkdir()
        history(Path(work), [size for size in sizes if size <= 10_000])
    return 0


if __name__ == "__main__":
    sys.exit(main())
