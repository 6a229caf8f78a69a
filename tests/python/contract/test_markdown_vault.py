"""The vault on disk keeps the contract, with and without its cache, and what only a vault promises."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

import builders
from aikb.config import Settings
from aikb.errors import NoteNotFoundError, VaultMissingError
from aikb.sources.markdown_vault import MarkdownVault
from aikb.tools.sqlite import NoteCache
from contract.note_source import NOTES, NoteSourceContract

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from aikb.model import Note


class TestMarkdownVault(NoteSourceContract):
    has_ids = False
    sections_are_types = False

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.root = tmp_path / "My vault \u00fc"
        self.root.mkdir()

    def cache(self) -> NoteCache | None:
        return None

    def adapted(self, note: Note) -> Note:
        path = note.path.replace(".org", ".md")
        return note._replace(path=path, id=path.removesuffix(".md"))

    def source(self, notes: Sequence[Note]) -> MarkdownVault:
        for note in notes:
            self.put(self.adapted(note).path, builders.markdown_text(note))
        return MarkdownVault(str(self.root), self.cache())

    def put(self, path: str, text: str | bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def codes(self) -> list[tuple[str, int, str]]:
        return [(f.path, f.line, f.code) for f in self.source(()).snapshot().findings]

    def test_a_changed_file_is_read_again_and_a_removed_one_is_gone(self) -> None:
        source = self.source(NOTES)
        source.snapshot()
        self.put("00001.md", "# Other\n")
        os.unlink(self.root / "sub" / "00004.md")
        os.unlink(self.root / self.adapted(NOTES[2]).path)

        assert {note.title for note in source.snapshot().notes} == {"Other", "\u77e5\u8bc6"}

    def test_what_is_no_note_is_left_out(self) -> None:
        for path in (
            ".obsidian/a.md", ".trash/a.md", ".git/a.md", ".hidden.md", "templates/a.md",
            "sub/Templates/a.md", "_templates/deep/a.md", "node_modules/p/README.md", "a.txt",
            "a.md~", "Meta/Forms/daily.md", "Journal form.md", "Snippets/a.md",
        ):  # fmt: skip
            self.put(path, "# No note\n")
        self.put(".obsidian/templates.json", json.dumps({"folder": "/Meta/Forms/"}))
        self.put(".obsidian/daily-notes.json", json.dumps({"template": "Journal form"}))
        self.put(
            ".obsidian/plugins/templater-obsidian/data.json", '{"templates_folder": "Snippets"}'
        )
        self.put("raw/kept.md", "# Kept\n")
        self.put("Meta/kept.MD", "# Also kept\n")

        snapshot = self.source(()).snapshot()

        assert sorted(snapshot.files) == ["Meta/kept.MD", "raw/kept.md"]
        source = self.source(())
        assert source.is_note_path("raw/kept.md")
        for path in ("templates/a.md", "Meta/Forms/daily.md", ".trash/a.md", "Journal form.md"):
            assert not source.is_note_path(path), path

    def test_settings_of_a_vault_that_are_broken_leave_nothing_out(self) -> None:
        self.put(".obsidian/templates.json", "{" * 5000)
        self.put(".obsidian/daily-notes.json", '["template"]')
        self.put("a.md", "# Kept\n")

        assert list(self.source(()).snapshot().files) == ["a.md"]

    def test_links_and_odd_names_are_told_and_not_read(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "secret.md").write_text("# Secret\n")
        (self.root / "link.md").symlink_to(outside / "secret.md")
        (self.root / "folder").symlink_to(outside)
        with open(os.fsencode(self.root) + b"/caf\xe9.md", "wb") as file:
            file.write(b"# Odd\n")

        assert self.source(()).snapshot().notes == []
        assert sorted(self.codes()) == [
            ("caf\\udce9.md", 1, "file-name"),
            ("folder", 1, "symbolic-link"),
            ("link.md", 1, "symbolic-link"),
        ]

    def test_names_that_differ_in_their_suffix_are_two_notes(self) -> None:
        self.put("a.md", "---\ntags: x\n---\nOne.\n")
        self.put("a.MD", "---\ntags: x\n---\nTwo.\n")

        assert [note.id for note in self.source(()).snapshot().notes] == ["a.MD", "a"]
        listed = json.loads(self.pages(())["vault-index.json"])["x"]
        assert [(e["path"], e["summary"]) for e in listed] == [("a.md", "One."), ("a.MD", "Two.")]

    def test_what_cannot_be_read_as_it_was_meant_is_told_each_time(self) -> None:
        self.put("good.md", "---\ntags: a\n---\nText.\n")
        self.put("bad.md", "---\ntags: [a\n---\nText #b here.\n")
        self.put("latin.md", b"# Caf\xe9\n")
        self.put("nul.md", b"# Nul\n\0\n")
        source = self.source(())

        for _ in range(2):
            assert [(f.path, f.code) for f in source.snapshot().findings] == [
                ("bad.md", "front-matter-invalid"),
                ("latin.md", "not-utf8"),
                ("nul.md", "nul"),
            ]
            assert [n.tags for n in source.snapshot().notes] == [("b",), ("a",), (), ()]

    def test_a_file_without_permission_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.put("a.md", "# Kept\n")
        self.put("b.md", "# Closed\n")
        opened = os.open

        def refuse(path: str, *rest: int, **more: object) -> int:
            if str(path).endswith("b.md"):
                raise PermissionError(13, "Permission denied", path)
            return opened(path, *rest, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(os, "open", refuse)
        assert self.codes() == [("b.md", 1, "unreadable")]

    def test_no_vault_and_no_note_are_named(self) -> None:
        with pytest.raises(VaultMissingError, match="no vault at"):
            MarkdownVault(str(self.root / "nowhere")).snapshot()
        with pytest.raises(NoteNotFoundError, match=r"no note is called 'a\.md'"):
            self.source(()).read("a.md")

    def test_the_index_is_a_list_of_notes_for_each_tag(self) -> None:
        self.put("b.md", "---\ntags: [b/c, a]\n---\nOne. Two. Three.\n")
        self.put("a.md", '---\ntitle: \u4e00 "q"\nstatus: superseded\ntags: a\n---\nGone.\n')
        self.put("sub/c.md", "# See #a\n")
        self.put("d.md", "# No tags\n")

        pages = self.pages(())

        assert pages == {
            "vault-index.json": "{\n"
            ' "a": [\n'
            '  {"path": "b.md", "title": "b", "summary": "One. Two."},\n'
            '  {"path": "sub/c.md", "title": "See a", "summary": ""}\n'
            " ],\n"
            ' "b/c": [\n'
            '  {"path": "b.md", "title": "b", "summary": "One. Two."}\n'
            " ]\n"
            "}\n"
        }

    def test_the_index_of_nothing_is_an_empty_object(self) -> None:
        assert self.pages(()) == {"vault-index.json": "{}\n"}

    def test_what_no_eye_sees_is_escaped_in_the_index(self) -> None:
        self.put("b.md", "---\ntags: a\n---\nx \x1b[31m\u202ey\u200b\u00e9\u2028z.\n")

        page = self.pages(())["vault-index.json"]

        assert not set(page) & set("\x1b\u202e\u200b\u2028")
        assert json.loads(page)["a"][0]["summary"].startswith("x \x1b[31m\u202ey\u200b\u00e9")

    def test_a_page_of_ours_is_known_and_another_is_not(self) -> None:
        source = self.source(NOTES)
        page = source.render_index(
            source.build_index(source.snapshot(), Settings()), Settings(), ""
        )["vault-index.json"].encode()
        merged = page.replace(b"{\n", b"{\n<<<<<<< HEAD\n", 1)
        pretty = json.dumps({"a": [{"title": "t", "path": "p", "summary": ""}]}, indent=4)

        for data in (page, b"{}\n", merged, pretty.encode(), b' {"x": []}'):
            assert source.is_generated("vault-index.json", data), data
        for data in (b"", b"[]", b'{"a": 1}', b'{"name": "mine", "tags": []}', b"# Notes\n"):
            assert not source.is_generated("vault-index.json", data), data
        assert not source.is_generated("sub/vault-index.json", page)

    def test_the_index_on_disk_is_ours_empty_or_somebody_elses(self) -> None:
        source = self.source(())
        assert source.index_files() == ({}, [])
        self.put("vault-index.json", "\n")
        assert source.index_files() == ({"vault-index.json": b"\n"}, [])
        self.put("vault-index.json", '{"mine": 1}')
        assert source.index_files() == ({}, ["vault-index.json"])
        os.unlink(self.root / "vault-index.json")
        (self.root / "vault-index.json").symlink_to("elsewhere")
        assert source.index_files() == ({}, ["vault-index.json"])


class TestMarkdownVaultWithCache(TestMarkdownVault):
    def cache(self) -> NoteCache | None:
        return NoteCache(str(self.root.parent / "cache" / "notes.db"))

    def test_a_broken_cache_changes_nothing(self) -> None:
        expected = self.source(NOTES).snapshot()
        path = self.root.parent / "cache" / "notes.db"
        path.write_bytes(b"no database")

        assert self.source(()).snapshot() == expected
        assert MarkdownVault(str(self.root), self.cache()).snapshot() == expected

    def test_only_what_changed_is_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        source = self.source(NOTES)
        for state in source.scan().files:
            os.utime(self.root / state.path, (1e9, 1e9))
        import time

        moment = time.time_ns()
        monkeypatch.setattr(time, "time_ns", lambda: moment + 10**9)
        source.snapshot()
        self.put("new.md", "# New\n")
        read: list[str] = []
        plain = MarkdownVault.read
        monkeypatch.setattr(
            MarkdownVault, "read", lambda self, path: (read.append(path), plain(self, path))[1]
        )

        again = MarkdownVault(str(self.root), self.cache()).snapshot()

        assert read == ["new.md"]
        assert len(again.notes) == 5
