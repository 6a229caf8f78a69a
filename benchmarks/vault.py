"""Speed of the vault's index: 10,000 real notes from nothing, and with one of them changed.

The notes are those of the public vaults, as often as it takes.  A size can be given as an argument.
Exit code 1 if one change costs more than a tenth of the whole.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from measure import Ratio, compare, environment, run

CHECKOUT = Path(__file__).parent.parent
AI_KB = str(CHECKOUT / ".venv" / "bin" / "ai-kb")
CORPORA = Path(os.environ.get("AI_KB_CORPORA", CHECKOUT.parent / "shared" / "corpora"))


def fill(vault: Path, count: int, work: Path) -> Path:
    """Write *count* notes; returns one of them."""
    for archive in sorted((CORPORA / "markdown").glob("*.tar.xz")):
        with tarfile.open(archive) as opened:
            opened.extractall(work / "real")  # our own archives; Python 3.11.2 has no filter
    real = sorted((work / "real").rglob("*.md"))
    for number, source in zip(range(count), itertools.cycle(real), strict=False):
        folder = vault / f"folder {number % 60}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / f"{number} {source.name[-60:]}")
    return next(vault.rglob("7 *.md"))


def main() -> int:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory(prefix="ai-kb-bench-") as name:
        work = Path(name)
        vault = work / "vault"
        changed = fill(vault, count, work)
        env = environment(work / "home", work / "none") | {"AI_KB_VAULT": str(vault)}
        numbers = itertools.count()

        def index() -> None:
            run([AI_KB, "vault", "index"], env)

        def from_nothing() -> None:
            shutil.rmtree(work / "home", ignore_errors=True)
            (vault / "vault-index.json").unlink(missing_ok=True)
            index()

        def change() -> None:
            number = next(numbers)
            changed.write_text(
                f"---\ntitle: Changed {number}\ntags: [changed]\n---\nText {number}.\n"
            )

        from_nothing()
        times = compare(index, from_nothing, 3, change)
        row = Ratio(f"vault index, 1 of {count} notes changed, to all anew", *times, 0.1)
        print(row.render())
        find = compare(lambda: run([AI_KB, "vault", "find", "seed"], env), index, 5)
        print(f"vault find among {count}: {find[0] * 1000:.0f} ms")
    return 0 if row.kept else 1


if __name__ == "__main__":
    sys.exit(main())
