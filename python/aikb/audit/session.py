"""The audit of one session: proposals are decided here, notes and flags written in one commit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.audit import discrepancy, flags, gate, produces
from aikb.audit.candidate import Answer, read_answer, schema
from aikb.audit.extract import SAYS, extract, passed_over
from aikb.audit.flags import Flag
from aikb.audit.notes import MOST, Creation, propose_notes
from aikb.audit.question import material_text, question
from aikb.formats.project_note import TAG
from aikb.model import Change, Draft
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aikb.audit.candidate import Candidate
    from aikb.audit.discrepancy import Doubt, Procedure
    from aikb.audit.gather import Material
    from aikb.audit.review import Vault
    from aikb.formats.project_note import ProjectNote
    from aikb.tools.agent import Agent, Reply
    from aikb.writing.ground import Ground
    from aikb.writing.write import Written


class Session(NamedTuple):
    """Whose session it was: its id, the end of what it said, its day, and how many notes there is room for."""

    id: str
    transcript: str
    today: str
    most: int = MOST


class Result(NamedTuple):
    """What an audit came to, in counts and in words."""

    agent: str
    proposed: int
    created: tuple[str, ...]
    covered: int
    rejected: int
    flagged: int
    confirmed: int
    left: int
    words: tuple[str, ...]
    written: Written | None


class Audit:
    """One session's audit.  ``project_note`` is the vault's, at ``project_path``, if it has one."""

    def __init__(
        self, vault: Vault, material: Material, session: Session, types: Sequence[str],
        project_note: ProjectNote | None, project_path: str,
    ) -> None:  # fmt: skip
        self.vault = vault
        self.material = material
        self.session = session
        self.project_note = project_note
        self.project_path = project_path
        self.types = (*types, *produces.types(project_note))
        self.notes = vault.source.snapshot().notes
        self.procedures: list[Procedure] = discrepancy.followed(
            self.notes, material, session.transcript, self._linked(), vault.source.read
        )

    def _linked(self) -> set[str]:
        if self.project_note is None:
            return set()
        try:
            text = self.vault.source.read(self.project_path).decode("utf-8", "replace")
        except Exception:  # it was there a moment ago
            return set()
        return discrepancy.links_in(text)

    def ask(self, agent: Agent, seconds: float) -> Reply:
        """Ask an agent about this session."""
        used = Counter(tag for note in self.notes for tag in note.tags)
        note = self.project_note
        own = [tag for tag in note.tags if TAG.fullmatch(tag)] if note else []
        tags = dict.fromkeys([*own, *sorted(used, key=lambda tag: (-used[tag], tag))])
        asked = question(self.material.project, self.types, list(tags))
        return agent.ask(asked, material_text(self.material, self.procedures), schema(), seconds)

    def conclude(self, value: Any, agent: str) -> Result:
        """Decide on an agent's answer, and write what comes of it."""
        answer = read_answer(value)
        doubts, confirmed, findings = discrepancy.judge(answer.discrepancies, self.procedures)
        answer = answer._replace(findings=(*answer.findings, *findings))
        return self._write(answer, doubts, confirmed, agent)

    def conclude_alone(self) -> Result:
        """The same without an agent: what can be seen in the material itself."""
        answer = Answer(extract(self.material), findings=tuple(passed_over(self.material)))
        doubts = discrepancy.check(self.procedures, self.material)
        return self._write(answer, doubts, 0, "")

    def _write(self, answer: Answer, doubts: Sequence[Doubt], confirmed: int, agent: str) -> Result:
        words = [finding.message for finding in answer.findings]
        if not agent:
            words.insert(0, f"no agent: {SAYS}")
        passed, rejected = [], 0
        for candidate in answer.candidates:
            why = gate.why_not(candidate, self.types)
            if why:
                rejected += 1
                words.append(f"not created '{candidate.title}': {why}")
            else:
                passed.append(self._draft(candidate))
        wanted = self._flags(answer, doubts)
        creation = Creation()
        made: list[Flag] = []

        def propose(ground: Ground) -> Proposal:
            nonlocal creation, made
            creation = propose_notes(
                self.vault.source, ground, passed, self.session.today, self.session.most
            )
            made = self._fresh(wanted)
            changes = [*creation.changes, *(Change(f.file, None, flags.render(f)) for f in made)]
            return Proposal(
                tuple(changes), self._message(len(creation.changes), len(made)), keep_good=True
            )

        written = self.vault.write_path.write(propose, sends=False) if passed or wanted else None
        refused = set(written.refused) if written else set()
        created = [c.path for c in creation.changes if c.path not in refused] + list(
            creation.before
        )
        if written:
            words += [f.message for f in written.findings if f.path in refused]
        words += [f"'{title}' is covered by {path}" for title, path in creation.covered]
        return Result(
            agent or "none", len(answer.candidates), tuple(created), len(creation.covered),
            rejected + len([c for c in creation.changes if c.path in refused]),
            len([f for f in made if f.file not in refused]), confirmed, len(creation.left), tuple(words),
            written,
        )  # fmt: skip

    def _draft(self, candidate: Candidate) -> Draft:
        return Draft(
            title=candidate.title, type=candidate.type, tags=candidate.tags,
            projects=(self.material.project,), source=self.source, body=candidate.body, unreviewed=True,
        )  # fmt: skip

    @property
    def source(self) -> str:
        """Where a note comes from, as its front matter says it."""
        return (
            f"audit of {self.material.project} at {self.material.head[:8]}, "
            f"session {self.session.id[:8]}"
        )

    def _flags(self, answer: Answer, doubts: Sequence[Doubt]) -> list[Flag]:
        by = {"project": self.material.project, "session": self.session.id[:40],
              "flagged": self.session.today}  # fmt: skip
        wanted = [
            Flag(
                "update" if d.new or d.old else "ambiguous",
                d.path,
                d.digest,
                d.reason,
                d.old,
                d.new,
                **by,
            )
            for d in doubts
        ]
        wanted += [
            flag._replace(**by)
            for flag in produces.proposed(
                answer.exceptions, self.project_note, self.project_path, self.material.project
            )
        ]
        return wanted

    def _fresh(self, wanted: Sequence[Flag]) -> list[Flag]:
        """The flags that nobody was asked about yet, one for each place of a note."""
        root = self.vault.root
        asked = flags.closed(root)
        places = {(f.path, f.kind, f.old) for f in flags.waiting(root)[0] if f.kind == "update"}
        fresh: dict[str, Flag] = {}
        for flag in wanted:
            known = flag.id in asked or read_or_none(root, flag.file) is not None
            if not known and (flag.path, flag.kind, flag.old) not in places:
                fresh.setdefault(flag.id, flag)
        return list(fresh.values())

    def _message(self, notes: int, doubts: int) -> str:
        parts = [
            f"{n} {what}{'s' if n > 1 else ''}"
            for n, what in ((notes, "note"), (doubts, "flag"))
            if n
        ]
        return f"audit: {' and '.join(parts) or 'nothing'} from {self.material.project}\n\n{self.source}"
