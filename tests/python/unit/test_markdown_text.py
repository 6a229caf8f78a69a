"""Inline tags, links and plain words of Markdown, as Obsidian's users write it."""

from __future__ import annotations

import pytest

from aikb.formats.markdown.document import MarkdownDocument
from aikb.formats.markdown.mask import mask
from aikb.formats.markdown.notes import read_note
from aikb.formats.markdown.plain import opening, plain_text
from aikb.formats.markdown.tags import inline_tags, unique
from aikb.index.summary import summarise
from aikb.links.names import Names
from aikb.rules.vault import check_note


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a and #b/c, then (#no) x#no", ["a", "b/c"]),
        ("#a#b #1 #2024 #1a #a-b_c", ["a", "b", "1a", "a-b_c"]),
        ("# Heading #h\n##no\n#yes", ["h", "yes"]),
        ("- #item\n> #quote\n> - [ ] #task", ["item", "quote", "task"]),
        ("#\u6587\u7ae0\uff0c\u7136\u540e #\u5f85\u529e\u3002", ["\u6587\u7ae0", "\u5f85\u529e"]),
        ("#caf\u00e9 #\U0001f331 #a/ #/ #-", ["caf\u00e9", "\U0001f331", "a", "-"]),
        ("`#no` ``a ` #no`` #yes", ["yes"]),
        ("`open\n#yes", ["yes"]),
        ("`over two\n#no lines` #yes", ["yes"]),
        ("a ` b\n\n#yes ` c", ["yes"]),
        ("```\n#no\n```\n#yes", ["yes"]),
        ("````md\n```\n#no\n```\n````\n#yes", ["yes"]),
        ("~~~\n#no\n```\n#no\n~~~\n#yes", ["yes"]),
        ("> ```\n> #no\n> ```\n> #yes", ["yes"]),
        ("- a\n  ```\n  #no\n  ```\n  #yes", ["yes"]),
        ("```\n#no, never closed", []),
        ("    #no\n\ttext #no\n#yes", ["yes"]),
        ("- a\n\n    #yes\n\npara\n    #also", ["yes", "also"]),
        ("para\n\n    #no\n    #no\n\nend", []),
        ("[[a #no]] [[#no]] ![[x #no|y]] [b](c#no) [b](#no)", []),
        ("https://x.org/ #yes https://x.org/#no", ["yes"]),
        ('<span style="color: #no"> <a href="#no">#no</a>\n#yes', ["yes"]),
        ("<!-- #no\n#no --> #yes", ["yes"]),
        ("$$\n\\color{x} #no\n$$\n#yes", ["yes"]),
        ("\\#no #yes", ["yes"]),
        ("C# and F# #yes", ["yes"]),
        ("#a\u200bb #a\u00a0c", ["a", "a"]),
    ],
)
def test_inline_tags(text: str, tags: list[str]) -> None:
    assert list(inline_tags(mask(text))) == tags


def test_the_first_spelling_of_a_tag_stays() -> None:
    assert unique(["b", "A", "a", "B", "c"]) == ("b", "A", "c")


def links(text: str) -> list[tuple[str, str, str, bool]]:
    document = MarkdownDocument("folder/from.md", text.encode())
    return [(link.target, link.part, link.words, link.embed) for link in document.links]


def test_wikilinks() -> None:
    assert links("[[a]] [[b c|words]] ![[d.png]] [[e#Part]] [[f#^x1|y]] [[g/h i.md]]") == [
        ("a", "", "", False), ("b c", "", "words", False), ("d.png", "", "", True),
        ("e", "#Part", "", False), ("f", "#^x1", "y", False), ("g/h i.md", "", "", False),
    ]  # fmt: skip
    assert links("| [[a\\|b]] | [[c|d [e]]] |") == [
        ("a", "", "b", False),
        ("c", "", "d [e]", False),
    ]
    assert links("[[#here]] [[]] [[ ]] `[[no]]` [[two\nlines]] [[https://x.org]]") == []


def test_markdown_links() -> None:
    assert links('[a](b%20c.md) [d](<e f.md> "t") [g](h.md#i%20j) ![k](l.png) [m](n(1).md)') == [
        ("b c.md", "", "a", False), ("e f.md", "", "d", False), ("h.md", "#i j", "g", False),
        ("l.png", "", "k", True), ("n(1).md", "", "m", False),
    ]  # fmt: skip
    assert links("[a](https://x.org) [b](mailto:x@y.z) [c](#d) [e]() [f](//g) `[h](i.md)`") == []


def test_a_link_has_its_line() -> None:
    document = MarkdownDocument("a.md", b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n\r\nSee [[b]].\r\n")
    assert [document.line(link.pos) for link in document.links] == [5]


PATHS = ["Home.md", "a/Note one.md", "a/b/Deep.md", "c/Deep.md", "c/\u00c9t\u00e9.MD", "v1.2.md"]


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("Home", "", "Home.md"),
        ("home", "", "Home.md"),
        ("note ONE.md", "", "a/Note one.md"),
        ("a/Note one", "", "a/Note one.md"),
        ("Deep", "", "c/Deep.md"),
        ("b/Deep", "", "a/b/Deep.md"),
        ("../c/Deep", "a/Note one.md", "c/Deep.md"),
        ("./b/Deep.md", "a/Note one.md", "a/b/Deep.md"),
        ("b/Deep.md", "a/Note one.md", "a/b/Deep.md"),
        ("/a/b/Deep", "c/Deep.md", "a/b/Deep.md"),
        ("E\u0301t\u00e9", "", "c/\u00c9t\u00e9.MD"),
        ("v1.2", "", "v1.2.md"),
        ("Old name", "", "Home.md"),
        ("eep", "", None),
        ("x/Home", "", None),
        ("", "", None),
        ("../../../etc/passwd", "a/b/Deep.md", None),
    ],
)
def test_whom_a_link_means(target: str, source: str, path: str | None) -> None:
    assert Names(PATHS, {"Home.md": ["Old name"]}).resolve(target, source) == path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**bold** _it_ *x* ~~gone~~ ==lit== ***both***", "bold it x gone lit both"),
        ("snake_case_name 2*3*4 __init__", "snake_case_name 2*3*4 init"),
        ("[[a/b|c]] [[d/e]] [[f#g]] [h](i) [j][k] ![l](m) ![[n.png]] o[^1]", "c e f h j o"),
        ("`code` &amp; &lt;b&gt; <br>x<!-- y -->", "code & <b> x"),
        ("%%hidden%% \\*star\\* https://x_y_z.org/a_b", "*star* https://x_y_z.org/a_b"),
    ],
)
def test_plain_words(text: str, words: str) -> None:
    assert plain_text(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# T\n\n## H\n\nFirst\nsecond line.\n\nOther.\n", "First second line."),
        ("#a #b\n\n![[x.png]]\n\n| a | b |\n|---|---|\n\n---\n\nText.\n", "Text."),
        ("```js\ncode\n```\n%%\nhidden\n%%\n<!-- a\nb -->\nText.\n", "Text."),
        ("> [!note] Title\n> Inside.\n", "Title Inside."),
        ("> [!note]\n> Inside.\n", "Inside."),
        ("- [ ] one\n- two\n", "one"),
        ("1. one\n2. two\n", "one"),
        ("key:: value\n[^1]: note\n[r]: http://x\nText. ^abc123\n", "Text."),
        ("# Only a heading\n", ""),
        ("", ""),
    ],
)
def test_the_opening_is_the_first_running_text(text: str, words: str) -> None:
    assert opening(text, 0) == words


def test_what_is_only_shown_is_blank_and_lines_stay() -> None:
    text = "a `b` c\n```\nd\n```\n<!-- e\nf -->\n\n    #g\n"
    masked = mask(text)
    assert len(masked) == len(text)
    assert masked.count("\n") == text.count("\n")
    assert masked.replace("\x01", "").split() == ["a", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "# " + " " * 300_000 + "x", "---\na" + " " * 300_000 + "\nb", "#a" * 100_000 + " x", "[[a|" * 80_000,
        "[a](" * 80_000, "<a" * 150_000, "`" * 7 + " ``" * 100_000, "$$ " * 100_000, "<!-- " * 60_000,
        "](" + " " * 300_000, "> " * 150_000, "- " * 150_000, "**a" * 100_000, "```\n" * 70_000,
        "[a" * 100_000 + "]" * 100_000, "![a](" + "x" * 300_000, "a\\" * 150_000, "\n" * 300_000,
    ],
    ids=range(18),
)  # fmt: skip
def test_no_text_is_slow_to_read(text: str) -> None:
    """Each of these is read in a moment; a pattern that goes back and forth would take hours."""
    document = MarkdownDocument("a.md", text.encode())
    assert read_note(document, summarise).path == "a.md"
    assert isinstance(check_note(document), list)
    assert all(link.target for link in document.links)
