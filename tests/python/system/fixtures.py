"""Worlds to begin with: empty, with a store, with a backup."""

from __future__ import annotations

import shutil

import pytest
from machines import machines
from world import ALPHA, BETA, World, note


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A store with three nodes (README, Alpha, and Beta that links to Alpha), made once."""
    world = World(tmp_path_factory.mktemp("template"))
    world.ok("init")
    world.write("alpha.org", note("Alpha", ALPHA, "principle", body="The first of two."))
    world.write(
        "beta.org", note("Beta", BETA, "procedure", body=f"See [[id:{ALPHA}][Alpha]] first.")
    )
    world.ok("commit", "-m", "two nodes")
    return world


@pytest.fixture
def empty(tmp_path):
    """A world without a store."""
    return World(tmp_path)


@pytest.fixture
def world(template, tmp_path):
    """A world with a store of three nodes."""
    copy = World(tmp_path)
    copy.store.parent.mkdir(parents=True)
    shutil.copytree(template.store, copy.store, symlinks=True)
    return copy


@pytest.fixture
def backed_up(world):
    """The same, with a bare repository as its remote, up to date."""
    world.add_remote()
    return world


@pytest.fixture
def pair(template, tmp_path):
    """Two machines with one store and remote, in step."""
    return machines(template, tmp_path)
