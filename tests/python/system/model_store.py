"""A store as a few dictionaries, and a machine that does to it and to a real one the same things.

The model knows for each file what the disk has and what HEAD has: id, title, tags, status and body.
It reads a note with four regular expressions of its own, so that a fault in ours is no fault in it.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from near_world import NearWorld
from world import note

BAD = "\n#+begin_src sh\nnever closed\n"
WORDS = st.sampled_from(["git", "日本", "naïve", "100% | x", "*y*", "a_b", "key"])
TAGS = st.sampled_from(["x", "ünder", "_y", "t@1"])
TYPES = st.sampled_from(["principle", "procedure", "observation"])
PICK = st.integers(0, 1000)


class Seen(NamedTuple):
    """What a note's text says; ``bad`` texts are refused everywhere."""

    id: str
    title: str
    tags: frozenset[str]
    status: str
    body: str

    @property
    def bad(self) -> bool:
        """Whether no gate may let it in."""
        return "never closed" in self.body


def see(text: str) -> Seen:
    """Read a note's text."""
    found = {
        key: re.search(rf"^{key}[ \t]*(.*?)[ \t]*$", text, re.MULTILINE)
        for key in (":ID:", "#\\+title:", "#\\+filetags:", ":STATUS:")
    }
    values = [match.group(1) if match else "" for match in found.values()]
    body = re.sub(r"^:LOGBOOK:\n.*?^:END:\n", "", text, flags=re.MULTILINE | re.DOTALL)
    body = body.partition("#+filetags:")[2].partition("\n")[2]
    return Seen(values[0], values[1], frozenset(filter(None, values[2].split(":"))), values[3],
                body.strip())  # fmt: skip


def assert_same(what: str, found: dict[str, Seen], expected: dict[str, Seen]) -> None:
    """Two states are one; the first difference is told."""
    for path in sorted(found.keys() | expected.keys()):
        here, there = found.get(path), expected.get(path)
        assert here == there, f"{what}: {path} is {here}; the model says {there}"


class StoreModel(RuleBasedStateMachine):
    """Agents and a person, in any order; every answer and HEAD are held against the model."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.world = NearWorld(Path(tempfile.mkdtemp(prefix="ai-kb-model-")))
        self.number = 0
        self.head: dict[str, Seen] = {}
        self.disk: dict[str, Seen] = {}
        self.captures: dict[str, bytes] = {}
        self._blobs: dict[str, str] = {}

    @initialize()
    def begin(self):
        self.world.store.parent.mkdir(parents=True)
        shutil.copytree(self.template, self.world.store, symlinks=True)
        self.head = self.at_head()
        self.disk = dict(self.head)

    # -- what is there

    def at_head(self) -> dict[str, Seen]:
        """The notes that HEAD has."""
        seen = {}
        for line in self.world.git("ls-tree", "-r", "-z", "HEAD").split("\0"):
            about, _, path = line.partition("\t")
            if path.endswith(".org") and not path.startswith(("index", "raw/")):
                blob = about.split()[2]
                if blob not in self._blobs:
                    self._blobs[blob] = self.world.git("cat-file", "blob", blob)
                seen[path] = see(self._blobs[blob])
        return seen

    def text(self, path: str) -> str:
        """A file as it is on disk."""
        return (self.world.store / path).read_text()

    def pick(self, number: int, *, clean: bool = False) -> str:
        """One of the notes on disk; a *clean* one is as HEAD has it."""
        paths = sorted(p for p, s in self.disk.items() if not clean or self.head.get(p) == s)
        return paths[number % len(paths)]

    def name(self, word: str) -> str:
        """A title that no node has."""
        self.number += 1
        return f"{word} {self.number}"

    def wrote(self, path: str) -> None:
        """A command said that it wrote a file: HEAD and disk have it now."""
        self.head[path] = self.disk[path] = see(self.text(path))

    def expect(self, path: str, **changes: object) -> None:
        """A file as a command is to leave it, on disk and in HEAD."""
        self.head[path] = self.disk[path] = self.disk[path]._replace(**changes)

    # -- what agents do

    @rule(word=WORDS, kind=TYPES, tag=TAGS, other=PICK, links=st.booleans())
    def new(self, word, kind, tag, other, links):
        target = self.head[self.pick(other, clean=True)] if links and self.clean else None
        title, body = self.name(word), f"About {word} number{self.number}."
        said = body + (f" See [[id:{target.id[:12]}]]." if target else "")
        answer = self.world.ok(
            "new", "--type", kind, "--title", title, "--tag", tag, "--body-file", "-", "--json",
            stdin=said,
        ).json  # fmt: skip
        if target:
            body += f" See [[id:{target.id}][{target.title}]]."
        got = see(self.text(answer["path"]))
        assert got._replace(body="") == Seen(
            answer["id"], title, frozenset({kind, tag}), "current", ""
        )
        assert got.body == body or (target and f"[[id:{target.id}][" in got.body)
        self.wrote(answer["path"])

    @rule(text=st.sampled_from([BAD, "[[id:ffffffff]]", "\x00", "[[elisp:(f)]]"]), other=PICK)
    def refused(self, text, other):
        """Nothing bad gets in, by whatever way, and nothing changes."""
        self.world.refused(
            "new", "--type", "reference", "--title", "R", "--body-file", "-", stdin=text
        )
        path = self.pick(other)
        self.world.refused("edit", path, "--append-file", "-", stdin=text)

    def edit(self, path: str, *words: str, stdin: str = "", **changes: object) -> None:
        """An edit of a file that a person may have spoilt or changed meanwhile."""
        if self.disk[path] == self.disk[path]._replace(**changes):
            with self.world.unchanged():  # it is so already
                self.world.ok("edit", path, *words, stdin=stdin)
            return
        if self.disk[path].bad:
            self.world.refused("edit", path, *words, stdin=stdin)
            return
        self.world.ok("edit", path, *words, stdin=stdin)
        self.expect(path, **changes)

    @rule(other=PICK, word=WORDS)
    def retitle(self, other, word):
        title = self.name(word)
        self.edit(self.pick(other), "--title", title, title=title)

    @rule(other=PICK, add=TAGS, remove=TAGS)
    def retag(self, other, add, remove):
        path = self.pick(other)
        tags = self.disk[path].tags | {add}
        words = ("--add-tag", add)
        if remove != add:
            words, tags = (*words, "--remove-tag", remove), tags - {remove}
        self.edit(path, *words, tags=tags)

    @rule(other=PICK, status=st.sampled_from(["current", "superseded"]))
    def restate(self, other, status):
        path = self.pick(other)
        if self.disk[path].status != "contested":
            self.edit(path, "--status", status, status=status)

    @rule(other=PICK, word=WORDS)
    def append(self, other, word):
        path, words = self.pick(other), f"More {self.name(word)}."
        self.edit(
            path, "--append-file", "-", stdin=words, body=f"{self.disk[path].body}\n\n{words}"
        )

    @rule(other=PICK, word=WORDS)
    def rewrite(self, other, word):
        path, words = self.pick(other), f"Instead {self.name(word)}."
        command = ("edit", path, "--body-file", "-", "--reason", "Better")
        if self.disk[path].status == "contested":
            self.world.refused(*command, stdin=words)  # a person decides
            return
        self.world.ok(*command, stdin=words)
        self.expect(path, body=words)  # what was bad is gone with the old body

    @rule(first=PICK, second=PICK)
    def contest(self, first, second):
        paths = [self.pick(first), self.pick(second)]
        words = ("contest", *paths, "--why", f"Reason {self.name('y')}")
        seen = [self.disk[path] for path in paths]
        if paths[0] == paths[1]:
            self.world.refused(*words, code=2)
        elif any(s.bad or s.status == "superseded" for s in seen):
            self.world.refused(*words)
        else:
            self.world.ok(*words)
            for path in paths:
                self.expect(path, status="contested")

    @rule(other=PICK, how=st.sampled_from(["keep", "both", "supersede"]), winner=PICK)
    def resolve(self, other, how, winner):
        path, best = self.pick(other), self.pick(winner)
        words = {
            "keep": ("--keep",),
            "both": ("--keep", "--both"),
            "supersede": ("--supersede-by", best),
        }
        ran = self.world.run(
            "resolve", path, *words[how], "--decided-by", "A person", "--because", "So.", "--json"
        )
        if self.disk[path].status != "contested":
            assert ran.code != 0
        if ran.code:
            return
        told = {n["path"]: s for s in ("current", "superseded", "contested") for n in ran.json[s]}
        assert told[path] == ("superseded" if how == "supersede" else "current")
        for changed, status in told.items():
            self.expect(changed, status=status)

    @rule(word=WORDS)
    def capture(self, word):
        data = f"Minutes about {word}.\n".encode()
        source = self.world.root / "minutes.txt"
        source.write_bytes(data)
        path = self.world.ok("capture", source, "--title", word).out.strip()
        assert self.captures.setdefault(path, data) == data
        assert self.world.git("show", f"HEAD:{path}", text=False) == data

    @rule()
    def index(self):
        self.world.ok("index")

    # -- what a person does

    @rule(word=WORDS, good=st.booleans())
    def write_by_hand(self, word, good):
        title = self.name(word)
        path = f"hand-{self.number}.org"
        self.world.write(path, note(title, body="By hand." + ("" if good else BAD)))
        self.disk[path] = see(self.text(path))

    @rule(other=PICK, good=st.booleans())
    def change_by_hand(self, other, good):
        path = self.pick(other)
        words = f"\nBy hand {self.name('z')}." if good else BAD
        self.world.write(path, self.text(path).rstrip("\n") + f"\n{words}\n")
        self.disk[path] = see(self.text(path))

    @rule(other=PICK)
    def mend_by_hand(self, other):
        path = self.pick(other)
        self.world.write(path, self.text(path).replace("#+begin_src sh\nnever closed", "closed"))
        self.disk[path] = see(self.text(path))

    @rule()
    def commit(self):
        self.check_commit(self.dirty, self.world.run("commit", "--json"))

    @precondition(lambda self: self.dirty)
    @rule(other=PICK)
    def commit_one(self, other):
        path = self.dirty[other % len(self.dirty)]
        self.check_commit([path], self.world.run("commit", path, "--json"))

    def check_commit(self, paths, ran):
        """The good ones are in, the bad ones are as they were, and the answer says which."""
        bad = [path for path in paths if self.disk[path].bad]
        assert ran.code == bool(bad), ran.err
        assert ran.json["refused"] == bad
        good = [path for path in paths if path not in bad]
        assert ran.json["committed"] == good, (good, ran.out, ran.err)
        for path in set(paths).difference(bad):
            self.head[path] = self.disk[path]

    @precondition(lambda self: self.dirty)
    @rule(other=PICK)
    def commit_by_git(self, other):
        """With the store's own hook."""
        path = self.dirty[other % len(self.dirty)]
        self.world.git("add", path)
        ran = self.world.git("commit", "-qm", "by hand", "--", path, check=False)
        assert (ran.returncode == 0) is not self.disk[path].bad, ran.stderr
        if ran.returncode == 0:
            self.head[path] = self.disk[path]

    @precondition(lambda self: len(self.disk) > 3)
    @rule(other=PICK)
    def remove(self, other):
        """A node goes when it is named, unless something links to it."""
        path = self.pick(other)
        gone = self.disk[path]
        others = [self.text(p) for p in self.disk if p != path]
        others += [self.world.at_head(p) or "" for p in self.head if p != path]
        text = self.text(path)
        (self.world.store / path).unlink()
        if path not in self.head:
            del self.disk[path]
            return
        linked = any(f"id:{gone.id}" in words for words in others)
        ran = self.world.run("commit", path)
        assert ran.code == linked, ran.err
        if linked:
            self.world.write(path, text)
        else:
            del self.head[path], self.disk[path]

    # -- what must be true at any time

    @property
    def dirty(self) -> list[str]:
        """What a person has not committed yet."""
        return sorted(p for p, seen in self.disk.items() if self.head.get(p) != seen)

    @property
    def clean(self) -> bool:
        """Whether any note is committed as it is."""
        return any(self.head.get(path) == seen for path, seen in self.disk.items())

    @invariant()
    def head_is_what_was_acknowledged(self):
        if not self.head:
            return
        assert_same("HEAD", self.at_head(), self.head)
        assert_same("disk", {path: see(self.text(path)) for path in self.disk}, self.disk)
        assert not (self.world.store / ".ai-kb/txn").exists()

    def teardown(self):
        self.world.git("reset", "-q")
        for path in self.dirty:
            if self.disk[path].bad:
                (self.world.store / path).unlink()
                if path in self.head:
                    self.world.git("checkout", "-q", "--", path)
        self.world.ok("commit")
        self.world.ok("index")
        self.world.assert_sound()
        shutil.rmtree(self.world.root)
