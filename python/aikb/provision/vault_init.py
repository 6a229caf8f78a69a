"""``ai-kb vault init``: a folder of notes becomes a repository, and no note is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aikb.errors import StoreError
from aikb.formats.counted import counted
from aikb.model import Change
from aikb.provision.clone import BRANCH, check_out
from aikb.provision.hook import driver
from aikb.provision.init import Step
from aikb.sync.remote import REMOTE, remote_url
from aikb.tools.git import Git
from aikb.writing.files import read_or_none
from aikb.writing.gate import Proposal
from aikb.writing.vault_proposals import propose_commit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from aikb.sources.markdown_vault import MarkdownVault
    from aikb.writing.ground import Ground
    from aikb.writing.write import WritePath

_SETTINGS = {
    "merge.ai-kb-generated.driver": "true",  # keep ours: `ai-kb vault index` makes it anew
    "merge.ai-kb-generated.name": "generated pages of ai-kb",
    "merge.ai-kb-note.name": "notes of ai-kb, key by key",
}
_LINES = {
    ".gitattributes": ("*.md merge=ai-kb-note", "vault-index.json merge=ai-kb-generated"),
    ".gitignore": (".obsidian/workspace*", ".trash/", ".ai-kb/"),
}


def initialise(
    root: str,
    env: Mapping[str, str],
    open_vault: Callable[[], tuple[MarkdownVault, WritePath]],
    program: str,
) -> list[Step]:
    """All steps, as they were done.

    *open_vault* gives the vault once there is a repository; git calls *program* to merge notes.

    Raises:
        StoreError: the folder is part of another repository.
        GitError, DiskError: a step failed; what was done before stays, and it may be run again.
    """
    git = Git(root, env)
    fresh = not git.exists()
    if fresh:
        if above := _repository_above(git):
            raise StoreError(
                f"'{root}' lies in the repository '{above}'",
                "Commit the notes there, or move the vault out of it.",
            )
        git.ask("init", "--quiet", f"--initial-branch={BRANCH}")
    elif git.run("for-each-ref", f"refs/remotes/{REMOTE}").out:
        check_out(git)
    steps = [
        Step("writing", root, "a new repository")
        if fresh
        else Step("skipping", root, "already a repository"),
        _set_merge(git, program),
    ]
    lines = {path: data for path in _LINES if (data := _with_lines(root, path))}
    if fresh or lines:
        vault, write_path = open_vault()
        written = write_path.write(lambda ground: _propose(vault, ground, lines, fresh=fresh))
        bad = [f for f in written.findings if f.severity == "error"]
        steps += [Step("refusing", f"{f.path}:{f.line}", f"{f.code}: {f.message}") for f in bad]
        if fresh:
            steps.append(Step("writing", "first commit", counted(len(written.paths), "file")))
    for path in _LINES:
        verb, detail = ("writing", "our lines") if path in lines else ("skipping", "already there")
        steps.append(Step(verb, path, detail))
    if not remote_url(git):
        why = "on this machine alone; `git remote add origin URL` in the vault mends that"
        steps.append(Step("skipping", "backup", why))
    return steps


def _propose(
    vault: MarkdownVault, ground: Ground, lines: Mapping[str, bytes], *, fresh: bool
) -> Proposal:
    """Our own two files, and in a new repository all that is in the folder."""
    own = tuple(Change(path, read_or_none(vault.root, path), data) for path, data in lines.items())
    if not fresh:
        return Proposal(own, "vault: begin")
    proposal = propose_commit(vault, ground, ())
    others = tuple(change for change in proposal.changes if change.path not in lines)
    return proposal._replace(changes=(*own, *others), message="vault: begin")


def _set_merge(git: Git, program: str) -> Step:
    wanted = _SETTINGS | {"merge.ai-kb-note.driver": driver(program)}
    missing = {name: value for name, value in wanted.items() if git.config().get(name) != value}
    for name, value in missing.items():
        git.set_config(name, value)
    if missing:
        return Step("writing", "git settings", "how two machines' notes and indexes are merged")
    return Step("skipping", "git settings", "already set")


def _repository_above(git: Git) -> str:
    result = git.run("rev-parse", "--show-toplevel")
    return result.out.decode("utf-8", "replace").strip() if result.ok else ""


def _with_lines(root: str, path: str) -> bytes | None:
    """The file with our lines added, or None if it has them all."""
    before = (read_or_none(root, path) or b"").decode("utf-8", "surrogateescape")
    missing = [line for line in _LINES[path] if line not in before.splitlines()]
    if not missing:
        return None
    if before and not before.endswith("\n"):
        before += "\n"
    return (before + "\n".join(missing) + "\n").encode("utf-8", "surrogateescape")
