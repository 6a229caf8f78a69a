"""Make a store, or adopt one (ai-kb.org, "Provisioning"): safe to run again at any time."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.errors import StoreError
from aikb.formats.org.write import render_node
from aikb.model import Change, Draft
from aikb.provision.clone import BRANCH, check_out, clone
from aikb.provision.hook import driver, install_hook
from aikb.sources.org_index import INDEX, is_generated, is_note_path
from aikb.sync.push import Sender, push
from aikb.sync.remote import REMOTE, remote_url
from aikb.tools.git_format import shown_url
from aikb.writing.files import FOLDER_MODE, read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aikb.config import Settings
    from aikb.tools.git import Git
    from aikb.writing.ground import Ground
    from aikb.writing.write import WritePath

VERSION_KEY = "ai-kb.version"
_SETTINGS = {
    "core.autocrlf": "false",
    "core.symlinks": "false",
    "core.fsmonitor": "false",
    "core.sharedRepository": "0600",
    "core.hooksPath": ".git/hooks",
    "merge.ai-kb-generated.driver": "true",  # keep ours: `ai-kb index` makes it anew
    "merge.ai-kb-generated.name": "generated pages of ai-kb",
    "merge.ai-kb-node.name": "nodes of ai-kb, property by property",
    VERSION_KEY: "1",
}
README = "README.org"
_ATTRIBUTES = """# Bytes are kept as they are: no line-end conversion on any machine.
* -text
*.org merge=ai-kb-node
raw/** -merge
index.org merge=ai-kb-generated
index-*.org merge=ai-kb-generated
"""
_FORMER = {
    ".gitattributes": _ATTRIBUTES.replace("*.org merge=ai-kb-node\nraw/** -merge\n", "").encode(),
}
_IGNORED = """# What editors and ai-kb leave beside notes.
.ai-kb/
*~
.#*
\\#*#
*.elc
.DS_Store
"""
_README_TITLE = "About this knowledge base"
_README_BODY = """\
This is a memory that coding agents share across projects: one node a file, kept in git by ~ai-kb~.
Every node here was checked before it was committed, and [[id:{index}][the index]] lists them all.

- Find a node :: ~ai-kb find WORD~, then ~ai-kb show ID~.
- Write one :: ~ai-kb new --type TYPE --title TITLE --body-file -~, or write a file and run
  ~ai-kb commit~.
- Types :: principle, preference, procedure, observation, reference.

Private is not secret: no passwords, tokens or keys stand in a node.
"""


def local_settings(program: str) -> dict[str, str]:
    """What the repository's own configuration must say; git calls *program* to merge nodes."""
    return {**_SETTINGS, "merge.ai-kb-node.driver": driver(program)}


class Step(NamedTuple):
    """One thing that set-up did: ``writing``, ``skipping`` or ``refusing``, what, and why or how."""

    verb: str
    what: str
    detail: str

    def render(self) -> str:
        """The line that a person reads."""
        return f"{self.verb} {self.what}: {self.detail}"


class Initializer:
    """Brings a directory to where it is a whole store, one step after the other."""

    def __init__(
        self,
        git: Git,
        write_path: Callable[[], WritePath],
        new_id: Callable[[], str],
        program: str,
        settings: Callable[[], Settings],
    ) -> None:
        self.git = git
        self.root = git.root
        self._write_path = write_path
        self._new_id = new_id
        self._program = program
        self._settings = settings

    def run(self, origin: str | None, *, adopt: bool) -> Iterator[Step]:
        """All steps, each yielded when it is done.

        Raises:
            StoreError: the directory is something else, and was left untouched.
            GitError: the origin cannot be cloned; what was begun is gone again.
        """
        yield self._repository(origin, adopt=adopt)
        yield from self._git_settings()
        yield install_hook(self.git, self._program)
        if origin:
            yield self._remote(origin)
        yield from self._seed()
        yield self._backup()

    # -- the repository

    def _repository(self, origin: str | None, *, adopt: bool) -> Step:
        if os.path.lexists(self.root) and not os.path.isdir(self.root):
            raise StoreError(f"'{self.root}' is a file", "Set AI_KB_HOME to another place.")
        if self.git.exists():
            if not (adopt or self._is_ours()):
                raise StoreError(
                    f"'{self.root}' is a git repository that ai-kb did not make",
                    "If its notes shall become the store, run `ai-kb init --adopt`; "
                    "else set AI_KB_HOME to another place.",
                )
            os.chmod(self.root, FOLDER_MODE)
            check_out(self.git)
            return Step("skipping", self.root, "already a repository")
        if os.path.isdir(self.root) and os.listdir(self.root):
            raise StoreError(
                f"'{self.root}' is not empty and is no store",
                "Nothing was touched. Set AI_KB_HOME to another place, or move what is there.",
            )
        if origin:
            words = clone(self.git, origin, lambda: adopt or self._is_ours())
            return Step("writing", self.root, words)
        os.makedirs(self.root, FOLDER_MODE, exist_ok=True)
        os.chmod(self.root, FOLDER_MODE)
        self.git.ask("init", "--quiet", f"--initial-branch={BRANCH}")
        return Step("writing", self.root, "a new repository")

    def _is_ours(self) -> bool:
        if VERSION_KEY in self.git.config() or self.git.head() is None:
            return True
        data = self.git.show("HEAD", INDEX)
        return data is not None and is_generated(data)

    def _git_settings(self) -> Iterator[Step]:
        out = self.git.run("config", "--local", "--null", "--list").out.decode("utf-8", "replace")
        have = dict(entry.partition("\n")[::2] for entry in out.split("\0") if entry)
        wanted = local_settings(self._program)
        missing = {k: v for k, v in wanted.items() if have.get(k.lower()) != v}
        for name, value in missing.items():
            self.git.set_config(name, value)
        if missing:
            yield Step("writing", "git settings", ", ".join(sorted(missing)))
        else:
            yield Step("skipping", "git settings", "already set")

    def _remote(self, origin: str) -> Step:
        known = remote_url(self.git)
        if known == origin:
            return Step("skipping", "remote", f"already {shown_url(origin)}")
        if known:
            return Step(
                "refusing", "remote",
                f"it is {shown_url(known)}, not {shown_url(origin)}; `ai-kb remote URL` changes it",
            )  # fmt: skip
        self.git.set_remote(REMOTE, origin)
        return Step("writing", "remote", shown_url(origin))

    # -- first notes

    def _seed(self) -> Iterator[Step]:
        missing: dict[str, bytes] = {}
        for path, text in ((".gitattributes", _ATTRIBUTES), (".gitignore", _IGNORED)):
            if read_or_none(self.root, path) is None or self._is_former(path):
                missing[path] = text.encode()
        index_id = self._new_id()
        if read_or_none(self.root, README) is None and not self._has_notes():
            missing[README] = self._readme(index_id)
        has_index = read_or_none(self.root, INDEX) is not None
        written: tuple[str, ...] = ()
        if missing or not has_index:
            written = self._write(missing, index_id)
        for path in (".gitattributes", ".gitignore", README, INDEX):
            if path in written:
                yield Step("writing", path, "new")
            elif read_or_none(self.root, path) is not None:
                yield Step("skipping", path, "already there")

    def _is_former(self, path: str) -> bool:
        """Whether a file is as an earlier version of ai-kb made it."""
        return read_or_none(self.root, path) == _FORMER.get(path)

    def _has_notes(self) -> bool:
        return any(name.endswith(".org") for name in os.listdir(self.root))

    def _readme(self, index_id: str) -> bytes:
        today = time.strftime("%Y-%m-%d")
        draft = Draft(
            _README_TITLE, "reference", source="ai-kb init",
            body=_README_BODY.format(index=index_id),
        )  # fmt: skip
        return render_node(draft, self._new_id(), today).encode()

    def _write(self, missing: dict[str, bytes], index_id: str) -> tuple[str, ...]:
        path = self._write_path()
        path.index_id = index_id

        def propose(_: Ground) -> Proposal:
            changes = tuple(
                Change(name, read_or_none(self.root, name), data) for name, data in missing.items()
            )
            return Proposal(changes, "init: seed the store")

        return path.write(propose, lints=README in missing).paths

    def _backup(self) -> Step:
        url = remote_url(self.git)
        if not url:
            return Step(
                "skipping", "backup",
                "not backed up: the store is on this machine alone; `ai-kb remote URL` adds a remote",
            )  # fmt: skip
        branch = self.git.branch() or BRANCH
        pushed = push(self.git, branch, self._settings().push_seconds, Sender(is_note_path))
        if pushed.state == "pushed":
            return Step("skipping", "backup", f"already at {shown_url(url)}")
        rest = "" if "`" in pushed.detail else "; `ai-kb push` tries it at once"
        return Step("refusing", "backup", f"{pushed.detail}{rest}")
