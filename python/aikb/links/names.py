"""Which note of a vault a link's target means: by path, by name, or by alias."""

from __future__ import annotations

import posixpath
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SUFFIX = ".md"


class Names:
    """The paths of a vault by what a link may call them; letters' case does not matter.

    ``aliases`` maps paths to the other names that their notes give themselves.
    """

    def __init__(
        self, paths: Iterable[str], aliases: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        self._by_path: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        self._by_alias: dict[str, list[str]] = {}
        for path in sorted(paths, key=lambda path: (path.count("/"), path)):
            key = _fold(path)
            self._by_path.setdefault(key, []).append(path)
            self._by_name.setdefault(posixpath.basename(key), []).append(path)
        for path, names in (aliases or {}).items():
            for name in names:
                self._by_alias.setdefault(_fold(name), []).append(path)

    def resolve(self, target: str, source: str = "") -> str | None:
        """The path of the note that *target* means in the note at *source*; None: there is none.

        A path counts from the vault's root or from the linking note; a bare name, or the end of a
        path, is looked for everywhere, and of several the nearest to the root is meant.
        """
        found = self.candidates(target, source)
        return found[0] if found else None

    def candidates(self, target: str, source: str = "") -> list[str]:
        """All notes that *target* may mean, the likeliest first."""
        key = _fold(target)
        if not key or key == ".":
            return []
        folder = posixpath.dirname(_fold(source + _SUFFIX if source else ""))
        relative = posixpath.normpath(posixpath.join(folder, key))
        found: list[str] = []
        if key.startswith((".", "/")):
            plain = posixpath.normpath(key.lstrip("/")) if key[0] == "/" else relative
            found += self._by_path.get(plain, [])
        else:
            found += self._by_path.get(key, [])
            found += self._by_path.get(relative, [])
            tail = f"/{key}"
            named = self._by_name.get(posixpath.basename(key), [])
            found += [path for path in named if f"/{_fold(path)}".endswith(tail)]
            found += self._by_alias.get(key, [])
        return list(dict.fromkeys(found))


def _fold(path: str) -> str:
    """A path or name as it is compared: composed, in small letters, without its suffix."""
    if not path.isascii():
        path = unicodedata.normalize("NFC", path)
    return path.casefold().removesuffix(_SUFFIX).strip()
