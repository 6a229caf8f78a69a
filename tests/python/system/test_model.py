"""Commands in any order against a simple model of what must be in the store."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from faults import scaled, unlike
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from world import World, note

from aikb.formats.org.notes import read_notes

PICK = st.integers(0, 1 << 16)
_template: list[World] = []


class Node:
    """What the model knows of a node."""

    def __init__(self, path, title, words):
        self.path, self.title = path, title
        self.words = [words]
        self.tags = set()
        self.status = "current"


class StoreMachine(RuleBasedStateMachine):
    """One store; each rule is one command, and the model says what must come of it."""

    @initialize()
    def begin(self):
        self.folder = Path(tempfile.mkdtemp())
        self.world = World(self.folder)
        if not _template:
            _template.append(World(Path(tempfile.mkdtemp())))
            _template[0].ok("init")
        self.world.store.parent.mkdir(parents=True)
        shutil.copytree(_template[0].store, self.world.store, symlinks=True)
        self.nodes: dict[str, Node] = {}
        self.count = 0

    def teardown(self):
        if hasattr(self, "world"):
            self.world.assert_sound()
            shutil.rmtree(self.folder)

    def words(self):
        self.count += 1
        return unlike(f"{self.count}")

    def pick(self, number):
        return sorted(self.nodes.items())[number % len(self.nodes)]

    # -- commands that must succeed

    @rule()
    def new(self):
        words = self.words()
        title = f"Title {words[:14]}"
        ran = self.world.ok(
            "new", "--type", "reference", "--title", title, "--body-file", "-", stdin=words
        )
        node_id, path = ran.out.split()
        self.nodes[node_id] = Node(path, title, words)

    @rule()
    def written_by_hand(self):
        words = self.words()
        title = f"Hand {words[:14]}"
        path = f"hand-{self.count}.org"
        self.world.write(path, note(title, body=words))
        self.world.ok("commit")
        (found,) = read_notes(path, (self.world.store / path).read_bytes(), str)
        self.nodes[found.id] = Node(path, title, words)

    @precondition(lambda self: self.nodes)
    @rule(number=PICK, tag=st.sampled_from(["one", "two"]))
    def tag(self, number, tag):
        node_id, node = self.pick(number)
        self.world.ok("edit", node_id, "--add-tag", tag)
        node.tags.add(tag)

    @precondition(lambda self: self.nodes)
    @rule(number=PICK)
    def append(self, number):
        node_id, node = self.pick(number)
        node.words.append(self.words())
        self.world.ok("edit", node_id, "--append-file", "-", stdin=node.words[-1])

    @precondition(lambda self: self.nodes)
    @rule(number=PICK)
    def rename(self, number):
        _, node = self.pick(number)
        old, node.path = node.path, f"moved-{self.count}-{node.path}"
        self.count += 1
        (self.world.store / old).rename(self.world.store / node.path)
        self.world.ok("commit")

    @precondition(lambda self: self.nodes)
    @rule(number=PICK)
    def remove(self, number):
        node_id, node = self.pick(number)
        (self.world.store / node.path).unlink()
        self.world.ok("commit", node.path)
        del self.nodes[node_id]

    @precondition(lambda self: self.nodes)
    @rule(number=PICK)
    def contest(self, number):
        node_id, node = self.pick(number)
        if node.status == "current":
            self.world.ok("contest", node_id, "--why", "it is so", "--by", "a person")
            node.status = "contested"

    # -- commands that must be refused and change nothing

    @precondition(lambda self: self.nodes)
    @rule(number=PICK)
    def broken_edit(self, number):
        node_id, _ = self.pick(number)
        self.world.refused("edit", node_id, "--append-file", "-", stdin="#+begin_src sh\n")

    @precondition(lambda self: self.nodes)
    @rule(number=PICK)
    def twice_the_same_id(self, number):
        _, node = self.pick(number)
        copy = self.world.store / "copy.org"
        copy.write_bytes((self.world.store / node.path).read_bytes())
        assert self.world.run("commit").code == 1
        copy.unlink()

    # -- what must hold after each

    @invariant()
    def head_has_what_the_model_has(self):
        if not hasattr(self, "world"):
            return
        assert self.world.git("status", "--porcelain") == ""
        found = {}
        for path in self.world.git("ls-files", "-z").split("\0"):
            if path.endswith(".org") and not path.startswith("index"):
                text = self.world.at_head(path)
                found |= {n.id: (n, text) for n in read_notes(path, text.encode(), str)}
        ours = {i: n for i, (n, _) in found.items() if n.title != "About this knowledge base"}
        assert ours.keys() == self.nodes.keys()
        index = self.world.at_head("index.org")
        for node_id, node in self.nodes.items():
            seen, text = found[node_id]
            assert (seen.path, seen.title, seen.status) == (node.path, node.title, node.status)
            assert node.tags <= set(seen.tags)
            assert [words for words in node.words if words not in text] == []
            assert f"| {node.title} |" in index


StoreMachine.TestCase.settings = settings(
    max_examples=scaled(2, 40), stateful_step_count=scaled(9, 40), deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
TestStore = StoreMachine.TestCase
