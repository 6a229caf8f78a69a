"""How well the guard tells the same from the related from the rest, on real collections.

For each collection that AI_KB_CORPORA has: notes of it reworded in three strengths (the original is
what must be found), each note as it is against all others (whose author kept them apart: what is
refused there is a false alarm, or a duplicate of the author's), and notes of the other collections
(unrelated).  Prints recall and precision of both thresholds, and what the search takes.

    near.py [--sample N] [--sweep] [COLLECTION]...
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "python"), str(HERE)]

from aikb.formats.org.document import Document  # noqa: E402
from aikb.formats.org.links import find_id_links  # noqa: E402
from aikb.model import Note, Snapshot  # noqa: E402
from aikb.rules import near as rule  # noqa: E402
from aikb.sources.org_store import OrgStore  # noqa: E402
from aikb.tools.sqlite import NoteCache  # noqa: E402
from aikb.writing.guard import Near, find_near, own_body  # noqa: E402
from reword import STRENGTHS, reword, sentences  # noqa: E402

CORPORA = Path(os.environ.get("AI_KB_CORPORA", HERE.parent.parent / "shared" / "corpora"))
NAMES = ("bphenriques", "jethrokuan", "rgb24bit", "jbb")
LEAST = 12  # terms that a note needs to be said again in other words


class Collection(NamedTuple):
    """A store, its notes that say something, and their bodies."""

    store: OrgStore
    snapshot: Snapshot
    notes: list[Note]
    bodies: dict[Note, str]


class Answer(NamedTuple):
    """What the search said of one draft, and what would have been right."""

    kind: str
    wanted: frozenset[str]
    near: list[Near]


def load(root: Path, cache: Path) -> Collection:
    """A collection as a store."""
    store = OrgStore(str(root), NoteCache(str(cache)))
    snapshot = store.snapshot()
    bodies = {note: own_body(store, note) for note in snapshot.notes}
    enough = [n for n in bodies if len(set(rule.terms(rule.plain(bodies[n])))) >= LEAST]
    return Collection(store, snapshot, enough, bodies)


def ask(where: Collection, title: str, labels: tuple[str, ...], body: str) -> list[Near]:
    return find_near(where.store, where.snapshot, rule.words_of(title, labels, body))


def reworded(where: Collection, count: int, chance: random.Random) -> Iterator[Answer]:
    """Notes in other words."""
    pool = [s for n in where.notes for s in sentences(rule.plain(where.bodies[n]))[:3]]
    for name, strength in STRENGTHS.items():
        for note in chance.sample(where.notes, min(count, len(where.notes))):
            body = rule.plain(where.bodies[note])
            title, text = reword(note.title, body, strength, pool, chance)
            yield Answer(name, frozenset({note.id}), ask(where, title, note.tags, text))


def apart(where: Collection, count: int, chance: random.Random) -> Iterator[Answer]:
    """Notes as they are, against the others; linked ones are the related ones."""
    linked = links_between(where)
    for note in chance.sample(where.notes, min(2 * count, len(where.notes))):
        found = ask(where, note.title, note.tags, where.bodies[note])
        others = [n for n in found if n.note.path != note.path]
        yield Answer("apart", frozenset(linked.get(note.id, ())), others)


def links_between(where: Collection) -> dict[str, set[str]]:
    """Which notes have a link between them, in either direction."""
    linked: dict[str, set[str]] = {}
    for path, notes in where.snapshot.files.items():
        document = Document(path, where.store.read(path))
        targets = {link.target for link in find_id_links(document.text)}
        for note in notes:
            for target in targets:
                linked.setdefault(note.id, set()).add(target)
                linked.setdefault(target, set()).add(note.id)
    return linked


def foreign(
    where: Collection, other: Collection, count: int, chance: random.Random
) -> Iterator[Answer]:
    """Notes of somebody else's collection."""
    for note in chance.sample(other.notes, min(count, len(other.notes))):
        found = ask(where, note.title, note.tags, other.bodies[note])
        yield Answer("foreign", frozenset(), found)


def duplicate_rates(answers: list[Answer], threshold: float) -> str:
    """Recall of each strength, false alarms, and precision if one draft in ten is a duplicate."""

    def refused(answer: Answer, *, right: bool) -> bool:
        return any(
            n.likeness.sure
            and n.likeness.score >= threshold
            and (not right or n.note.id in answer.wanted)
            for n in answer.near
        )

    parts, rates = [], {}
    for kind in (*STRENGTHS, "apart", "foreign"):
        mine = [a for a in answers if a.kind == kind]
        rates[kind] = sum(refused(a, right=kind in STRENGTHS) for a in mine) / max(len(mine), 1)
        parts.append(f"{kind} {rates[kind]:6.1%}")
    hit, false = 0.1 * rates["medium"], 0.9 * rates["apart"]
    return f"{threshold:.2f}  {'  '.join(parts)}  precision {hit / ((hit + false) or 1):.0%}"


def related_rates(answers: list[Answer], threshold: float) -> str:
    """How many drafts get a word of what is linked, or of the original, and how much is noise."""
    mine = [a for a in answers if a.kind == "apart" and a.wanted]
    named = [[n for n in a.near[:5] if n.likeness.score >= threshold] for a in mine]
    helped = sum(
        any(n.note.id in a.wanted for n in near) for a, near in zip(mine, named, strict=True)
    )
    right = sum(n.note.id in a.wanted for a, near in zip(mine, named, strict=True) for n in near)
    shown = sum(map(len, named))
    noise = [a for a in answers if a.kind == "foreign"]
    loud = sum(any(n.likeness.score >= threshold for n in a.near) for a in noise)
    heavy = [a for a in answers if a.kind == "heavy"]
    seen = sum(
        any(n.note.id in a.wanted and n.likeness.score >= threshold for n in a.near[:5])
        for a in heavy
    )
    return (
        f"{threshold:.2f}  linked: recall {helped / max(len(mine), 1):6.1%}  precision "
        f"{right / max(shown, 1):6.1%}  named a draft {shown / max(len(mine), 1):.1f}"
        f"  unrelated drafts that get one {loud / max(len(noise), 1):6.1%}"
        f"  heavily reworded named {seen / max(len(heavy), 1):6.1%}"
    )


def unpack(work: Path, name: str) -> Path | None:
    """A collection's folder; None where it is not there."""
    if (CORPORA / name).is_dir():
        return CORPORA / name
    archive = CORPORA / "org" / f"{name}.tar.xz"
    if not archive.exists():
        return None
    with tarfile.open(archive) as tar:
        tar.extractall(work)
    return work / name


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--sweep", action="store_true", help="other thresholds too")
    parser.add_argument("names", nargs="*", default=NAMES)
    options = parser.parse_args()
    chance = random.Random(7)
    if options.sweep:
        rule.RELATED = 0.05
    with tempfile.TemporaryDirectory(prefix="ai-kb-near-") as folder:
        work = Path(folder)
        roots = [(name, root) for name in options.names if (root := unpack(work, name))]
        if not roots:
            print(f"no real collections at {CORPORA} (set AI_KB_CORPORA)")
            return 1
        found = [load(root, work / f"{name}.db") for name, root in roots]
        answers: list[Answer] = []
        for place, where in enumerate(found):
            start, before = time.process_time(), len(answers)
            answers += reworded(where, options.sample, chance)
            answers += apart(where, options.sample, chance)
            answers += foreign(where, found[place - 1], options.sample, chance)
            each = (time.process_time() - start) / (len(answers) - before)
            own = [a for a in answers[before:] if a.kind == "apart"]
            refused = sum(any(n.likeness.is_duplicate for n in a.near) for a in own)
            print(
                f"{roots[place][0]}: {len(where.snapshot.notes)} notes, {each * 1000:.1f} ms a draft, "
                f"{refused} of {len(own)} refused that their author kept apart"
            )
    sweep = [0.25, 0.3, 0.33, 0.36, 0.4, 0.45, 0.5] if options.sweep else [rule.DUPLICATE]
    print("refused as the same, by share of drafts")
    print("\n".join(duplicate_rates(answers, threshold) for threshold in sweep))
    sweep = [0.05, 0.08, 0.1, 0.12, 0.14, 0.17, 0.2] if options.sweep else [rule.RELATED]
    print("named as related")
    print("\n".join(related_rates(answers, threshold) for threshold in sweep))
    return 0


if __name__ == "__main__":
    sys.exit(main())
