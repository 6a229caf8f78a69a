"""Worlds of their own for tests that run the command line with real git, Emacs and ripgrep."""

from __future__ import annotations

from disks import small_disk  # noqa: F401
from fixtures import backed_up, empty, template, world  # noqa: F401
