"""The door to trafilatura: the readable text of a page, without menus, scripts and hidden words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.tools.child import answer, call

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECONDS = 20.0
_LARGEST_HTML = 4 << 20
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_DECLARED = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_HTML = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype html|html|head|body)", re.IGNORECASE | re.DOTALL
)
_CODECS = re.compile(
    r"(?:utf-?(?:8|16|32)|iso-?|windows-|cp\d|koi8|gb|big5|shift|sjis|euc|latin|mac|us-ascii|ascii|tis)",
    re.IGNORECASE,
)  # punycode and its like take for ever
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class Reading(NamedTuple):
    """A page's title and text; ``problem`` says why there is no text."""

    title: str
    text: str
    problem: str = ""


def read(data: bytes, content_type: str, env: Mapping[str, str]) -> Reading:
    """The words in a page's or file's bytes; never raises.

    Plain text is given as it is, HTML is read by trafilatura in a child with bounds.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Reading("", "", "it is binary")
    if kind not in {"", "application/xhtml+xml"} and not is_text(kind):
        return Reading("", "", f"it is {kind}")
    text = decode(data, content_type)
    if not (
        kind.endswith("html") or kind == "application/xhtml+xml" or (not kind and looks_html(data))
    ):
        return Reading("", text)
    if len(data) > _LARGEST_HTML:
        return Reading("", "", f"more than {_LARGEST_HTML >> 20} MiB of HTML are not read")
    said = call(
        "aikb.tools.readable", {}, text.encode("utf-8", "replace"), seconds=_SECONDS, env=env
    )
    if said.failure:
        return Reading("", "", f"no text could be read from it: {said.failure}")
    return Reading(said.values["title"], said.data.decode("utf-8", "replace"))


def is_text(kind: str) -> bool:
    """Whether a content type is words."""
    return kind.startswith("text/") or kind.endswith(("json", "xml", "yaml", "javascript"))


def looks_html(data: bytes) -> bool:
    """Whether bytes begin as HTML does."""
    return bool(_HTML.match(data[:5000]))


def decode(data: bytes, content_type: str = "") -> str:
    """Bytes as text, by their mark, as UTF-8, as they are declared, and else byte by byte.

    UTF-8 stands before what is declared, because servers often declare wrongly and other text is
    hardly ever valid UTF-8 by chance.
    """
    names = [name for mark, name in _BOMS if data.startswith(mark)]
    declared = [m.group(1) for m in [_DECLARED.search(content_type)] if m]
    declared += [m.group(1).decode() for m in [_META.search(data[:4096])] if m]
    shifting = [name for name in declared if name.lower().startswith("iso-2022")]
    for name in [*names, *shifting, "utf-8", *declared]:
        if not _CODECS.match(name):
            continue
        try:
            return data.decode(name)
        except (UnicodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")


def serve() -> None:
    """The child's side."""
    answer(_work)


def _work(_: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    import logging

    from trafilatura import bare_extraction, html2txt

    logging.disable(logging.CRITICAL)
    html = data.decode("utf-8", "replace")
    found = bare_extraction(html, include_comments=False, with_metadata=True)
    text = getattr(found, "text", "") or html2txt(html) or _all_words(html)
    title = getattr(found, "title", "") or _title(html)
    return {"title": title or ""}, text.encode("utf-8", "replace")


def _all_words(html: str) -> str:
    """Every word of a page that is too short to have a main part."""
    from lxml import etree
    from lxml.html import fromstring

    try:
        tree = fromstring(html)
    except (etree.LxmlError, ValueError):
        return ""
    for element in tree.iter("script", "style", "template"):
        element.text = None
    lines = (" ".join(words.split()) for words in tree.itertext())
    return "\n".join(line for line in lines if line)


def _title(html: str) -> str:
    import html as entities

    match = re.search(r"<title[^>]*>([^<]{1,500})", html, re.IGNORECASE)
    return entities.unescape(match.group(1)).strip() if match else ""
