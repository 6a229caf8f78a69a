"""A vault on a disk that is full or read-only: reading goes on, writing is refused and leaves all as it was."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from test_fail_disk import mounted, root_only
from vault_world import VaultWorld, markdown

NEW = ("vault", "new", "--type", "reference", "--title", "T", "--tags", "t", "--body-file", "-")
pytestmark = root_only


@pytest.fixture(params=["git", "plain"])
def on_disk(request, vault_template, tmp_path):
    """A vault of either kind on a file system of two megabytes of its own."""
    world = VaultWorld(tmp_path, git=False)
    with mounted(world.store, "-t", "tmpfs", "-o", "size=2m", "tmpfs"):
        if request.param == "git":
            shutil.copytree(vault_template, world.store, symlinks=True, dirs_exist_ok=True)
        world.write("a.md", markdown("A", "x"))
        world.ok("vault", "commit")
        world.ok("vault", "index")
        yield world


def tree(world):
    """Every file but what git and ai-kb keep for themselves."""
    return {
        path: path.read_bytes()
        for path in sorted(world.store.rglob("*"))
        if path.is_file() and not {".git", ".ai-kb"} & set(path.parts)
    }


def test_a_read_only_disk_is_read_and_never_written(on_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(on_disk.store)], check=True)
    before = tree(on_disk)
    assert on_disk.ok("vault", "find", "x").out == "- a.md: A - Some words.\n"
    assert "# A" in on_disk.ok("vault", "recall", "a").out
    on_disk.ok("vault", "index", "--check")
    on_disk.ok("vault", "status")
    for words in (NEW, ("vault", "index"), ("vault", "commit")):
        ran = on_disk.run(*words, stdin="Words.")
        assert ran.code == 1, ran
        assert "Read-only file system" in ran.err
        assert "Traceback" not in ran.err
    assert tree(on_disk) == before


@pytest.mark.parametrize("leave", [0, 8, 24])
def test_a_full_disk_leaves_all_as_it_was(on_disk, leave):
    free = os.statvfs(on_disk.store).f_bavail * os.statvfs(on_disk.store).f_frsize
    (on_disk.store / ".ballast").write_bytes(bytes(max(0, free - (leave << 10))))
    before = tree(on_disk)

    ran = on_disk.run(*NEW, stdin="Long enough. " * 2_000)

    assert ran.code in {0, 1}, ran
    assert "Traceback" not in ran.err
    if ran.code == 1:
        assert tree(on_disk) == before
    (on_disk.store / ".ballast").unlink()
    on_disk.ok("vault", "find", "t")
    assert len(on_disk.paths("t")) == (ran.code == 0)
    assert (on_disk.store / "reference/t.md").exists() == (ran.code == 0)
