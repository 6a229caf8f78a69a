"""What an agent answered, read strictly: values of ours, or findings.  Nothing in it is believed.

An answer that is malformed, too much, hostile or full of secrets gives findings and what is left of
it; it never stops anything.  No finding repeats a secret or what a terminal would obey.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.formats.project_note import common_type
from aikb.model import Finding
from aikb.rules.credentials import find as find_secrets
from aikb.rules.orders import reads_like_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST = 5
GATES = ("longevity", "reusability", "mutability")
PLACE = "agent's answer"
_LONGEST_TITLE = 120
_LONGEST_BODY = 16_000
_LONGEST_REASON = 600
_MOST_TAGS = 8
_LONGEST_TAG = 40
OUTCOMES = ("confirms", "update", "ambiguous")
EXCEPTIONS = ("type", "tag")


class Gate(NamedTuple):
    """What an agent thinks of one gate, and why."""

    passes: bool
    reason: str


class Candidate(NamedTuple):
    """A note that an agent proposes."""

    type: str
    title: str
    tags: tuple[str, ...]
    body: str
    gates: Mapping[str, Gate]


class Discrepancy(NamedTuple):
    """What an agent says of a procedure: ``old`` is to become ``new``, where it says so."""

    path: str
    outcome: str
    reason: str
    old: str = ""
    new: str = ""


class Exceptional(NamedTuple):
    """Something that is so in this project alone: a type of note, or a rule about a tag."""

    kind: str
    name: str
    reason: str


class Answer(NamedTuple):
    """All that could be read, and what was wrong with the rest."""

    candidates: tuple[Candidate, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    findings: tuple[Finding, ...] = ()


class _WrongError(Exception):
    """Why a part of an answer is not taken; the words are ours."""


def schema() -> dict[str, Any]:
    """The form that an answer must have, as the agent is told it."""
    text = {"type": "string"}
    gate = _object({"pass": {"type": "boolean"}, "reason": text})
    return _object({
        "candidates": {"type": "array", "maxItems": MOST, "items": _object({
            "type": text, "title": text, "tags": {"type": "array", "items": text}, "body": text,
            "gates": _object(dict.fromkeys(GATES, gate)),
        })},
        "discrepancies": {"type": "array", "items": _object({
            "path": text, "outcome": {"enum": list(OUTCOMES)}, "reason": text, "old": text, "new": text,
        }, optional=("old", "new"))},
        "exceptions": {"type": "array", "items": _object({
            "kind": {"enum": list(EXCEPTIONS)}, "name": text, "reason": text,
        })},
    }, optional=("discrepancies", "exceptions"))  # fmt: skip


def _object(properties: dict[str, Any], optional: Iterable[str] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in set(optional)]
    return {
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": False,
    }  # fmt: skip


def read_answer(value: Any) -> Answer:
    """An agent's answer."""
    if not isinstance(value, dict) or not isinstance(value.get("candidates"), list):
        return Answer(findings=(_finding(1, "malformed", "no object with a list of candidates"),))
    findings: list[Finding] = []
    parts: dict[str, list[Any]] = {}
    readers = {"candidates": _candidate, "discrepancies": _discrepancy, "exceptions": _exception}
    if unknown := set(value) - set(readers):
        findings.append(_finding(1, "malformed", f"{len(unknown)} unknown parts are left out"))
    for name, reader in readers.items():
        entries = value.get(name, [])
        if not isinstance(entries, list):
            findings.append(_finding(1, "malformed", f"{name} is no list"))
            continue
        if len(entries) > MOST:
            message = f"{len(entries)} {name} where {MOST} are looked at; the others are left out"
            findings.append(_finding(1, "too-many", message))
        parts[name] = []
        for number, entry in enumerate(entries[:MOST], 1):
            try:
                parts[name].append(reader(entry))
            except _WrongError as wrong:
                code = "secret" if "secret" in str(wrong) else "malformed"
                findings.append(_finding(number, code, f"{name} {number}: {wrong}"))
    return Answer(
        tuple(parts.get("candidates", ())), tuple(parts.get("discrepancies", ())),
        tuple(parts.get("exceptions", ())), tuple(findings),
    )  # fmt: skip


def _candidate(value: Any) -> Candidate:
    _keys(value, {"type", "title", "tags", "body", "gates"})
    tags = value["tags"]
    if not isinstance(tags, list) or len(tags) > _MOST_TAGS:
        raise _WrongError(f"tags must be a list of at most {_MOST_TAGS}")
    gates = value["gates"]
    if not isinstance(gates, dict) or set(gates) != set(GATES):
        raise _WrongError(f"gates must be exactly {', '.join(GATES)}")
    for name in GATES:
        _keys(gates[name], {"pass", "reason"})
        if not isinstance(gates[name]["pass"], bool):
            raise _WrongError(f"{name}.pass must be true or false")
    candidate = Candidate(
        _line(value["type"], "type", _LONGEST_TAG),
        _line(value["title"], "title", _LONGEST_TITLE),
        tuple(dict.fromkeys(_line(tag, "a tag", _LONGEST_TAG) for tag in tags)),
        _text(value["body"], "body", _LONGEST_BODY),
        {n: Gate(gates[n]["pass"], _line(gates[n]["reason"], n, _LONGEST_REASON)) for n in GATES},
    )
    _no_secret(candidate.type, candidate.title, " ".join(candidate.tags), candidate.body,
               *(gate.reason for gate in candidate.gates.values()))  # fmt: skip
    return candidate


def _discrepancy(value: Any) -> Discrepancy:
    if isinstance(value, dict):
        value = {"old": "", "new": "", **value}
    _keys(value, {"path", "outcome", "reason", "old", "new"})
    if value["outcome"] not in OUTCOMES:
        raise _WrongError(f"outcome must be one of {', '.join(OUTCOMES)}")
    found = Discrepancy(
        _line(value["path"], "path", 400),
        value["outcome"],
        _line(value["reason"], "reason", _LONGEST_REASON),
        _text(value["old"], "old", _LONGEST_BODY),
        _text(value["new"], "new", _LONGEST_BODY),
    )
    _no_secret(*found)
    return found


def _exception(value: Any) -> Exceptional:
    _keys(value, {"kind", "name", "reason"})
    if value["kind"] not in EXCEPTIONS:
        raise _WrongError(f"kind must be one of {', '.join(EXCEPTIONS)}")
    found = Exceptional(
        value["kind"],
        _line(value["name"], "name", _LONGEST_TAG),
        _line(value["reason"], "reason", _LONGEST_TITLE),
    )
    _no_secret(*found)
    if found.kind == "type" and (name := common_type(found.name)):
        raise _WrongError(f"'{name}' is a type that every project has")
    if reads_like_order(f"{found.name}: {found.reason}"):
        raise _WrongError("it reads like an order, which no session would be told")
    return found


def _keys(value: Any, wanted: set[str]) -> None:
    if not isinstance(value, dict) or set(value) != wanted:
        raise _WrongError(f"must have exactly {', '.join(sorted(wanted))}")


def _line(value: object, name: str, most: int) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"{name} must be text")
    text = value.strip()
    if len(text) > most:
        raise _WrongError(f"{name} is longer than {most}")
    if not text.isprintable():
        raise _WrongError(f"{name} must be one line of visible characters")
    return text


def _text(value: object, name: str, most: int) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"{name} must be text")
    text = value.replace("\r\n", "\n")
    if len(text) > most:
        raise _WrongError(f"{name} is longer than {most}")
    if any(
        not c.isprintable() and c not in "\n\t" and unicodedata.category(c) != "Zs" for c in text
    ):
        raise _WrongError(f"{name} has characters that nobody sees")
    return text


def _no_secret(*texts: str) -> None:
    if any(find_secrets(text) for text in texts):
        raise _WrongError("it holds what looks like a secret")


def _finding(line: int, code: str, message: str) -> Finding:
    return Finding(PLACE, line, "warning", f"audit-{code}", message)
