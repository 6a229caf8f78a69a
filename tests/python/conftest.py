"""What every test gets: a home, a configuration and a git of its own."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_KEPT = frozenset({"PATH", "LANG", "LC_ALL", "TERM", "TZ", "PYTHONPATH", "AI_KB_CORPORA", "CI"})
_LIKE = ("HYPOTHESIS_", "PYTEST_", "COVERAGE_")

# A job in the background is deaf to Ctrl-C, and so would be every command that a test stops.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_world(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment in which nothing of the person who runs the tests can be reached.

    Everything but a short list of variables is dropped, so that no ``AI_KB_*``, ``GIT_*``,
    ``XDG_*`` or ``SSH_*`` of theirs, known today or not, can lead a test to their store.
    """
    home = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name not in _KEPT and not name.startswith(_LIKE):
            monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home),
        "TMPDIR": str(tmp_path_factory.getbasetemp()),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CEILING_DIRECTORIES": str(tmp_path_factory.getbasetemp()),
        "GIT_TERMINAL_PROMPT": "0",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(home)
    return home
