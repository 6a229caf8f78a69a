"""Work that outside bytes could hang or crash, done in a Python of its own with bounds.

A page is fetched and parsed by libraries that have no bound on time of their own (name look-up, a
server that sends a byte a second, HTML that makes a parser quadratic).  A child with a bound on time and
memory is killed as a whole.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.tools.process import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_KEPT = ("PATH", "LANG", "LC_ALL", "SSL_CERT_FILE", "SSL_CERT_DIR", "TMPDIR")
_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import importlib; "
    "importlib.import_module(sys.argv[2]).serve()"
)
_MEMORY = 1 << 30


class Answer(NamedTuple):
    """What a child said: values and bytes; or, where it did not answer, why."""

    values: dict[str, Any]
    data: bytes
    failure: str


def call(
    module: str, values: Mapping[str, Any], data: bytes, *, seconds: float, env: Mapping[str, str]
) -> Answer:
    """Let the module's ``serve`` work on values and bytes; never raises for what it does."""
    line = json.dumps(values).encode() + b"\n"
    result = run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", _CODE, json.dumps(sys.path), module],
        seconds=seconds,
        env={name: env[name] for name in _KEPT if name in env},
        cwd="/",
        data=line + data,
    )
    if result.timed_out:
        return Answer({}, b"", f"no end within {seconds:.0f} s")
    head, _, body = result.out.partition(b"\n")
    if not result.ok or not head:
        return Answer({}, b"", result.reason or "the reader died")
    return Answer(json.loads(head), body, "")


def answer(work: Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]) -> None:
    """The child's side: read, work within bounds, write."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    values, body = work(json.loads(head), data)
    sys.stdout.buffer.write(json.dumps(values).encode() + b"\n" + body)
