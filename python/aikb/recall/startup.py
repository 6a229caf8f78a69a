"""What a session is told at its start: facts about the vault and the store, within a budget.

Pure, so that the same notes give the same bytes: an agent keeps text that did not change once.
A note's words are somebody's data: they are quoted, on one line, without what no eye sees, without
anything that could be taken for a mark-up tag, and without orders.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from aikb.formats.project_note import LONGEST_ITEM, LONGEST_SENTENCE, TAG
from aikb.formats.unseen import shown
from aikb.index.summary import cut, summarise
from aikb.rules.orders import reads_like_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aikb.formats.project_note import ProjectNote

BUDGET = 200  # tokens, as `estimate` counts them
_LONGEST_READ = 500
_LONGEST_NAME = 60
_MOST_TAGS = 100  # more than the budget holds; each is looked at for secrets, and a session waits
_MOST_ITEMS = 40
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]|[^\sA-Za-z0-9]")
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*)?")
_UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_MARKUP = str.maketrans({"<": "‹", ">": "›", "`": "'", '"': "'", "[": "(", "]": ")", "\\": "/"})  # noqa: RUF001

# In order of worth: over the budget the last is left out first.
RULES = (
    "SecondBrain ({vault}) holds the user's lasting notes.",
    (
        "/memory-find TAG (`ai-kb vault find TAG`) lists them by tag, /memory-recall PATH "
        "(`ai-kb vault recall PATH`) prints one."
    ),
    (
        "Always kept there: convention (rule, pattern), reference (lookup, architecture), howto "
        "(procedure)."
    ),
    "What a note has is referred to, not repeated.",
)
_KEPT = 2  # of them, where a list of the project's note is what is too long


class Project(NamedTuple):
    """The project's note, and its path in the vault."""

    path: str
    note: ProjectNote


class Store(NamedTuple):
    """Where the org store's index is, and how many of its nodes concern a project (None: not known)."""

    place: str
    project: str = ""
    nodes: int | None = None


class Waiting(NamedTuple):
    """What waits for a person's word: flags on notes, and notes that nobody has read yet."""

    flags: int = 0
    notes: int = 0


def estimate(text: str) -> int:
    """How many tokens a text has at most, without any model's table.

    Five letters, two capitals in a row or three digits a token, each other sign one, what is not ASCII
    two or three.  Two real tokenizers made no more than this of sentences in ten languages.
    """
    count = 0
    for piece in _PIECE.findall(text):
        if not piece[0].isascii():
            count += (len(piece.encode("utf-8", "surrogatepass")) + 2) // 2
        elif piece[0].isalpha():
            count += -(-len(piece) // (2 if piece.isupper() else 5))
        else:
            count += -(-len(piece) // 3)
    return count


def startup_text(
    vault: str | None, project: Project | None, store: Store | None, waiting: Waiting,
    blot: Callable[[str], str],
) -> str:  # fmt: skip
    """All that is told; empty where there is nothing to tell.

    *vault* and the store's index are paths as they are shown; *blot* takes secrets out.  Over the budget
    the rules go first, then the store, then what waits; of the project's note only the end of a list
    that alone would be too long.  Then it says how much is left out, and how to ask for it is told too.
    """
    rules = [rule.format(vault=vault) for rule in RULES] if vault else []
    further = [_waiting_text(waiting), _store_text(store)]
    told, cut = project_told(project, vault, blot, further[0]) if project else ("", False)
    kept = _KEPT if cut else 0
    while estimate("\n".join(_lines(rules, told, further))) > BUDGET and (rules or further):
        (rules if len(rules) > kept or not further else further).pop()
    return "\n".join(_lines(rules, told, further))


def _lines(rules: Iterable[str], told: str, further: Iterable[str]) -> list[str]:
    return [line for line in (" ".join(rules), told, *further) if line]


def _waiting_text(waiting: Waiting) -> str:
    flags, notes = waiting
    if flags <= 0 and notes <= 0:
        return ""
    said = []
    if flags > 0:
        said.append("1 flag" if flags == 1 else f"{flags} flags")
    if notes > 0:
        said.append("1 new note" if notes == 1 else f"{notes} new notes")
    elif flags > 0:
        said[0] += " on a note" if flags == 1 else " on notes"
    waits = "waits" if max(flags, 0) + max(notes, 0) == 1 else "wait"
    return f"{', '.join(said)} {waits} for the user (`ai-kb vault review`)."


def _store_text(store: Store | None) -> str:
    if store is None:
        return ""
    text = f"Org store: index in {store.place}"
    if store.nodes is not None and store.project:
        if store.nodes == 0:  # then its name is nobody's word but the repository's
            text += ", no node concerns this project"
        else:
            many = "1 node concerns" if store.nodes == 1 else f"{store.nodes} nodes concern"
            text += f", {many} {store.project}"
    return text + "."


def project_told(
    project: Project, vault: str | None, blot: Callable[[str], str], beside: str = ""
) -> tuple[str, bool]:
    """A project's note as a session is told it, and whether a list of it is cut.

    Then the first rules and the line *beside* it have room too.
    """
    whole = project_text(project, blot, None)
    if estimate(whole) <= BUDGET:
        return whole, False
    kept = " ".join(RULES[:_KEPT]).format(vault=vault) if vault else ""
    return project_text(project, blot, BUDGET - estimate(kept) - estimate(beside)), True


def project_text(project: Project, blot: Callable[[str], str], budget: int | None) -> str:
    """A project's note in one line of at most *budget* tokens (None: of any length).

    The end of the tags is cut first: they can be asked for, what is so in this project alone cannot.
    """
    note = project.note
    path = plain(project.path, LONGEST_ITEM, blot)
    name = plain(note.name, _LONGEST_NAME, blot)
    start = f"Project {name} ({path})" if name and not reads_like_order(name) else f"Project {path}"
    sentence = told_sentence(note, blot)
    if sentence:
        start += f': "{sentence}"'
    elif note.description:
        start += ": its description reads like an order and is left out."
    else:
        start += "."
    named = [tag for tag in note.tags if TAG.fullmatch(tag) and not reads_like_order(tag)]
    tags = [tag for tag in named[:_MOST_TAGS] if blot(tag) == tag]
    lines = [plain(line, LONGEST_ITEM, blot) for line in note.produces[:_MOST_ITEMS]]
    items = [line.rstrip(".;") for line in lines if line and not reads_like_order(line)]
    orders = sum(map(reads_like_order, lines))
    left_tags = max(0, len(named) - _MOST_TAGS)
    left_items = max(0, len(note.produces) - _MOST_ITEMS)
    shown_tags, shown_items = len(tags), len(items)
    while True:
        text = start + _list(" Tags: ", tags, shown_tags, ", ", left_tags)
        text += _list(" Produces: ", items, shown_items, "; ", left_items)
        if orders:
            what = (
                "1 that reads like an order" if orders == 1 else f"{orders} that read like orders"
            )
            text += f" Left out of produces: {what}."
        if budget is None or estimate(text) <= budget or not (shown_tags or shown_items):
            return text
        if shown_tags:
            shown_tags -= 1
        else:
            shown_items -= 1


def told_sentence(note: ProjectNote, blot: Callable[[str], str]) -> str:
    """The sentence that is told; empty where there is none, or where it reads like an order."""
    text = summarise(plain(note.description, _LONGEST_READ, blot), LONGEST_SENTENCE)
    return "" if reads_like_order(text) else text


def _list(lead: str, items: list[str], shown: int, between: str, further: int) -> str:
    if not items:
        return ""
    left = len(items) - shown + further
    rest = [f"{left} more in the note"] if left else []
    return lead + between.join([*items[:shown], *rest]) + "."


def plain(text: str, most: int, blot: Callable[[str], str]) -> str:
    """A note's words as words: one line, nothing unseen, no mark-up, no secret, at most *most* signs."""
    text = _TERMINAL.sub("", text[: 20 * most])  # far beyond what is shown: no secret is cut in two
    text = shown(text, lambda _: "")
    text = "".join(" " if c.isspace() else c for c in text if c.isspace() or _seen(c))
    return cut(blot(" ".join(text.split())).translate(_MARKUP), most)


def _seen(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    return unicodedata.category(character) not in _UNSEEN
