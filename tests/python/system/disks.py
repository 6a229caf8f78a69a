"""File systems of a test's own: small, full, read-only."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess

import pytest
from world import World

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="mounts need root")


@contextlib.contextmanager
def mounted(place, *options):
    """A file system of its own at a directory; skipped where that is not allowed."""
    if subprocess.run(["mount", *options, str(place)], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def small_disk(template, tmp_path):
    """A store on a disk of two megabytes."""
    world = World(tmp_path, tmp_path / "disk/store")
    world.store.parent.mkdir()
    with mounted(world.store.parent, "-t", "tmpfs", "-o", "size=2m", "tmpfs"):
        shutil.copytree(template.store, world.store, symlinks=True)
        yield world


def fill(world, leave):
    """Leave only some bytes free."""
    free = os.statvfs(world.store).f_bavail * os.statvfs(world.store).f_frsize
    (world.store.parent / "ballast").write_bytes(bytes(max(0, free - leave)))
