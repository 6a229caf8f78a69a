"""All findings about files, whoever wrote them; the same rules and Emacs as the write path's."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from aikb.errors import DiskError, UsageError
from aikb.formats.org.document import Document
from aikb.provision import secrets
from aikb.provision.captures import captures_on_disk, staged_captures
from aikb.rules import check_document, identity, own_files, sources
from aikb.rules.emacs import check_reading
from aikb.sources.captures import CAPTURES, has_capture
from aikb.sources.org_index import is_generated, is_index_page
from aikb.sources.scan import scan
from aikb.tools.secrets import SecondOpinion
from aikb.writing.proposals import may_commit

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from aikb.config import Settings
    from aikb.model import Finding, Link, Note, Snapshot
    from aikb.rules.secrets import Leaks
    from aikb.sources.org_store import OrgStore
    from aikb.tools.emacs import Emacs
    from aikb.tools.git import Git

_BATCH = 200


class Checker:
    """Checks without the lock and without changing anything."""

    def __init__(
        self,
        store: OrgStore,
        git: Git,
        emacs: Callable[[], Emacs],
        settings: Settings,
        backlinks: Callable[[str], Iterable[Link]],
    ) -> None:
        self.store = store
        self.git = git
        self.settings = settings
        self._emacs = emacs
        self._backlinks = backlinks

    def paths(self, paths: Sequence[str]) -> list[Finding]:
        """Files, and folders of them, by absolute path; those outside the store stand alone."""
        root = os.path.realpath(self.store.root)
        inside: dict[str, bytes] = {}
        outside: dict[str, bytes] = {}
        for path in paths:
            names = (
                [f"{path}/{s.path}" for s in scan(path).files] if os.path.isdir(path) else [path]
            )
            for name in names:
                if name.startswith(root + "/") and not os.path.isfile(name):
                    raise DiskError(f"'{name}' is no regular file", "Only plain files are notes.")
                try:
                    with open(name, "rb") as file:
                        data = file.read()
                except OSError as error:
                    raise DiskError(f"'{name}' cannot be read: {error.strerror}") from error
                if name.startswith(root + "/"):
                    inside[os.path.relpath(name, root)] = data
                else:
                    outside[name] = data
        if not inside and not outside:
            raise UsageError("there is no .org file in these folders")
        snapshot = self.store.snapshot()
        files = {**inside, **outside}
        findings = self._check(snapshot, self._notes_only(files))
        return self._with_secrets(findings, secrets.check(self.git, files))

    def text(self, path: str, data: bytes) -> list[Finding]:
        """A file as it would be with *data* in it, by absolute path: what an editor has in hand."""
        root = os.path.realpath(self.store.root)
        name = os.path.relpath(path, root) if path.startswith(root + "/") else path
        return self._check(self.store.snapshot(), self._notes_only({name: data}))

    def everything(self) -> list[Finding]:
        """The whole store, as it is on disk."""
        snapshot = self.store.snapshot()
        files = {state.path: self.store.read(state.path) for state in self.store.scan().files}
        findings = [*snapshot.findings, *self._check(snapshot, self._notes_only(files))]
        findings += captures_on_disk(self.git, everything=True)
        files |= self._others(files)
        findings += own_findings(files)
        leaks = secrets.check(self.git, files, opinion=SecondOpinion())
        return sorted(self._with_secrets(findings, leaks))

    def _others(self, notes: Container[str]) -> dict[str, bytes]:
        """What git keeps besides notes: captures, settings, generated pages."""
        if not self.git.exists():
            return {}
        names = self.git.ask("ls-files", "-z").decode("utf-8", "surrogateescape").split("\0")
        return self._read(name for name in names if name and name not in notes)

    def _read(self, names: Iterable[str]) -> dict[str, bytes]:
        """Those of the store's files that are there, and are files."""
        root = self.store.root
        return {
            name: self.store.read(name) for name in names
            if os.path.isfile(os.path.join(root, name)) and not os.path.islink(os.path.join(root, name))
        }  # fmt: skip

    def uncommitted(self) -> list[Finding]:
        """The notes that differ from HEAD."""
        if not self.git.exists():
            return self.everything()
        dirty = self.git.status().dirty
        files = self._read(p for p in dirty if may_commit(p) or own_files.is_obeyed(p))
        notes = {path: data for path, data in files.items() if path.endswith(".org")}
        findings = self._check(self.store.snapshot(), self._notes_only(notes))
        findings += [*own_findings(files), *captures_on_disk(self.git, everything=False)]
        return self._with_secrets(findings, secrets.check(self.git, files, compared=list(dirty)))

    def staged(self, index_file: str | None = None) -> list[Finding]:
        """The notes that git's index holds and HEAD does not, with the store as the index has it."""
        if index_file:
            self.git.env["GIT_INDEX_FILE"] = os.path.abspath(index_file)
        out = self.git.ask("diff", "--cached", "--name-status", "--no-renames", "-z")
        words = out.decode("utf-8", "surrogateescape").split("\0")
        changes = dict(zip(words[1::2], words[0::2], strict=False))
        removed = [path for path, kind in changes.items() if kind == "D" and path.endswith(".org")]
        names = [path for path, kind in changes.items() if kind != "D"]
        blobs = self.git.blobs([f":{path}" for path in names])
        files = {path: data or b"" for path, data in zip(names, blobs, strict=True)}
        notes = {path: data for path, data in files.items() if path.endswith(".org")}
        snapshot = self._as_staged()
        checked = self._check(snapshot, self._notes_only(notes), self._is_staged)
        findings = [*map(_as_final, checked), *self._removed(removed, snapshot)]
        findings += [*own_findings(files), *staged_captures(self.git)]
        leaks = secrets.check(
            self.git, files, compared=list(changes), opinion=SecondOpinion(), firmly=True
        )
        return self._with_secrets(findings, leaks)

    @cached_property
    def _staged_captures(self) -> frozenset[str]:
        out = self.git.ask("ls-files", "-z", "--", CAPTURES)
        return frozenset(out.decode("utf-8", "surrogateescape").split("\0"))

    def _is_staged(self, path: str) -> bool:
        return path in self._staged_captures

    def _with_secrets(self, findings: Iterable[Finding], leaks: Leaks) -> list[Finding]:
        """All findings in order, without any secret in their words."""
        unique = dict.fromkeys(leaks.blot([*findings, *leaks.findings]))
        return sorted(unique, key=lambda f: (f.path, f.line, f.severity, f.code))

    def _as_staged(self) -> Snapshot:
        """The disk's notes, with what differs between disk and index as the index has it."""
        snapshot = self.store.snapshot()
        notes = dict(snapshot.files)
        dirty = [path for path in self.git.status().dirty if path.endswith(".org")]
        for path, data in zip(dirty, self.git.blobs([f":{p}" for p in dirty]), strict=True):
            notes.pop(path, None)
            if data is not None:
                notes[path] = self.store.notes_of(path, data)
        return snapshot._replace(files=notes)

    def _removed(self, paths: Sequence[str], snapshot: Snapshot) -> list[Finding]:
        left = {note.id for note in snapshot.notes}
        findings: list[Finding] = []
        for path in paths:
            data = self.git.show("HEAD", path) or b""
            gone = {note.id for note in self.store.notes_of(path, data)} - left
            for node_id in gone:
                links = [link for link in self._backlinks(node_id) if link.path not in paths]
                findings += identity.check_referrers({node_id}, links)
        return findings

    def _notes_only(self, files: dict[str, bytes]) -> list[Document]:
        documents = []
        for path, data in sorted(files.items()):
            if path.startswith("raw/") or (is_index_page(path) and is_generated(data)):
                continue
            documents.append(Document(path, data))
        return documents

    def _check(
        self,
        snapshot: Snapshot,
        documents: list[Document],
        has: Callable[[str], bool] | None = None,
    ) -> list[Finding]:
        index_ids = {self.store.index_id()}
        files: dict[str, Sequence[Note]] = dict(snapshot.files)
        for document in documents:
            files[document.path] = self.store.notes_of(document.path, document.data)
        ids = {note.id for notes in files.values() for note in notes} | index_ids
        findings: list[Finding] = []
        sound = []
        for document in documents:
            found = check_document(document, self.settings.types)
            findings += found
            if not any(f.code in _NOT_FOR_EMACS for f in found):
                findings += identity.check_links(document, ids)
                findings += sources.check(document, has or self._has)
                sound.append(document)
        names = [document.path for document in documents]
        findings += [*identity.check_unique(files, names), *identity.check_names(files, names)]
        findings += self._ask_emacs(sound)
        unique = dict.fromkeys(findings)
        return sorted(unique, key=lambda f: (f.path, f.line, f.severity, f.code))

    def _has(self, path: str) -> bool:
        return has_capture(self.store.root, path)

    def _ask_emacs(self, documents: list[Document]) -> list[Finding]:
        """org-lint's findings, and where Emacs reads otherwise; in pieces, to bound each."""
        import tempfile

        findings: list[Finding] = []
        for start in range(0, len(documents), _BATCH):
            part = documents[start : start + _BATCH]
            with (
                tempfile.TemporaryDirectory(prefix="ai-kb-check-") as folder,
                self._emacs() as emacs,
            ):
                emacs.start()
                names = []
                for number, document in enumerate(part):
                    names.append(os.path.join(folder, f"{number}.txt"))
                    with open(names[-1], "wb") as file:
                        file.write(document.data)
                for document, reading in zip(part, emacs.read(names), strict=True):
                    findings += check_reading(document, reading)
        return findings


def own_findings(files: Mapping[str, bytes]) -> list[Finding]:
    """What is wrong with the store's own files among *files*."""
    return [finding for path, data in files.items() for finding in own_files.check(path, data)]


_NOT_FOR_EMACS = frozenset({
    "carriage-return", "empty-file", "file-too-large", "nul", "not-utf8", "too-deep",
    "keyword-setupfile", "keyword-include", "keyword-link", "file-variables", "header-argument",
})  # fmt: skip


def _as_final(finding: Finding) -> Finding:
    """A finding about what `git commit` takes as it is: nobody writes a short id out there."""
    if finding.code != "short-id":
        return finding
    message = (
        f"{finding.message.split(' is ')[0]} leads nowhere in Emacs; commit with `ai-kb commit`"
    )
    return finding._replace(severity="error", message=message)
