"""One Markdown file with everything that readers and rules want to know of it, each found out once."""

from __future__ import annotations

import posixpath
from functools import cached_property

from aikb.formats.markdown.front import FrontMatter, read_front_matter
from aikb.formats.markdown.links import NoteLink, find_links
from aikb.formats.markdown.mask import mask
from aikb.formats.markdown.plain import first_heading, one_line, opening
from aikb.formats.org.decode import Decoded, decode

MOST_READ = 4 << 20  # of a file's bytes; what is larger is no note, and its beginning says enough


class MarkdownDocument:
    """A file's path (relative to its source) and bytes, read lazily."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    @cached_property
    def decoded(self) -> Decoded:
        """The bytes as text, and what was odd about them."""
        return decode(self.data[:MOST_READ])

    @cached_property
    def text(self) -> str:
        """The text with ``\\n`` line ends, whichever the file has."""
        text = self.decoded.text
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text

    @cached_property
    def front(self) -> FrontMatter:
        """The front matter."""
        return read_front_matter(self.text)

    @cached_property
    def body(self) -> str:
        """What follows the front matter."""
        return self.text[self.front.body :]

    @cached_property
    def masked(self) -> str:
        """The body with code blanked out."""
        return mask(self.body)

    @cached_property
    def title(self) -> str:
        """The front matter's title, else the first heading of depth one, else the file's name."""
        title = one_line(self.front.first("title"))
        name = posixpath.basename(self.path).rpartition(".")[0]
        return title or one_line(first_heading(self.text, self.front.body)) or name

    @cached_property
    def opening(self) -> str:
        """The first paragraph in plain words."""
        return opening(self.text, self.front.body)

    @cached_property
    def links(self) -> list[NoteLink]:
        """The links to other files; positions are offsets into :attr:`body`."""
        return list(find_links(self.masked))

    @property
    def aliases(self) -> tuple[str, ...]:
        """The other names that the front matter gives."""
        values = self.front.values
        return tuple(
            a.strip() for k in ("aliases", "alias") for a in values.get(k, ()) if a.strip()
        )

    def line(self, pos: int) -> int:
        """The file's line, from 1, of an offset into :attr:`body`."""
        return self.text.count("\n", 0, self.front.body + pos) + 1
