"""Compare what ai-kb-batch.el reads with what org-roam stored for real collections.

Usage: compare_truth.py [NAME ...]        (default: every collection that has a truth file)

The collections lie outside the project, in the directory that AI_KB_CORPORA names
(default: shared/corpora beside the checkout), as org/NAME.tar.xz and truth/NAME.json.xz.
Each difference is printed; the exit code is 1 if there was one.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import sexpdata

ROOT = Path(__file__).resolve().parents[2]
WORKER = ROOT / "elisp" / "ai-kb-batch.el"
# What org-entry-properties adds although no drawer has it.
# fmt: off
SPECIAL = frozenset((
    "ALLTAGS", "BLOCKED", "CATEGORY", "CLOCKSUM", "CLOCKSUM_T", "CLOSED", "DEADLINE", "FILE",
    "ITEM", "PRIORITY", "SCHEDULED", "TAGS", "TIMESTAMP", "TIMESTAMP_IA", "TODO",
))
# fmt: on
Differences = list[tuple[str, str, object, object]]


def plist(items: list[Any]) -> dict[str, Any]:
    """Turn (:key value ...) into a dictionary."""
    return {str(items[i]).lstrip(":"): items[i + 1] for i in range(0, len(items), 2)}


def read_all(paths: list[Path]) -> list[dict[str, Any]]:
    """Ask one Emacs for all PATHS and check the protocol on the way."""
    command = ["emacs", "-Q", "--batch", "-l", str(WORKER), "-f", "ai-kb-batch-serve"]
    answer = subprocess.run(
        command, input="".join(f"{p}\n" for p in paths).encode(), stdout=subprocess.PIPE, check=True
    )
    forms = [sexpdata.loads(line.decode()) for line in answer.stdout.split(b"\n")[:-1]]
    assert str(forms[0][0]) == "ready", forms[0]
    assert forms[-1][1] == len(paths), forms[-1]
    assert [form[1] for form in forms[1:-1]] == [str(p) for p in paths]
    return [plist(form[2:]) for form in forms[1:-1]]


def compare_nodes(name: str, ours: dict[str, Any], truth: dict[str, Any]) -> Differences:
    """Compare the nodes of the file NAME."""
    found: Differences = []
    element = truth["element"][name]
    mine = [plist(node) for node in ours["nodes"]]
    wanted_ids = [i for i in [element["fileid"], *(h["id"] for h in element["heads"])] if i]
    my_ids = [node["id"] for node in mine if node["id"]]
    if my_ids != wanted_ids:
        found.append((name, "ids", my_ids, wanted_ids))
    titles = [value for key, value in element["keywords"] if key == "TITLE"]
    for node in mine:
        stored = truth["nodes"].get(node["id"]) if node["id"] else None
        if not stored or stored["file"] != name:
            continue
        has_title = node["level"] > 0 or titles
        stored_properties = [(k, v) for k, v in stored["properties"] if k not in SPECIAL]
        properties = [(k, v) for k, _, v in node["properties"] if k not in SPECIAL]
        pairs = [
            ("level", node["level"], stored["level"]),
            ("title", node["title"], stored["title"] if has_title else []),
            # One id in two places has the tags of both in the database.
            ("tags", set(node["tags"]), truth["tags"].get(node["id"], set())),
            # org-entry-properties gives its result backwards.
            ("properties", sorted(properties), sorted(stored_properties)),
        ]
        found += [(name, what, mine_, theirs) for what, mine_, theirs in pairs if mine_ != theirs]
    return found


def compare_links(
    names: list[str], ours: list[dict[str, Any]], truth: dict[str, Any]
) -> Differences:
    """Compare the id links of the files NAMES, taken together.

    org-roam drops links outside any node; the parse tree has those, but lacks the links in
    properties and keywords, which org-roam stores at position 1.
    """
    mine = Counter(target for answer in ours for target, _ in answer["links"])
    outside = Counter(
        link["path"]
        for name in names
        for link in truth["element"][name]["links"]
        if link["src"] is None
    )
    wanted = sum((truth["links"].get(name, Counter()) for name in names), Counter())
    if wanted - mine or (mine - wanted) - outside:
        return [(names[0], "links", dict(mine - wanted - outside), dict(wanted - mine))]
    return []


def groups(truth: dict[str, Any]) -> list[list[str]]:
    """Divide the files so that those that share an id are together.

    The database has one node for such an id, and the links of both files come from that.
    """
    files_of: dict[str, list[str]] = {}
    for name, element in truth["element"].items():
        for node_id in [element["fileid"], *(head["id"] for head in element["heads"])]:
            files_of.setdefault(node_id or name, []).append(name)
    group = {name: [name] for name in truth["element"]}
    for names in files_of.values():
        joined = sorted({member for name in names for member in group[name]})
        group.update(dict.fromkeys(joined, joined))
    return [members for name, members in sorted(group.items()) if name == members[0]]


def load_truth(path: Path) -> dict[str, Any]:
    """Read a truth file, indexed as the comparisons need it."""
    raw = json.loads(lzma.decompress(path.read_bytes()))
    roam = raw["roam"]
    nodes = {node["id"]: node for node in roam["nodes"]}
    tags: dict[str, set[str]] = {}
    for node_id, tag in roam["tags"]:
        tags.setdefault(node_id, set()).add(tag)
    links: dict[str, Counter[str]] = {}
    for source, target, _, kind in roam["links"]:
        if kind == "id" and source in nodes:
            links.setdefault(nodes[source]["file"], Counter())[target] += 1
    return {
        "nodes": nodes,
        "tags": tags,
        "links": links,
        "element": {entry["file"]: entry for entry in raw["element"]},
        "files": [name for name, _ in roam["files"]],
    }


def compare(corpora: Path, name: str) -> bool:
    """Compare the collection NAME and print what differs; return whether nothing did."""
    truth = load_truth(corpora / "truth" / f"{name}.json.xz")
    with tempfile.TemporaryDirectory(prefix="ai-kb-truth-") as scratch:
        with tarfile.open(corpora / "org" / f"{name}.tar.xz") as archive:
            archive.extractall(scratch)
        roots = [p for p in [Path(scratch), Path(scratch) / name] if p.is_dir()]
        names = sorted(truth["element"])
        root = next(r for r in roots if all((r / n).is_file() for n in names))
        started = time.monotonic()
        answers = read_all([root / n for n in names])
        seconds = time.monotonic() - started
    differences: Differences = []
    for file_name, ours in zip(names, answers, strict=True):
        if "error" in truth["element"][file_name] or "error" in ours:
            differences.append(
                (file_name, "error", ours.get("error"), truth["element"][file_name].get("error"))
            )
        else:
            differences += compare_nodes(file_name, ours, truth)
    by_name = dict(zip(names, answers, strict=True))
    for group in groups(truth):
        readable = [name for name in group if "links" in by_name[name]]
        differences += compare_links(readable, [by_name[n] for n in readable], truth)
    for file_name, what, mine, theirs in differences:
        print(f"  {file_name}: {what}: here {mine!r}, org-roam {theirs!r}")
    read = [a for a in answers if "error" not in a]
    kinds = dict(Counter(what for _, what, _, _ in differences))
    print(
        f"{name}: {len(names)} files, "
        f"{sum(bool(plist(n)['id']) for a in read for n in a['nodes'])} nodes, "
        f"{sum(len(a['links']) for a in read)} id links, {seconds:.1f} s, "
        f"{len(differences)} differences {kinds or ''}"
    )
    return not differences


def main(arguments: list[str]) -> int:
    """Compare the collections that the ARGUMENTS name."""
    default = ROOT.parent / "shared" / "corpora"
    corpora = Path(os.environ.get("AI_KB_CORPORA") or default)
    names = arguments or sorted(p.name.split(".")[0] for p in (corpora / "truth").glob("*.json.xz"))
    if not names:
        print(f"no truth files in {corpora}/truth; set AI_KB_CORPORA", file=sys.stderr)
        return 2
    same = [compare(corpora, name) for name in names]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
