"""Procedures of the vault that a session followed, and whether they still say what is done (Part B).

Nothing here changes a note.  What an agent says is judged against the note's own text: a change that
does not fit it is no proposal, but a doubt.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.audit.candidate import PLACE, Discrepancy
from aikb.errors import AikbError
from aikb.formats.markdown.notes import name_of
from aikb.model import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from aikb.audit.gather import Material
    from aikb.model import Note

TYPE = "howto"
MOST = 4
_LONGEST_TEXT = 6_000
_SHORTEST_TITLE = 8
_SHORTEST_SPAN = 6
_WORD = re.compile(r"[^\W_][\w-]{2,}")
_WIKILINK = re.compile(r"\[\[([^\[\]|#^\n]+)")
_FENCED = re.compile(
    r"^(?:`{3,}|~{3,})[^\n]*\n(.*?)^(?:`{3,}|~{3,})[ \t]*$", re.MULTILINE | re.DOTALL
)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


class Procedure(NamedTuple):
    """A note that a session followed: its text, the hash of its bytes, and how that is known."""

    path: str
    title: str
    text: str
    digest: str
    how: str


class Doubt(NamedTuple):
    """A discrepancy that a person must decide on: with ``new`` an update, without one ambiguous."""

    path: str
    digest: str
    reason: str
    old: str = ""
    new: str = ""


def followed(
    notes: Iterable[Note],
    material: Material,
    transcript: str,
    linked: Collection[str],
    read: Callable[[str], bytes],
) -> list[Procedure]:
    """The procedures that a session followed, the surest first.

    *transcript* is what the session said (its end), *linked* are the names that the project's note
    links to.  *read* gives a note's bytes.
    """
    traces = _Traces(material, transcript, linked)
    ranked = []
    for note in notes:
        if (note.type == TYPE or TYPE in note.tags) and note.status != "superseded":
            score, how = traces.of(note)
            if score:
                ranked.append((-score, note.path, note, how))
    chosen = []
    for _, path, note, how in sorted(ranked)[:MOST]:
        try:
            data = read(path)
        except AikbError:  # gone since the snapshot, or unreadable: another finding says so
            continue
        text = data.decode("utf-8", "replace")
        chosen.append(Procedure(path, note.title, text, digest(data), how))
    return chosen


class _Traces:
    """What a session left by which a procedure is known that it followed."""

    def __init__(self, material: Material, transcript: str, linked: Collection[str]) -> None:
        commits = "\n".join(f"{c.subject}\n{c.body}" for c in material.commits)
        self.said = f"{material.diff}\n{commits}"
        self.folded = self.said.casefold()
        self.transcript = transcript
        self.links = links_in(self.said)
        self.linked = linked
        self.tag = material.tag
        # What it worked at, as tags would call it: parts of paths, words of subjects.
        paths = " ".join(c.path.replace("/", " ").replace(".", " ") for c in material.changed)
        subjects = " ".join(c.subject for c in material.commits)
        self.words = {word.casefold() for word in _WORD.findall(f"{paths} {subjects}")}

    def of(self, note: Note) -> tuple[int, str]:
        """How sure it is that the session followed a note, and by what; 0: it did not."""
        names = {name_of(note.path).casefold(), note.title.casefold()}
        if note.path in self.transcript or note.path in self.said:
            return 5, "named"
        if len(note.title) >= _SHORTEST_TITLE and note.title.casefold() in self.folded:
            return 4, "named"
        if names & self.links:
            return 4, "linked"
        if names.intersection(self.linked):
            return 3, "linked"
        tags = {part for tag in note.tags for part in tag.casefold().split("/")} - {TYPE}
        shared = len(tags & self.words) + (self.tag in tags)
        return (min(shared, 2), "tags") if shared >= (1 if self.tag in tags else 2) else (0, "")


def links_in(text: str) -> set[str]:
    """The names that a text's wikilinks have, without case."""
    return {name.strip().rpartition("/")[2].casefold() for name in _WIKILINK.findall(text)}


def digest(data: bytes) -> str:
    """The hash by which a note is known that was flagged."""
    return hashlib.sha256(data).hexdigest()


# -- with an agent


def judge(
    found: Iterable[Discrepancy], procedures: Sequence[Procedure]
) -> tuple[list[Doubt], int, list[Finding]]:
    """What an agent says of the procedures: doubts, how many it confirms, and what is not taken."""
    known = {procedure.path: procedure for procedure in procedures}
    doubts, findings, confirmed = [], [], 0
    for number, one in enumerate(found, 1):
        procedure = known.get(one.path)
        if procedure is None:
            message = f"discrepancy {number} names a note that was not asked about"
            findings.append(Finding(PLACE, number, "warning", "audit-unknown-note", message))
        elif one.outcome == "confirms":
            confirmed += 1
        elif not one.reason:
            message = f"discrepancy {number} gives no reason"
            findings.append(Finding(PLACE, number, "warning", "audit-malformed", message))
        elif one.outcome == "update" and fits(procedure.text, one.old, one.new):
            doubts.append(Doubt(one.path, procedure.digest, one.reason, one.old, one.new))
        else:
            doubts.append(Doubt(one.path, procedure.digest, one.reason))
    return doubts, confirmed, findings


def fits(text: str, old: str, new: str) -> bool:
    """Whether a change can be made in a text: what it replaces stands there once."""
    return bool(old.strip()) and old != new and text.replace("\r\n", "\n").count(old) == 1


# -- without one


def check(procedures: Iterable[Procedure], material: Material) -> list[Doubt]:
    """Doubts that need no judgement: a path or a command in a note that the session took away."""
    gone = dict(_gone(material))
    removed, kept = _lines(material.diff)
    doubts = []
    for procedure in procedures:
        for span in spans(procedure.text):
            why = next((why for path, why in gone.items() if _names(span, path)), "")
            if not why and _is_telling(span) and span in removed and span not in kept:
                why = f"the session took away every line with `{span}` that it touched"
            if why:
                doubts.append(
                    Doubt(procedure.path, procedure.digest, f"`{span}` stands here; {why}")
                )
                break
    return doubts


def _gone(material: Material) -> Iterator[tuple[str, str]]:
    for change in material.changed:
        if change.letter == "D":
            yield change.path, f"the session removed {change.path}"
        elif change.letter == "R":
            yield change.before, f"the session renamed {change.before} to {change.path}"


def _names(span: str, path: str) -> bool:
    """Whether a piece of code names a path, by itself or as a word of a command."""
    words = [word.strip("'\"();,").removeprefix("./") for word in span.split()]
    return path in words or (path.count("/") > 0 and any(w.endswith("/" + path) for w in words))


def _is_telling(span: str) -> bool:
    return len(span) >= _SHORTEST_SPAN and bool(re.search(r"[\s/=._-]", span))


def _lines(diff: str) -> tuple[str, str]:
    """The lines that a diff takes away, and those that it adds or leaves."""
    removed, kept = [], []
    for line in diff.splitlines():
        if line.startswith("-") and not line.startswith("--- "):
            removed.append(line[1:])
        elif line.startswith(("+", " ")) and not line.startswith("+++ "):
            kept.append(line[1:])
    return "\n".join(removed), "\n".join(kept)


def spans(text: str) -> list[str]:
    """The code in a note: each line of a fenced block, each piece between backticks."""
    found = [
        line.strip().removeprefix("$ ")
        for body in _FENCED.findall(text)
        for line in body.splitlines()
    ]
    found += [span.strip() for span in _INLINE.findall(_FENCED.sub("", text))]
    return [span for span in dict.fromkeys(found) if span and not span.startswith("#")]


def shown(procedures: Iterable[Procedure]) -> str:
    """Procedures as an agent is shown them."""
    return "\n".join(
        f"===== note {p.path} =====\n{p.text[:_LONGEST_TEXT]}\n" for p in procedures
    )  # fmt: skip
