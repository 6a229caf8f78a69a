"""A vault of Markdown notes in a world of its own, with spaces and other scripts in its path."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from world import World

if TYPE_CHECKING:
    from pathlib import Path


def markdown(title, tags="a", body="Some words.", **fields):
    """A note's whole text, as a person writes it."""
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\ntitle: {title}\ntags: [{tags}]\n{lines}---\n\n# {title}\n\n{body}\n"


class VaultWorld(World):
    """As :class:`World`; ``store`` is the vault's folder, which is a repository or not."""

    def __init__(self, root: Path, *, git: bool = True, like: Path | None = None) -> None:
        super().__init__(root, root / "home" / "Meine Notizen \u77e5" / "Second Brain")
        self.env.pop("AI_KB_HOME")
        self.env["AI_KB_VAULT"] = str(self.store)
        if like:
            self.store.parent.mkdir(parents=True)
            shutil.copytree(like, self.store, symlinks=True)
            return
        self.store.mkdir(parents=True)
        if git:
            self.git("init", "--quiet", "--initial-branch=main")
            self.write("README.md", "# Read me\n\nWhat this is. #meta\n")
            self.ok("vault", "commit")

    def index(self) -> dict[str, list[dict[str, str]]]:
        """The index on disk."""
        return json.loads((self.store / "vault-index.json").read_text("utf-8"))

    def paths(self, tag: str) -> list[str]:
        """The notes that the index on disk has under a tag."""
        return [entry["path"] for entry in self.index().get(tag, [])]

    def note(self, title: str, body: str = "Some words.", tags: str = "a", **further) -> str:
        """A new note; returns its path."""
        words = ("vault", "new", "--type", "reference", "--title", title, "--tags", tags)
        return self.ok(*words, "--body-file", "-", stdin=body, **further).out.strip()

    def assert_sound(self) -> None:
        """The invariants: index as rebuilt from scratch and committed, no leftovers."""
        index = (self.store / "vault-index.json").read_bytes()
        shutil.rmtree(self.home / ".cache", ignore_errors=True)
        self.ok("vault", "index", "--check")
        (self.store / "vault-index.json").unlink()
        self.ok("vault", "index")
        assert (self.store / "vault-index.json").read_bytes() == index
        assert not (self.store / ".ai-kb/txn").exists()
        if (self.store / ".git").exists():
            assert self.git("status", "--porcelain") == ""
            locks = {path.name for path in (self.store / ".git").rglob("*.lock")}
            assert locks <= {"ai-kb.lock", "ai-kb-sync.lock"}
            self.git("fsck", "--strict")
