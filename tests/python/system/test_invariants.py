"""The invariants of docs/architecture.md, after any sequence of writes, refusals and crashes."""

from __future__ import annotations

import ast
import random
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from world import ALPHA, CHECKOUT, World, note

AIKB = CHECKOUT / "python/aikb"
READS = [
    ("find", "alpha"), ("find", "--type", "principle", "--json"), ("show", ALPHA), ("links", ALPHA),
    ("backlinks", ALPHA, "--json"), ("status",), ("doctor",), ("check",), ("check", "--all"),
    ("check", "--staged"), ("check", "alpha.org"), ("index", "--check"), ("remote",),
    ("index", "--project", "x"), ("index", "--type", "principle", "--json"), ("--help",),
]  # fmt: skip


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_a_command_that_reads_touches_nothing_not_even_a_time(world, words):
    world.write("half.org", note("Half"))
    world.write("bad.org", "broken\n")
    world.git("add", "half.org")

    def look():
        files = (p for p in sorted(world.store.rglob("*")) if p.is_file() and p.suffix != ".lock")
        return {str(p): (p.stat().st_mtime_ns, p.stat().st_mode, p.read_bytes()) for p in files}

    before = look()
    world.run(*words)
    assert look() == before


WRITERS = {"open": "w", "rename": 0, "replace": 0, "unlink": 0, "remove": 0, "rmtree": 0, "link": 0,
           "symlink": 0, "truncate": 0, "rmdir": 0, "write_text": 0, "write_bytes": 0}  # fmt: skip
MAY_WRITE = {
    "writing": "the one way in",
    "sync": "fetch, merge, push",
    "provision/init.py": "makes the store",
    "provision/clone.py": "brings one from its remote",
    "provision/hook.py": "the store's own hook, in .git",
    "provision/check.py": "copies for Emacs, in a directory of their own",
    "tools/git_merge.py": "texts for `git merge-file`, in a directory of their own",
    "tools/git.py": "moves a broken index aside",
    "tools/sqlite.py": "the cache",
    "cli/entry.py": "the log of a bug",
    "cli/picture.py": "the picture that a person asks for",
    "hooks": "what sessions leave, in the state directory",
    "audit/stats.py": "counts, in the state directory",
    "audit/unreviewed.py": "a count, in the state directory",
    "provision/agent_hooks.py": "the agent's settings",
}


def test_no_other_room_has_a_call_that_changes_files():
    found = set()
    for path in AIKB.rglob("*.py"):
        name = path.relative_to(AIKB).as_posix()
        if name in MAY_WRITE or name.split("/")[0] in MAY_WRITE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            owner = getattr(getattr(node.func, "value", None), "id", "")
            if called == "open":
                modes = [a.value for a in node.args[1:] if isinstance(a, ast.Constant)]
                if any(set(str(mode)) & set("wax+") for mode in modes):
                    found.add(f"{name}:{node.lineno}")
            elif called in WRITERS and owner in {"os", "shutil"}:
                found.add(f"{name}:{node.lineno}")
    assert found == set()


def test_loose_objects_are_packed_in_the_background(world):
    for number in range(3000):
        world.write(f"raw/{number}.txt", f"{number}\n")
    world.git("add", "raw")
    world.git("-c", "gc.auto=0", "commit", "-qm", "captures")
    assert not list((world.store / ".git/objects/pack").glob("*.pack"))
    world.new("First")
    deadline = time.monotonic() + 60
    while (world.store / ".git/objects/17").exists() or (world.store / ".git/gc.pid").exists():
        assert time.monotonic() < deadline
        world.new(f"While it packs {time.monotonic_ns()}")
    assert list((world.store / ".git/objects/pack").glob("*.pack"))
    world.assert_sound()


EDITS = [("--status", "superseded"), ("--status", "contested"), ("--add-tag", "x"), ("--title", "Alpha"),
         ("--append-file", "-")]  # fmt: skip
WORDS = st.sampled_from(["git", "key", "日本", "naïve", "a [[b]]", "100% | x", "*y*"])


class Store(RuleBasedStateMachine):
    """Agents, a person and the end of the world, in any order."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.world = World(Path(tempfile.mkdtemp(prefix="ai-kb-store-")))
        self.acknowledged: set[str] = set()
        self.number = 0

    @initialize()
    def begin(self):
        self.world.store.parent.mkdir(parents=True)
        shutil.copytree(self.template, self.world.store, symlinks=True)

    def title(self, word):
        self.number += 1
        return f"{word} {self.number}"

    @rule(word=WORDS, kind=st.sampled_from(["principle", "procedure"]))
    def new(self, word, kind):
        self.acknowledged.add(self.world.new(self.title(word), f"About {word}.", kind))

    @rule(
        body=st.sampled_from(["#+begin_src\n", "[[id:ffffffff]]", "\x00", ":ID: x\n:END:\n* :x:"])
    )
    def refused(self, body):
        self.world.run("new", "--type", "reference", "--title", "R", "--body-file", "-", stdin=body)

    @rule(change=st.sampled_from(EDITS))
    def edit(self, change):
        self.world.ok("edit", ALPHA, *change, stdin="More.\n")

    @rule(word=WORDS, good=st.booleans(), by_git=st.booleans())
    def by_hand(self, word, good, by_git):
        text = note(self.title(word), body="Words." if good else "#+begin_quote")
        self.world.write(f"hand-{self.number}.org", text)
        if by_git:
            self.world.git("add", f"hand-{self.number}.org", check=False)
            self.world.git("commit", "-qm", "by hand", check=False)

    @rule()
    def commit(self):
        self.world.run("commit")

    @rule(seconds=st.floats(0, 0.5), word=WORDS)
    def killed(self, seconds, word):
        process = self.world.start("new", "--type", "reference", "--title", self.title(word))
        time.sleep(seconds)
        process.kill()
        out = process.communicate()[0].decode()
        self.acknowledged |= {out.split()[0]} if out else set()

    @rule(damage=st.sampled_from(["index.org", ".git/index", "cache"]))
    def damage(self, damage):
        if damage == "cache":
            for path in self.world.home.glob(".cache/ai-kb/*"):
                path.write_bytes(random.Random(self.number).randbytes(4096))
        else:
            self.world.write(damage, "rubbish\n")

    def teardown(self):
        world = self.world
        world.run("commit")
        world.ok("index")
        assert not (world.store / ".ai-kb/txn").exists()
        fresh = World(world.root / "fresh")
        world.git("clone", "-q", str(world.store), str(fresh.store), cwd=world.root)
        fresh.ok("check", "--all")
        fresh.ok("index", "--check")
        world.git("fsck", "--strict")
        notes = "".join(path.read_text() for path in fresh.store.glob("*.org"))
        assert [
            node_id for node_id in self.acknowledged if notes.count(f":ID:       {node_id}") != 1
        ] == []
        shutil.rmtree(world.root)


def test_after_anything_what_is_committed_is_clean_and_the_index_is_as_rebuilt(template):
    machine = type("StoreOfThisRun", (Store,), {"template": template.store})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=5, stateful_step_count=8, deadline=None, derandomize=True,
            suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate],
        ),
    )  # fmt: skip
