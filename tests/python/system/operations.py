"""The writes that tests let something befall, and how each is seen to have landed or not."""

from __future__ import annotations

from world import ALPHA, World, note


class Operation:
    """One write that may be killed: what it does, and how to see whether it landed.

    ``mark`` is a word that stands in everything that the write adds.
    """

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.mark = f"mark{number}x"
        self.number = number
        self.prepare()

    def prepare(self) -> None:
        """What is done before the command, by hand."""

    def words(self) -> tuple[object, ...]:
        """The command."""
        raise NotImplementedError

    def stdin(self) -> str:
        """What it reads."""
        return f"Words about {self.mark}.\n"

    def effects(self) -> list[bool]:
        """Each thing that the write does, as HEAD has it: all or none is true."""
        raise NotImplementedError

    def by_hand(self) -> dict[str, str | None]:
        """What a person has on disk, committed or not; no kill may change that."""
        return {}

    def finish(self) -> None:
        """Run again what a person's own files still need."""

    def adds(self) -> int:
        """How many nodes there are more, once it is finished."""
        return 0

    def landed(self) -> bool:
        """Whether HEAD has the write; half of it is a failure."""
        effects = self.effects()
        assert len(set(effects)) == 1, f"{type(self).__name__} half landed: {effects}"
        return effects[0]


class New(Operation):
    """A new node."""

    def words(self):
        return ("new", "--type", "reference", "--title", f"Try {self.number}", "--body-file", "-")

    def effects(self):
        found = self.world.git("grep", "-l", self.mark, "HEAD", "--", "*.org", check=False).stdout
        notes = [name for name in found.split() if "index" not in name]
        assert len(notes) <= 1, f"twice: {notes}"
        return [bool(notes), f"| Try {self.number} |" in index_text(self.world)]

    def adds(self):
        return int(self.landed())


class Edit(Operation):
    """More words in a node."""

    def words(self):
        return ("edit", ALPHA, "--append-file", "-")

    def effects(self):
        return [self.world.at_head("alpha.org").count(self.mark) == 1]


class Rename(Operation):
    """A node's title, which stands in the index too."""

    def words(self):
        return ("edit", "cccccccc", "--title", f"Renamed {self.mark}")

    def effects(self):
        return [f"Renamed {self.mark}" in text for text in
                (self.world.at_head("moved.org"), index_text(self.world))]  # fmt: skip


class Contest(Operation):
    """Two nodes in one commit."""

    def words(self):
        return ("contest", "alpha.org", "beta.org", "--why", f"About {self.mark}")

    def effects(self):
        return [self.mark in self.world.at_head(path) for path in ("alpha.org", "beta.org")]


class Commit(Operation):
    """Files by hand: one added, one changed, one renamed, one removed."""

    def prepare(self):
        root = self.world.store
        (last,) = root.glob("round-*.org")
        (old,) = root.glob("old-*.org")
        self.gone, self.old, self.new = old.name, last.name, f"round-{self.number}.org"
        self.changed = note(f"Left {self.number}", body=f"To be taken out after {self.mark}.")
        last.rename(root / self.new)
        old.unlink()
        beta = root / "beta.org"
        beta.write_text(beta.read_text() + f"\nChanged for {self.mark}.\n")
        self.world.write(f"old-{self.number}.org", self.changed)
        self.hand = {
            name: (root / name).read_text()
            for name in ("beta.org", self.new, f"old-{self.number}.org")
        }

    def words(self):
        return ("commit", self.world.store)

    def by_hand(self):
        return {**self.hand, self.gone: None, self.old: None}

    def effects(self):
        at_head = self.world.at_head
        return [
            self.mark in (at_head("beta.org") or ""),
            at_head(f"old-{self.number}.org") is not None,
            at_head(self.new) is not None,
            at_head(self.old) is None,
            at_head(self.gone) is None,
        ]

    def finish(self):
        self.world.ok(*self.words())
        assert self.landed()


class Sync(Operation):
    """What another machine pushed, merged with what was written here meanwhile."""

    def prepare(self):
        self.title = f"Theirs {self.number}"
        self.world.other.ok("sync")
        self.world.other.new(self.title, f"Words of theirs{self.number}x.")
        self.world.ok(
            "edit", "beta.org", "--append-file", "-", stdin=f"Own {self.mark}.", env=OFFLINE
        )

    def words(self):
        return ("sync",)

    def effects(self):
        assert self.mark in self.world.at_head("beta.org"), "what was here before is lost"
        return [f"| {self.title} |" in index_text(self.world)]

    def adds(self):
        return 1

    def finish(self):
        self.world.ok("sync")
        assert self.landed()
        bare = self.world.root / "backup.git"
        assert self.world.git("rev-parse", "main", cwd=bare).strip() == self.world.head()


class NewAndMerge(New):
    """A new node whose push is refused, since another machine pushed before."""

    def prepare(self):
        self.world.other.ok("sync")
        self.world.other.new(f"Theirs {self.number}", f"Words of theirs{self.number}x.")

    def adds(self):
        return 1 + self.landed()

    def finish(self):
        self.world.ok("sync")
        assert f"| Theirs {self.number} |" in index_text(self.world)


OFFLINE = {"GIT_ALLOW_PROTOCOL": "none"}
SYNCING: list[type[Operation]] = [Sync, NewAndMerge]
OPERATIONS: list[type[Operation]] = [New, Edit, Commit, Rename, Contest]
DECIDED = ("--decided-by", "A person", "--because", "Enough of these.")
MOVED = "cccccccc-1111-4111-8111-111111111111"


def furnish(world: World) -> None:
    """The files that the operations need."""
    world.write("moved.org", note("Moved", MOVED))
    world.write("round-0.org", note("Round"))
    world.write("old-0.org", note("Left", body="To be taken out at first."))
    world.ok("commit")
    bare = world.root / "backup.git"
    if bare.exists():
        world.ok("sync")
        world.other = World(world.root / "other")
        world.other.ok("clone", bare)


def index_text(world: World) -> str:
    """All pages of the index, as HEAD has them."""
    return world.git("grep", "-h", "", "HEAD", "--", "index*.org")
