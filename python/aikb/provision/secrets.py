"""Secrets in files as they are on disk or staged: our own pack, and a second opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.config import SETTINGS_FILE
from aikb.model import Finding
from aikb.rules.credential_judge import is_placeholder
from aikb.rules.credential_text import decode, normalise
from aikb.rules.credentials import Secret, find, is_allowed
from aikb.rules.secrets import Leaks, allowed_by, check_allow_list, check_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from aikb.tools.folder import Repository
    from aikb.tools.git import Git
    from aikb.tools.secrets import SecondOpinion


def allowed_at_head(git: Repository) -> tuple[str, ...]:
    """The hashes that the last commit allows."""
    if not git.has_history or not git.exists() or not git.head():
        return ()
    return allowed_by(git.show("HEAD", SETTINGS_FILE))


def check(
    git: Git,
    files: Mapping[str, bytes],
    *,
    compared: Sequence[str] = (),
    opinion: SecondOpinion | None = None,
    firmly: bool = False,
) -> Leaks:
    """Findings about files by path; absolute paths lie outside the store.

    *compared* are further paths whose last committed state counts as old (files that go away).
    With *firmly* what only the second opinion sees is an error as well.
    """
    allowed = allowed_at_head(git)
    inside = [path for path in {*files, *compared} if not path.startswith("/")]

    def held() -> list[bytes | None]:
        return git.blobs([f"HEAD:{path}" for path in inside]) if git.exists() else []

    leaks = check_files(files.items(), held, allowed)
    findings, known = list(leaks.findings), list(leaks.known)
    if opinion is not None:
        for path, data in files.items():
            for secret in further(opinion, data, allowed):
                old = any(secret.value.encode() in (before or b"") for before in held())
                severity = "error" if firmly and not old else "warning"
                findings.append(_possible(path, secret, severity))
                known.append(secret)
    if SETTINGS_FILE in files:
        before = git.show("HEAD", SETTINGS_FILE) if git.exists() else None
        findings += check_allow_list(before, files[SETTINGS_FILE])
    return Leaks(findings, known)


def _possible(path: str, secret: Secret, severity: str) -> Finding:
    return Finding(
        path, secret.line, "error" if severity == "error" else "warning", "possible-secret",
        f"detect-secrets takes this for a secret ({secret.kind}); name the place where it is kept, or "
        "let a person allow it with `ai-kb allow-secret`",
    )  # fmt: skip


def further(opinion: SecondOpinion, data: bytes, allowed: Sequence[str] = ()) -> Iterator[Secret]:
    """What the second opinion sees and our own pack does not."""
    text = normalise(decode(data))
    ours = find(text)
    seen: set[tuple[int, str]] = set()
    for line, kind, value in opinion.of(text):
        if (line, value) in seen or is_placeholder(value):
            continue
        seen.add((line, value))
        if any(s.line == line or value in s.value for s in ours):
            continue
        secret = Secret(line, kind, value, 0, 0)
        if not is_allowed(secret.digest, allowed):
            yield secret
