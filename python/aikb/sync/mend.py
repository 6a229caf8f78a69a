"""What is clean as text and breaks the store: found after a merge, mended where that is mechanical."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING

from aikb.model import Finding
from aikb.sync.conflict import BrokenMergeError, Versions
from aikb.tools import git_merge

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from aikb.sources.base import Mergeable
    from aikb.sync.sides import Plan
    from aikb.tools.git import Git


def keep_linked(git: Git, notes: Mergeable, plan: Plan, ours: Mapping[str, bytes]) -> None:
    """Take back that one side removed a node's file to which the other side made a link.

    The write path refuses to remove what is linked, so the removal would not have been written had the
    link been there.  *ours* are the files that our side changed.

    Raises:
        BrokenMergeError: it is a node inside of a file, which a person has to put back.
    """
    if plan.forward:
        return
    there = _ids(notes, plan.files) | _ids(
        notes, {p: d for p, d in ours.items() if p not in plan.files}
    )
    gone = {path: data for path, data in plan.gone.items() if plan.files.get(path) is None}
    lost = {node: path for path in gone for node in _ids(notes, {path: gone[path]}) - there}
    lost |= {node: path for node, path in plan.cut.items() if node not in there | lost.keys()}
    if not lost:
        return
    restored = False
    for path, data in sorted(_linking(git, plan, list(lost), gone).items()):
        for node in sorted(notes.targets(path, data) & lost.keys()):
            place = lost[node]
            if place not in gone:
                if plan.conflicts:  # what a person decides may keep it
                    continue
                raise BrokenMergeError(
                    f"one side removed the node {node} from '{place}', and the other links to it in '{path}'",
                    "Nothing was merged. Put the node back here, or take the link out here, commit it, and "
                    "sync again.",
                )
            if place in plan.gone:
                _restore(git, plan, place)
                restored = True
                words = f"one machine removed this, and {path} links to it: it was kept"
                plan.findings.append(Finding(place, 1, "warning", "kept-linked", words))
    if restored:  # what came back may link to what is gone
        keep_linked(git, notes, plan, ours)


def _restore(git: Git, plan: Plan, path: str) -> None:
    """Have a file as the side has it that did not remove it; nothing that was changed there is lost."""
    data = plan.gone.pop(path)
    if path in plan.files:  # it is theirs that removed it
        del plan.files[path]
        del plan.before[path]
    else:
        plan.files[path] = git.show(plan.commit, path) or data
        plan.before[path] = None


def _ids(notes: Mergeable, files: Mapping[str, bytes | None]) -> set[str]:
    """The ids in some files."""
    return {
        note.id
        for path, data in files.items()
        if data is not None and notes.is_note_path(path)
        for note in notes.notes_of(path, data)
    }


def _linking(
    git: Git, plan: Plan, ids: Sequence[str], gone: Container[str] = ()
) -> dict[str, bytes]:
    """The files of the merged store that may link to some ids."""
    patterns = [word for node in ids for word in ("-e", node)]
    result = git.run("grep", "-l", "-z", "-I", "-F", *patterns, plan.ours, "--")
    prefix = f"{plan.ours}:"
    names = [os.fsdecode(name).removeprefix(prefix) for name in result.out.split(b"\0") if name]
    names = [name for name in names if name not in plan.files and name not in gone]
    blobs = git.blobs([f"{plan.ours}:{name}" for name in names])
    found = {name: data for name, data in zip(names, blobs, strict=True) if data is not None}
    return found | {path: data for path, data in plan.files.items() if data is not None}


def one_index(git: Git, notes: Mergeable, plan: Plan, ours: str, theirs: str) -> None:
    """Two stores that were begun apart have two indexes: theirs stays, and our links lead to it."""
    if not ours or not theirs or ours == theirs:
        return
    old, new = f"id:{ours}".encode(), f"id:{theirs}".encode()
    for path, data in _linking(git, plan, [ours]).items():
        changed = data.replace(old, new)
        if changed == data or path in plan.pages[0] or not notes.is_note_path(path):
            continue
        plan.before.setdefault(path, data)
        plan.files[path] = changed


def one_name(git: Git, plan: Plan, free: Callable[[str], str]) -> None:
    """Give ours another name where theirs has one that some file systems take for the same."""
    made = [path for path, data in plan.files.items() if data is not None and not plan.before[path]]
    if not made:
        return
    here = {_folded(name): name for name in git_merge.names(git, plan.ours)}
    for path in made:
        ours = here.get(_folded(path), path)
        if ours == path or plan.files.get(ours, b"") is None:
            continue
        data = git.show(plan.ours, ours)
        name = free(ours)
        plan.before.update({ours: data, name: None})
        plan.files.update({name: plan.files.get(ours, data), ours: None})
        words = f"another machine made '{path}', which some file systems take for '{ours}'; ours is here now"
        plan.findings.append(Finding(name, 1, "warning", "renamed", words))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def follow_captures(notes: Mergeable, plan: Plan, ours: Mapping[str, bytes]) -> None:
    """Have our own notes and records name our captures by the names that they have now."""
    if not plan.renamed:
        return
    words = "|".join(re.escape(path) for path in plan.renamed)
    named = re.compile(rf"(?<![\w/])(?:{words})(?![\w-]|\.\w)".encode())
    for path, was in ours.items():
        name = plan.renamed.get(path, path)
        data = plan.files.get(name, was)
        if data is None:
            continue
        new = named.sub(lambda m: plan.renamed[m.group().decode()].encode(), data)
        if new == data:
            continue
        plan.before.setdefault(name, was)
        plan.files[name] = new
        if notes.is_note_path(name):
            plan.fresh.setdefault(name, Versions(name, None, was, None))
