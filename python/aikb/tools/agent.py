"""The door to a headless agent: a question and material in, one JSON object out, within a bound on time.

``claude -p`` is called as facts/agent-hooks.md says: without tools, hooks, servers or a session that
is kept.  Any other command of a person's choice gets question and material on standard input and
answers with the object on standard output.  What comes back is somebody's text: it is only parsed here.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.tools.orphans import adopting
from aikb.tools.process import Result, run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LARGEST = 1 << 20  # bytes of an answer
_CLAUDE = "claude"
_FLAGS = (
    "-p", "--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--tools", "",
    "--max-turns", "2", "--permission-mode", "dontAsk", "--output-format", "json",
)  # fmt: skip
# Of the session that ends: a new agent that sees these takes itself for a part of it.
_DROPPED = frozenset({
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_ENV_FILE",
})  # fmt: skip


class Reply(NamedTuple):
    """What an agent answered; with a ``failure`` there is no answer."""

    value: Any
    failure: str = ""


class Agent:
    """A command that answers; ``name`` is its program."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self.command = list(command)
        self.env = {k: v for k, v in env.items() if k not in _DROPPED}
        self.name = os.path.basename(self.command[0])

    def ask(self, question: str, material: str, schema: Mapping[str, Any], seconds: float) -> Reply:
        """Put a question about some material; never raises for what the agent does.

        When *seconds* are over it is killed with everything that it started, and should we be killed
        before that, ``timeout`` ends it.
        """
        if self._is_claude():
            words = [*self.command, *_FLAGS, "--json-schema", json.dumps(schema), question]
            data = material
        else:
            words = self.command
            form = f"Answer with one JSON object of this schema:\n{json.dumps(schema)}"
            data = f"{question}\n\n{form}\n\n{material}"
        guard = shutil.which("timeout", path=self.env.get("PATH"))
        if guard:
            words = [guard, "--kill-after=1", f"{seconds + 1:.1f}", *words]
        try:
            result = _run(words, seconds, self.env, data.encode("utf-8", "replace"))
        except OSError as error:
            return Reply(None, f"{self.name} cannot be started: {error.strerror}")
        if result.timed_out:
            return Reply(None, f"{self.name} gave no answer within {seconds:.0f} s")
        if len(result.out) > LARGEST:
            return Reply(None, f"{self.name} answered with more than {LARGEST >> 20} MiB")
        return self._read(result.out.decode("utf-8", "replace"), result.ok, result.reason)

    def _is_claude(self) -> bool:
        return self.name == _CLAUDE

    def _read(self, text: str, good: bool, reason: str) -> Reply:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            why = f"{self.name} failed: {reason}" if not good else f"{self.name} gave no JSON"
            return Reply(None, why)
        if isinstance(value, dict) and value.get("is_error"):
            said = value.get("result")
            why = said if isinstance(said, str) and said else value.get("subtype") or "no reason"
            return Reply(None, f"{self.name} says: {why}"[:300])
        if not good:
            return Reply(None, f"{self.name} failed: {reason}")
        if isinstance(value, dict) and "structured_output" in value:
            return Reply(value["structured_output"])
        if self._is_claude():
            return Reply(None, f"{self.name} gave no structured answer")
        return Reply(value)


def _run(words: Sequence[str], seconds: float, env: Mapping[str, str], data: bytes) -> Result:
    """Run an agent; of one that is late nothing lives on, whatever session it went into."""
    with adopting() as kill_orphans:
        try:
            result = run(words, seconds=seconds, env=env, cwd="/", data=data)
        except BaseException:
            kill_orphans()
            raise
        if result.timed_out:
            kill_orphans()
        return result


def find_agent(command: Sequence[str] | None, env: Mapping[str, str]) -> Agent | None:
    """The agent that is configured (None: ``claude``, if it is on PATH; empty: none at all)."""
    if command is None:
        found = shutil.which(_CLAUDE, path=env.get("PATH"))
        return Agent([found], env) if found else None
    return Agent(command, env) if command else None
