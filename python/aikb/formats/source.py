"""What a note's SOURCE says: a capture, an address, somebody outside, or anything else.

String methods only: ``find`` prints from here and waits for every import.
"""

from __future__ import annotations

LABEL = "outside, quoted"  # stands beside what :func:`as_said` gives


def _bare(source: str) -> str:
    return source.strip().removeprefix("[[").removeprefix("file:").removeprefix("./")


def capture_of(source: str) -> str:
    """The path that a SOURCE names in ``raw/``, or an empty string; see :func:`is_safe`."""
    bare = _bare(source)
    if not bare.startswith("raw/"):
        return ""
    return bare.split()[0].partition("]")[0].partition("::")[0].rstrip(",;")


def url_of(source: str) -> str:
    """The address that a SOURCE is, or an empty string."""
    bare = _bare(source)
    if not bare.lower().startswith(("http://", "https://")):
        return ""
    return bare.split()[0].partition("]")[0]


def is_outside(source: str) -> bool:
    """Whether a SOURCE says that somebody outside wrote what the note is made from."""
    bare = _bare(source).lower()
    if bare.startswith(("raw/", "www.", "doi:")):
        return True
    scheme, sign, _ = bare.partition("://")
    return bool(sign) and scheme.replace("+", "").replace("-", "").isalnum()


def as_said(words: str, source: str) -> str:
    """A title or a summary in one line, in quotation marks if somebody outside wrote it."""
    return '"' + words.replace('"', "'") + '"' if words and is_outside(source) else words


def is_safe(path: str) -> bool:
    """Whether a capture's path stays in ``raw/``."""
    return path.startswith("raw/") and not {"", ".", ".."} & set(path.split("/"))
