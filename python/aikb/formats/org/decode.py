"""Bytes of a file to the text that Emacs would show, and what was odd about them."""

from __future__ import annotations

from typing import NamedTuple


class Decoded(NamedTuple):
    """``text`` has ``\\n`` line ends only where Emacs would have decoded them.

    ``eol`` is one of ``lf``, ``crlf``, ``cr``, ``mixed``; ``problem`` says why the bytes are not
    plain UTF-8, with the line, or is None.
    """

    text: str
    eol: str
    bom: bool
    problem: tuple[int, str] | None


def decode(data: bytes) -> Decoded:
    """Decode a file's bytes; never raises.

    Emacs converts CRLF only when every line ends so; a mixture stays as it is, carriage returns
    included, which is how a CRLF drawer in an LF file loses its node.
    """
    bom = data.startswith(b"\xef\xbb\xbf")
    problem = None
    try:
        text = data.decode("utf-8-sig" if bom else "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = (line, _describe(data, error))
        codec = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
        text = data.decode(codec, "replace")
    if "\r" not in text:
        return Decoded(text, "lf", bom, problem)
    crlf = text.count("\r\n")
    returns, feeds = text.count("\r"), text.count("\n")
    if crlf == returns == feeds:
        return Decoded(text.replace("\r\n", "\n"), "crlf", bom, problem)
    if feeds == 0:
        return Decoded(text.replace("\r", "\n"), "cr", bom, problem)
    return Decoded(text, "mixed", bom, problem)


def _describe(data: bytes, error: UnicodeDecodeError) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "the file is UTF-16, not UTF-8"
    return f"byte 0x{data[error.start]:02x} is not UTF-8"
