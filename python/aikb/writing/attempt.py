"""A merge tried until the rules take it: what was decided about it, and what becomes of that."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from aikb.errors import ValidationFailedError
from aikb.formats.counted import counted
from aikb.sync import decisions
from aikb.sync.conflict import BrokenMergeError, MergeConflictError
from aikb.sync.settle import BARE, WHOLE
from aikb.writing import ground as grounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from aikb.model import Finding
    from aikb.sync.conflict import Decided
    from aikb.sync.settle import Settler
    from aikb.sync.sides import Plan
    from aikb.writing.gate import Proposal
    from aikb.writing.ground import Ground
    from aikb.writing.write import WritePath

    Made = list[tuple[Plan, Settler]]

T = TypeVar("T")


def until_taken(attempt: Callable[[dict[str, int]], T], made: Made, command: str) -> T:
    """What *attempt* gives, which works out a merge and holds it against the rules.

    Where they refuse what a person's decision made of a file, it is tried again with one side's whole
    file, so that every decision ends its conflict.  *attempt* is told of which paths, and adds to *made*
    what it worked out.

    Raises:
        MergeConflictError: what both sides changed makes no good node, and nobody decided about it.
        ValidationFailedError: the rules refuse what nobody can decide.
    """
    whole: dict[str, int] = {}
    while True:
        try:
            return attempt(whole)
        except ValidationFailedError as error:
            plan, settler = made[-1]
            more = _refused(plan, settler, error, command)
            if all(whole.get(path) == BARE for path in more):
                raise
            whole = whole | {path: BARE if path in whole else WHOLE for path in more}


def rehearse(path: WritePath, propose: Callable[[Ground], Proposal]) -> tuple[Finding, ...]:
    """What the rules say of a change, without Emacs; nothing is written.

    Raises:
        ValidationFailedError: the write path would refuse it.
    """
    ground = grounds.look(path.store, path.git, path.git.status(), path.index_id)
    proposal = propose(ground)
    if proposal.onto and proposal.onto.index_id:
        ground = ground._replace(index_id=proposal.onto.index_id)
    path.gate.settings = proposal.settings_after(path.settings)
    return tuple(path.gate.accept(ground, proposal)[1])


def _refused(plan: Plan, settler: Settler, error: ValidationFailedError, command: str) -> set[str]:
    """The decided files that the rules refuse; a file about which nothing was decided is a conflict."""
    bad = {f.path for f in error.findings if f.severity == "error"} & plan.fresh.keys()
    files = {plan.fresh[path].path: plan.fresh[path] for path in sorted(bad)}
    more = set()
    for path, versions in files.items():
        sides = settler.sides_of(path)
        if len(sides) == 1:
            more.add(path)
        else:
            settler.broken(versions, plan.files.get(path), mixed=len(sides) > 1)
    if settler.conflicts:
        findings = [seen(finding, plan) for finding in error.findings]
        raise MergeConflictError(
            settler.conflicts, findings, command, tuple(settler.decided.values())
        ) from error
    return more


def seen(finding: Finding, plan: Plan) -> Finding:
    """A finding about a merged text, which nobody has seen: it says so, and has the line's words."""
    data = plan.files.get(finding.path)
    if finding.path not in plan.fresh or data is None:
        return finding
    lines = data.decode("utf-8", "replace").split("\n")
    words = lines[finding.line - 1].strip() if 0 < finding.line <= len(lines) else ""
    return finding._replace(message=f"{finding.message} (where both are merged: {words[:80]!r})")


@contextmanager
def forgetting(directory: str, command: str) -> Iterator[None]:
    """A refusal that is no conflict ends what was decided: another choice may lead out of it.

    Raises:
        BrokenMergeError, ValidationFailedError: as raised inside; the hint says what was forgotten.
    """
    try:
        yield
    except (BrokenMergeError, ValidationFailedError) as error:
        if known := decisions.read(directory):
            decisions.forget(directory)
            error.hint = " ".join([_way_out(known, command), error.hint or ""]).strip()
        raise


def _way_out(known: Iterable[str], command: str) -> str:
    names = ", ".join(sorted(known)[:3])
    return (
        f"What was decided ({names}) is forgotten: decide otherwise (`{command}` lists the conflicts), or "
        "mend it so:"
    )


def message_of(plan: Plan, decided: Iterable[Decided]) -> str:
    """What the commit of a merge says: what was merged by pieces, and what was decided."""
    if plan.forward:
        return "sync: index of what came from the remote"
    paths = sorted(plan.fresh)
    lines = [f"Merged by pieces: {path}" for path in paths]
    lines += [f"Decided: {one.key} {one.side}" for one in decided]
    head = f"sync: merge the remote's {plan.commit[:10]} ({counted(len(plan.files), 'file')})"
    return "\n".join([head, *([""] if lines else []), *lines])
