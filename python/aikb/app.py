"""The only file that builds concrete sources and tools and hands them to jobs."""

from __future__ import annotations

import contextlib
import os
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from aikb.config import (
    JOURNAL,
    SETTINGS_FILE,
    UserConfig,
    cache_file,
    config_file,
    find_places,
    find_vault,
    read_settings,
    read_user,
)
from aikb.errors import AikbError, ConfigError, StoreError, StoreMissingError, VaultMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from aikb.config import Places, Settings
    from aikb.formats.org.document import Document
    from aikb.model import Finding, Link, Note
    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.sources.org_store import OrgStore
    from aikb.tools.emacs import Emacs
    from aikb.tools.folder import Repository
    from aikb.tools.git import Git
    from aikb.writing.sync import Sync
    from aikb.writing.write import WritePath


class Collection:
    """What a store and a vault share: where they are, how they behave, and what a kill left."""

    env: Mapping[str, str]
    places: Places
    root: str

    @cached_property
    @abstractmethod
    def git(self) -> Repository:
        """Its repository, or a folder without one."""

    @cached_property
    @abstractmethod
    def write_path(self) -> WritePath:
        """The one way in."""

    @cached_property
    def settings(self) -> Settings:
        """The collection's own settings.

        Raises:
            ConfigError: its ``ai-kb.toml`` is wrong.
        """
        return read_settings(_text_of(os.path.join(self.root, SETTINGS_FILE)))

    def settle_for_less(self) -> tuple[Finding, ...]:
        """Go on by the last commit's settings, or default ones, where those on disk cannot be read.

        For a sync alone, which may bring a file of settings that is good again; says so.
        """
        try:
            _ = self.settings
        except ConfigError as error:
            from aikb.model import Finding

            found, which = read_settings(None), "default settings"
            with contextlib.suppress(AikbError):
                if self.git.has_history and (data := self.git.show("HEAD", SETTINGS_FILE)):
                    found = read_settings(data.decode("utf-8", "replace"))
                    which = "the last commit's settings"
            self.__dict__["settings"] = found
            words = f"{error.message}; this sync goes by {which}"
            return (Finding(SETTINGS_FILE, 1, "warning", "other-settings", words),)
        return ()

    def repair(self) -> str | None:
        """Bring a killed writer's work to its end, if that can be done now; says what was done."""
        if not os.path.isdir(os.path.join(self.root, JOURNAL)):
            return None
        try:
            return self.write_path.repair()
        except AikbError:  # another writer is at work, or only a write can say what is wrong
            return None


class App(Collection):
    """One run of a command: where things are, and the objects it needs, each made when asked for."""

    def __init__(self, env: Mapping[str, str], store: str | None = None) -> None:
        self.env = env
        self.places = find_places(env, store)
        self.root = self.places.store
        self._warm: Emacs | None = None

    @cached_property
    def store(self) -> OrgStore:
        """The org store with its cache.

        Raises:
            StoreMissingError: there is no such directory.
        """
        from aikb.sources.org_store import OrgStore
        from aikb.tools.sqlite import NoteCache

        if not os.path.isdir(self.root):
            raise StoreMissingError(self.root)
        path = cache_file(self.places, os.path.realpath(self.root))
        return OrgStore(self.root, NoteCache(path))

    @cached_property
    def git(self) -> Git:
        """The store's repository."""
        from aikb.tools.git import Git

        return Git(self.root, self.env)

    def emacs(self) -> Emacs:
        """A batch Emacs, not started yet unless :meth:`warm_up` was called."""
        from aikb.tools.emacs import Emacs

        session, self._warm = self._warm, None
        return session or Emacs(self.env, self.settings.lint_seconds)

    def warm_up(self) -> None:
        """Start the Emacs that a write will ask: it loads Org while we still import the rest.

        If nothing comes of the write, the end of our process ends it too.

        Raises:
            EmacsError: there is no Emacs to start.
        """
        session = self.emacs()
        session.start()
        self._warm = session

    @cached_property
    def write_path(self) -> WritePath:
        """The one way in."""
        from aikb.writing.checks import Checks
        from aikb.writing.write import WritePath

        gate = Checks(self.store, self.settings, self.backlinks, self.git.blobs)
        path = WritePath(
            self.store, self.git, self.settings, gate, self.emacs, self.new_id, self.announce
        )
        path.catch_up = lambda: self.sync(path).catch_up()
        return path

    def sync(self, path: WritePath | None = None) -> Sync:
        """What brings the store and its remote together."""
        import time

        from aikb.sources.org_merge import OrgMerge
        from aikb.tools.git_format import Identity
        from aikb.writing.sync import Sync

        def notes() -> OrgMerge:
            who = Identity.of_config(self.git.config()).name
            return OrgMerge(self.store, self.new_id, time.strftime("%Y-%m-%d"), who)

        told = () if path else self.settle_for_less()
        return Sync(path or self.write_path, self.git, notes, told=told)

    def announce(self) -> None:
        """Tell a running Emacs, if there is one, that the store has changed."""
        from aikb.tools.emacsclient import ask_to_sync

        ask_to_sync(self.env, self.root)

    @staticmethod
    def new_id() -> str:
        """A new node's id: a random UUID."""
        import uuid

        return str(uuid.uuid4())

    def document(self, path: str) -> Document:
        """A file of the store."""
        from aikb.formats.org.document import Document

        return Document(path, self.store.read(path))

    def resolve(self, name: str) -> Note:
        """The node that a person means.

        Raises:
            NodeNotFoundError, AmbiguousNodeError: none or several.
        """
        from aikb.links.graph import resolve

        if name.startswith(("/", "./")):
            real = os.path.realpath(name)
            name = os.path.relpath(real, os.path.realpath(self.root))
        return resolve(name, self.store.snapshot().notes)

    def backlinks(self, node_id: str) -> Iterator[Link]:
        """The id links that lead to a node, from the files as they are now."""
        from aikb.links.graph import links_to
        from aikb.sources.org_index import is_generated, is_index_page
        from aikb.tools.ripgrep import files_with

        for path in files_with(self.root, f"id:{node_id}", self.env):
            if path.startswith("raw/"):
                continue
            document = self.document(path)
            if is_index_page(path) and is_generated(document.data):
                continue
            yield from links_to([document], node_id)


class VaultApp(Collection):
    """As :class:`App`, for the vault of Markdown notes (10-sb-findability-plan.md)."""

    def __init__(self, env: Mapping[str, str], vault: str | None = None) -> None:
        self.env = env
        self.root = find_vault(env, self.user, vault)
        try:
            self.places = find_places(env)
        except ConfigError:  # a vault needs no store
            self.places = find_places(env, self.root)

    @cached_property
    def user(self) -> UserConfig:
        """The person's own configuration.

        Raises:
            ConfigError: it is wrong.
        """
        path = config_file(self.env)
        return read_user(_text_of(path), path)

    @cached_property
    def source(self) -> MarkdownVault:
        """The vault with its cache.

        Raises:
            StoreMissingError: there is no such directory.
        """
        from aikb.sources.markdown_vault import MarkdownVault
        from aikb.tools.sqlite import NoteCache

        self.check_is_there()
        path = cache_file(self.places, os.path.realpath(self.root))
        homeless = path.startswith(f"{self.root}/")  # and nothing is put among a person's notes
        return MarkdownVault(self.root, None if homeless else NoteCache(path))

    def check_is_there(self) -> None:
        """Nothing.

        Raises:
            VaultMissingError: there is no such directory.
        """
        if not os.path.isdir(self.root):
            raise VaultMissingError(self.root, is_file=os.path.exists(self.root))

    @cached_property
    def git(self) -> Repository:
        """The vault's repository, or a folder without one."""
        from aikb.tools.folder import PlainFolder
        from aikb.tools.git import Git

        git = Git(self.root, self.env, lists_ignored=True)  # people keep private notes there
        return git if git.exists() else PlainFolder(self.root)

    @cached_property
    def write_path(self) -> WritePath:
        """The one way in."""
        from aikb.writing.reader import NoReader
        from aikb.writing.vault_checks import VaultChecks
        from aikb.writing.write import WritePath

        gate = VaultChecks(self.source, self.settings, self.git.blobs)
        path = WritePath(self.source, self.git, self.settings, gate, NoReader, lambda: "")
        path.program = "ai-kb vault"
        if self.git.has_history:
            path.catch_up = lambda: self.sync(path).catch_up()
        return path

    def sync(self, path: WritePath | None = None) -> Sync:
        """What brings the vault and its remote together.

        Raises:
            StoreError: the vault is no git repository.
        """
        import time

        from aikb.sources.vault_merge import VaultMerge
        from aikb.writing.sync import Sync

        told = () if path else self.settle_for_less()
        path, git = path or self.write_path, self.git
        if not git.has_history:
            raise StoreError(
                f"'{self.root}' is no git repository, and has no other machine to sync with",
                "`ai-kb vault init` makes it one.",
            )
        today = time.strftime("%Y-%m-%d")
        return Sync(path, git, lambda: VaultMerge(self.source, today), "ai-kb vault sync", told)


def _text_of(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None
