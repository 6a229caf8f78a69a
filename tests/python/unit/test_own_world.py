"""No test can reach the home, the store or the git configuration of whoever runs it."""

from __future__ import annotations

import os
import pwd
import subprocess
from typing import TYPE_CHECKING

from aikb.config import find_places

if TYPE_CHECKING:
    from pathlib import Path


def test_home_and_all_that_follows_from_it_is_a_tests_own(own_world: Path) -> None:
    real = pwd.getpwuid(os.getuid()).pw_dir

    for place in find_places(os.environ):
        assert place.startswith(str(own_world))
        assert not place.startswith(real + "/.")
    assert os.path.expanduser("~") == str(own_world)
    assert os.getcwd() == str(own_world)


def test_nothing_personal_is_left_in_the_environment() -> None:
    left = [name for name in os.environ if name.startswith(("AI_KB_", "SSH_", "EMACS", "DBUS_"))]

    assert set(left) <= {"AI_KB_CORPORA"}
    assert {n for n in os.environ if n.startswith("GIT_")} == {
        "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_TERMINAL_PROMPT",
    }  # fmt: skip


def test_git_has_no_configuration_but_a_tests_own() -> None:
    told = subprocess.run(
        ["git", "config", "--show-origin", "--list"], capture_output=True, text=True, check=False
    )

    assert told.stdout == ""
