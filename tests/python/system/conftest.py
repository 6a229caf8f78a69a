"""Worlds of their own for tests that run the command line with real git, Emacs and ripgrep."""

from __future__ import annotations

import pytest
from disks import small_disk  # noqa: F401
from fixtures import backed_up, empty, pair, template, world  # noqa: F401
from vault_world import VaultWorld


@pytest.fixture(scope="session")
def vault_template(tmp_path_factory):
    """A vault in a repository, with one note; made once."""
    return VaultWorld(tmp_path_factory.mktemp("vault-template")).store


@pytest.fixture
def repository(vault_template, tmp_path):
    """A vault that is a repository, with one committed note."""
    return VaultWorld(tmp_path, like=vault_template)


@pytest.fixture
def plain(tmp_path):
    """An empty vault that is no repository."""
    return VaultWorld(tmp_path, git=False)


@pytest.fixture(params=["git", "plain"])
def vault(request):
    """A vault of either kind."""
    return request.getfixturevalue("repository" if request.param == "git" else "plain")
