"""What credentials in a change mean: a new one keeps it out, an old one is only told.

Old is what the last commit has already: it must be dealt with, but not by who mends a typing error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aikb.config import SETTINGS_FILE, read_settings
from aikb.errors import ConfigError
from aikb.formats.counted import counted
from aikb.model import Finding
from aikb.rules.credential_text import decode
from aikb.rules.credentials import Secret, blot, find, is_allowed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_CURE = (
    "name the place where it is kept instead; a person can allow a false alarm with "
    "`ai-kb allow-secret` in a terminal"
)
MESSAGE = "commit message"  # stands where a path would


class Leaks(NamedTuple):
    """What was found, and the secrets that no word about it may show."""

    findings: list[Finding]
    known: list[Secret]

    def blot(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings of any rule, with the secrets blotted out of paths and messages."""
        return blot_findings(findings, self.known)


def blot_findings(findings: Iterable[Finding], known: Sequence[Secret]) -> list[Finding]:
    """Findings with the *known* secrets blotted out of their paths and messages."""
    if not known:
        return list(findings)
    return [
        finding._replace(path=blot(finding.path, known), message=blot(finding.message, known))
        for finding in findings
    ]


def check_files(
    files: Iterable[tuple[str, bytes]],
    held: Callable[[], Iterable[bytes | None]],
    allowed: Sequence[str],
    *,
    has_history: bool = True,
) -> Leaks:
    """Findings about files as they shall be.

    *held* gives what the last commit has of them, and is only called if something was found.  Where
    there is no history it gives what is there, of which nobody knows since when.
    """
    found = [(path, s) for path, data in files for s in _in_file(path, data, allowed)]
    if not found:
        return Leaks([], [])
    old = {s.digest for data in held() for s in (find(decode(data)) if data else ())}
    what = "that was committed before" if has_history else "stands here"
    cure = (
        "then see `ai-kb doctor --history`" if has_history
        else "and name here the place where it is kept instead"
    )  # fmt: skip
    findings = []
    for path, secret in found:
        if secret.digest in old:
            findings.append(
                Finding(
                    path, secret.line, "warning", "old-secret",
                    f"a secret {what} ({secret.kind}): change it where it is in use, {cure}",
                )
            )  # fmt: skip
        else:
            findings.append(_new(path, secret, "this looks like a secret"))
    return Leaks(findings, [secret for _, secret in found])


def _in_file(path: str, data: bytes, allowed: Sequence[str]) -> Iterator[Secret]:
    in_name = [s for s in find(path.removesuffix(".org")) if not is_allowed(s.digest, allowed)]
    for secret in in_name:
        secret.line = 1
        yield secret
    for secret in find(decode(data)):
        if not is_allowed(secret.digest, allowed):
            yield secret


def check_message(message: str, known: Iterable[Secret], allowed: Sequence[str]) -> Leaks:
    """Findings about a commit's message, but for what its files were found to have."""
    before = {secret.digest for secret in known}
    found = [s for s in find(message) if not is_allowed(s.digest, allowed)]
    fresh = [s for s in found if s.digest not in before]
    return Leaks([_new(MESSAGE, s, "the message holds a secret") for s in fresh], found)


def _new(path: str, secret: Secret, what: str) -> Finding:
    return Finding(path, secret.line, "error", "new-secret", f"{what} ({secret.kind}); {_CURE}")


def allowed_by(settings: bytes | None) -> tuple[str, ...]:
    """The hashes that an ``ai-kb.toml`` allows; none if it cannot be read."""
    try:
        return read_settings((settings or b"").decode("utf-8", "replace")).allowed_secrets
    except ConfigError:
        return ()


def check_allow_list(
    before: bytes | None, after: bytes | None, may_add: Sequence[str] = ()
) -> Iterator[Finding]:
    """A finding if ``ai-kb.toml`` allows more than the last commit's did and a person did not."""
    more = set(allowed_by(after)) - set(allowed_by(before)) - set(may_add)
    if more:
        yield Finding(
            SETTINGS_FILE, 1, "error", "allow-list",
            f"{counted(len(more), 'secret')} more would be allowed; only a person "
            "does that, with `ai-kb allow-secret` in a terminal",
        )  # fmt: skip
