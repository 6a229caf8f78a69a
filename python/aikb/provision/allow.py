"""Allow what only looks like a secret: its hash goes into ``ai-kb.toml``, by a person's hand alone."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE, read_settings
from aikb.errors import PersonNeededError, StoreError
from aikb.formats.counted import counted
from aikb.model import Change
from aikb.provision.secrets import allowed_at_head, further
from aikb.rules.credential_text import decode, normalise
from aikb.rules.credentials import blot, find, is_allowed
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aikb.rules.credentials import Secret
    from aikb.tools.folder import Repository
    from aikb.tools.secrets import SecondOpinion
    from aikb.writing.ground import Ground

KEPT = 32  # hexadecimal digits of a hash
_AGENTS = ("CLAUDECODE", "AI_AGENT", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE")
_LIST = re.compile(r"^(\[secrets\][^\[]*?^[ \t]*allow[ \t]*=[ \t]*\[)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"^\[secrets\][ \t]*(?:#.*)?$", re.MULTILINE)


class Candidate(NamedTuple):
    """Something that may be allowed: where it is, and its line without it."""

    path: str
    secret: Secret
    words: str


def check_person(env: Mapping[str, str], *, terminal: bool) -> None:
    """Refuse whoever does not sit at a terminal.

    Raises:
        PersonNeededError: nobody does, or an agent's shell says that it is one.
    """
    agent = next((name for name in _AGENTS if env.get(name)), None)
    if agent or not terminal:
        raise PersonNeededError("allow a secret", f"{agent} is set" if agent else None)


def candidates(path: str, data: bytes, git: Repository, opinion: SecondOpinion) -> list[Candidate]:
    """What a write of this file would be refused for."""
    allowed = allowed_at_head(git)
    text = normalise(decode(data))
    secrets = [*find(path), *find(text), *further(opinion, data)]
    lines = text.split("\n")
    found: dict[str, Candidate] = {}
    for secret in secrets:
        if not is_allowed(secret.digest, allowed):
            words = blot(lines[secret.line - 1], [secret]).strip()
            found.setdefault(secret.digest, Candidate(blot(path, [secret]), secret, words[:100]))
    return list(found.values())


def propose_allow(root: str, ground: Ground, chosen: Sequence[Candidate]) -> Proposal:
    """The settings with the hashes of what a person chose.

    Raises:
        StoreError: somebody has changed the settings and not committed them.
    """
    if SETTINGS_FILE in ground.dirty:
        raise StoreError(
            f"'{SETTINGS_FILE}' has changes that are not committed",
            "Commit them with `ai-kb commit`, or undo them, then run this again.",
        )
    before = read_or_none(root, SETTINGS_FILE)
    hashes = tuple(candidate.secret.digest[:KEPT] for candidate in chosen)
    today = time.strftime("%Y-%m-%d")
    rows = [
        f'  "{digest}",  # {c.secret.kind} in {_plain(c.path)}, {today}\n'
        for digest, c in zip(hashes, chosen, strict=True)
    ]
    after = add_hashes((before or b"").decode(), rows, hashes)
    change = Change(SETTINGS_FILE, before, after.encode())
    what = counted(len(rows), "secret")
    return Proposal((change,), f"allow: {what}, by a person", allows=hashes)


def add_hashes(text: str, rows: Sequence[str], hashes: Sequence[str]) -> str:
    """The text of the settings with further rows in its list; every other byte stays.

    Raises:
        StoreError: the file is written in a way that cannot be added to.
    """
    new = "\n" + "".join(rows)
    if match := _LIST.search(text):
        rest = text[match.end() :]
        after = text[: match.end()] + new + rest.removeprefix("\n")
    elif match := _TABLE.search(text):
        after = text[: match.end()] + f"\nallow = [{new}]" + text[match.end() :]
    else:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        after = f"{text}{gap}[secrets]\nallow = [{new}]\n"
    old, now = read_settings(text), read_settings(after)
    if set(now.allowed_secrets) != {*old.allowed_secrets, *hashes} or now._replace(
        allowed_secrets=()
    ) != old._replace(allowed_secrets=()):
        raise StoreError(
            f"'{SETTINGS_FILE}' is written in a way that cannot be added to",
            "Give it a table [secrets] with a line `allow = []`, commit that, and run this again.",
        )
    return after


def _plain(path: str) -> str:
    return "".join(c for c in path if c.isprintable())
