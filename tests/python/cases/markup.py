"""Blocks and drawers that do not close, id links that are not quite, and how deep text may nest."""

from builders import HERS, ME, NOBODY, ONE, TO_ONE, TWO, heading, node
from verdicts import bad, fine, odd

SHORT = ONE[:8]


def _link(text: str) -> str:
    return node(f"See {text} there.\n")


CASES = (
    # blocks
    *(
        bad(f"block-{name}-open", node(f"#+begin_{name}\nx {TO_ONE}\n"), "unclosed-block", 12)
        for name in (
            "src sh",
            "example",
            "quote",
            "verse",
            "center",
            "comment",
            "export html",
            "mine",
        )
    ),
    bad("block-capitals-open", node("#+BEGIN_SRC sh\nx\n"), "unclosed-block", 12),
    bad("block-indented-open", node("- item\n  #+begin_src sh\n  x\n"), "unclosed-block", 13),
    bad("block-other-end", node("#+begin_src sh\nx\n#+end_example\n"), "unclosed-block", 12),
    bad("block-end-misspelled", node("#+begin_src sh\nx\n#+endsrc\n"), "unclosed-block", 12),
    bad("block-end-with-text", node("#+begin_src sh\nx\n#+end_src sh\n"), "unclosed-block", 12),
    bad("block-end-with-space", node("#+begin_src sh\nx\n#+ end_src\n"), "unclosed-block", 12),
    bad(
        "block-before-heading",
        node(f"#+begin_src sh\nx\n\n* Next\n{TO_ONE}\n"),
        "unclosed-block",
        12,
    ),
    bad(
        "block-in-quote-open",
        node("#+begin_quote\n#+begin_src sh\n#+end_quote\n"),
        "unclosed-block",
        13,
    ),
    bad("dynamic-block-open", node("#+begin: mine\nx\n"), "org-lint-invalid-block", 12),
    bad("block-end-alone", node("x\n#+end_src\n"), "stray-block-end", 13),
    bad("block-quote-end-alone", node("#+end_quote\n"), "stray-block-end", 12),
    bad(
        "block-end-twice", node("#+begin_src sh\nx\n#+end_src\n#+end_src\n"), "stray-block-end", 15
    ),
    bad("dynamic-end-alone", node("x\n#+end:\n"), "org-lint-invalid-block", 13),
    bad(
        "star-in-source", node("#+begin_src md\n* one\n* two\n#+end_src\n"), "heading-in-block", 13
    ),
    bad(
        "star-in-example", node("#+begin_example\n** one\n#+end_example\n"), "heading-in-block", 13
    ),
    bad("star-in-quote", node("#+begin_quote\n* one\n#+end_quote\n"), "heading-in-block", 13),
    bad("star-in-verse", node("#+begin_verse\n* one\n#+end_verse\n"), "heading-in-block", 13),
    bad(
        "star-in-indented-source",
        node("  #+begin_src md\n* one\n  #+end_src\n"),
        "heading-in-block",
        13,
    ),
    fine("star-with-comma", node("#+begin_src org\n,* one\n#+end_src\n")),
    fine("star-indented", node("#+begin_src md\n * one\n#+end_src\n")),
    fine("star-bold", node("#+begin_src md\n*one* two\n#+end_src\n")),
    fine("blocks", node(f"#+begin_quote\n#+begin_src sh\nls\n#+end_src\n{TO_ONE}\n#+end_quote\n")),
    fine("block-capitals", node("#+BEGIN_SRC python\nx = 1\n#+END_SRC\n")),
    fine("block-mixed-case", node("#+begin_src python\nx = 1\n#+END_SRC\n")),
    fine("block-about-blocks", node("#+begin_example\n#+begin_src\n#+end_quote\n#+end_example\n")),
    fine("block-spaces-behind-end", node("#+begin_src sh\nx\n#+end_src  \n")),
    fine("block-words-in-text", node("Write =#+begin_src= and #+end_src in prose.\n")),
    fine("code-fence", node("```sh\nls\n```\n")),
    fine("latex", node("\\begin{align}\nx\n\\end{align}\n")),
    # drawers in the text
    bad(
        "logbook-open",
        node(heading(before="").replace("Words", ":LOGBOOK:\n- x\nWords")),
        "unclosed-drawer",
        16,
    ),
    bad("note-open", node(":NOTE:\nx\n"), "unclosed-drawer", 12),
    bad(
        "note-open-before-heading",
        node(":NOTE:\nx\n* Part\n:PROPERTIES:\n:A: b\n:END:\n"),
        "unclosed-drawer",
        12,
    ),
    bad(
        "drawer-in-drawer",
        node(":NOTE:\n:PROPERTIES:\n:X: y\n:END:\n:END:\n"),
        "stray-drawer-end",
        16,
    ),
    bad("end-alone", node("Words.\n:END:\n"), "stray-drawer-end", 13),
    bad("end-after-heading-text", node("* Part\nWords.\n:END:\n"), "stray-drawer-end", 14),
    fine("note-drawer", node(":NOTE:\nx\n:END:\n")),
    fine("colon-word-alone-in-list", node("- :one: two\n- three\n")),
    # links
    *(
        bad(f"link-{name}", _link(text), code, 12)
        for name, text, code in (
            ("dangling", f"[[id:{NOBODY}][gone]]", "dangling-link"),
            ("dangling-plain", f"id:{NOBODY}", "dangling-link"),
            ("dangling-angle", f"<id:{NOBODY}>", "dangling-link"),
            ("dangling-words", "[[id:the-other-note][x]]", "dangling-link"),
            ("dangling-empty-search", f"[[id:{NOBODY}::*H]]", "dangling-link"),
            ("too-long", f"[[id:{ONE}0][one]]", "dangling-link"),
            ("target-in-capitals", f"[[id:{ONE.upper()}][one]]", "dangling-link"),
            ("file-name", "[[id:aaa.org][one]]", "dangling-link"),
            ("short-unknown", "[[id:99999999]]", "unknown-short-id"),
            ("short-too-short", "[[id:a1]]", "unknown-short-id"),
            ("one-close", f"[[id:{ONE}][one] and more", "link-unclosed"),
            ("no-close", f"[[id:{ONE} and more", "link-unclosed"),
            ("one-close-no-words", f"[[id:{ONE}] and more", "link-unclosed"),
            ("words-not-closed", f"[[id:{ONE}][one and more", "link-unclosed"),
            ("space-between", f"[[id:{ONE}] [one]]", "link-unclosed"),
            ("single-brackets", f"[id:{ONE}][one]", "link-brackets"),
            ("single-brackets-no-words", f"[id:{ONE}]", "link-brackets"),
            ("single-open-double-close", f"[id:{ONE}][one]]", "link-brackets"),
            ("markdown", f"[one](id:{ONE})", "link-markdown"),
            ("markdown-uuid", f"[one]({ONE})", "link-markdown"),
            ("capitals", f"[[ID:{ONE}][one]]", "link-case"),
            ("mixed-case", f"[[Id:{ONE}][one]]", "link-case"),
            ("capitals-plain", f"ID:{ONE}", "link-case"),
            ("space-behind-colon", f"[[id: {ONE}][one]]", "link-space"),
            ("space-before", f"[[ id:{ONE}][one]]", "link-space"),
            ("space-before-colon", f"[[id :{ONE}][one]]", "link-space"),
            ("tab-behind-colon", f"[[id:\t{ONE}][one]]", "link-space"),
            ("space-at-end", f"[[id:{ONE} ][one]]", "dangling-link"),
            ("no-break-space", f"[[id:\u00a0{ONE}][one]]", "link-space"),
            ("no-prefix", f"[[{ONE}][one]]", "link-without-id"),
            ("no-prefix-no-words", f"[[{ONE}]]", "link-without-id"),
            ("prefix-roam", f"[[roam:{ONE}][one]]", "link-without-id"),
            ("prefix-hash", f"[[#{ONE}][one]]", "link-without-id"),
            ("prefix-quote", f'[[i"d:{ONE}][one]]', "link-without-id"),
            ("prefix-cut", f"[[d:{ONE}][one]]", "link-without-id"),
            ("prefix-bracket", f"[[id]:{ONE}][one]]", "link-without-id"),
            ("prefix-keyword", f"[[i#+d:{ONE}]]", "link-without-id"),
            ("prefix-equals", f"[[id={ONE}]]", "link-without-id"),
            ("prefix-two-colons", f"[[id::{ONE}][one]]", "dangling-link"),
            ("prefix-slashes", f"[[id://{ONE}][one]]", "dangling-link"),
            ("braces", f"[[id:{{{ONE}}}][one]]", "dangling-link"),
            ("wiki-words", f"[[id:{ONE}|one]]", "dangling-link"),
            ("zero-width", f"[[id:\u200b{ONE}][one]]", "hidden-character"),
            ("empty", "[[id:][one]]", "dangling-link"),
        )
    ),
    bad("link-in-heading-open", node(f"* See [[id:{ONE}][one] here\n"), "link-unclosed", 12),
    bad("link-in-item-markdown", node(f"- [one](id:{ONE})\n"), "link-markdown", 12),
    bad("link-in-table-capitals", node(f"| [[ID:{ONE}][one]] |\n"), "link-case", 12),
    bad("link-in-property-dangling", node(extra=f":SEE: [[id:{NOBODY}]]\n"), "dangling-link", 8),
    bad("link-in-keyword-dangling", node(f"#+see: [[id:{NOBODY}]]\n"), "dangling-link", 12),
    bad("link-in-heading-dangling", node(f"* See [[id:{NOBODY}]]\n"), "dangling-link", 12),
    bad("link-in-table-dangling", node(f"| [[id:{NOBODY}][x]] |\n"), "dangling-link", 12),
    bad(
        "link-in-quote-dangling",
        node(f"#+begin_quote\n[[id:{NOBODY}]]\n#+end_quote\n"),
        "dangling-link",
        13,
    ),
    odd("link-cut-off", _link(f"[[id:{ONE[:-1]}][one]]"), "short-id", 12),
    odd("link-short", _link(f"[[id:{SHORT}][one]]"), "short-id", 12),
    odd("link-short-no-words", _link(f"[[id:{SHORT}]]"), "short-id", 12),
    fine("link-search", _link(f"[[id:{ONE}::*Part][one]]")),
    fine("link-no-words", _link(f"[[id:{ONE}]]")),
    fine("link-plain", _link(f"id:{ONE}")),
    fine("link-angle", _link(f"<id:{ONE}>")),
    fine("link-wrapped", _link(f"[[id:{ONE}][one\nand more]]")),
    fine("link-to-itself", _link(f"[[id:{ME}][me]]")),
    fine("link-to-heading", node(f"[[id:{HERS}][part]]\n{heading()}")),
    fine("link-twice", _link(f"{TO_ONE} {TO_ONE}, [[id:{TWO}][two]]")),
    fine("link-words-with-brackets", _link(f"[[id:{ONE}][one [1] two]]")),
    fine("link-in-verbatim", _link(f"=[[id:{NOBODY}][v]]= and ~[[ID:{NOBODY}]~")),
    fine("link-in-comment", node(f"# [[id:{NOBODY}][c]] [[id: x\n")),
    fine("link-in-source", node(f"#+begin_src org\n[[id:{NOBODY}][s]] [[ID:x]\n#+end_src\n")),
    fine("link-in-fixed-width", node(f": [[id:{NOBODY}][f]]\n")),
    fine("link-recipe", node('Find it: =grep "id:1a2b3c4d"= in the store.\n')),
    fine("link-to-web", node("See [[https://orgmode.org][Org]] and <https://gnu.org>.\n")),
    fine("uuid-in-web-link", node(f"[[https://x.y/{NOBODY}][x]] [[file:{NOBODY}]]\n")),
    fine("uuid-in-brackets", node(f"The session [{NOBODY}] and ({NOBODY}).\n")),
    fine(
        "verbatim-after-clock",
        node(
            f"* P\nCLOCK: [2026-01-02 Fri 10:00]--[2026-01-02 Fri 11:00] =>  1:00\n{TO_ONE} =x= y\n"
        ),
    ),
    fine("uuid-in-prose", node(f"The session was {NOBODY}.\n")),
    fine("id-colon-in-prose", node("An id: the name of a node. Void: none. ID: too.\n")),
    fine("markdown-web-link", node("[Org](https://orgmode.org)\n")),
    # depth
    bad(
        "headings-400-deep",
        node("".join("*" * n + f" h{n}\n" for n in range(1, 400))),
        "too-deep",
        72,
    ),
    bad("heading-61-stars", node("*" * 61 + " deep\n"), "too-deep", 12),
    bad("heading-5000-stars", node("*" * 5000 + " deep\n"), "too-deep", 12),
    bad(
        "quotes-300-deep",
        node("#+begin_quote\n" * 300 + "x\n" + "#+end_quote\n" * 300),
        "unclosed-block",
        13,
    ),
    bad("drawers-300-open", node(":x:\n" * 300), "too-deep", 1),
    fine("headings-deep-enough", node("".join("*" * n + f" h{n}\n" for n in range(1, 20)))),
    # other markup that org-lint or Org may stumble over
    fine("emphasis-odd", node("*bold /italic =verb ~code +strike _under\n")),
    fine("table", node("| a | b |\n|---+---|\n| 1 |\n")),
    fine("footnote", node("Words [fn:1].\n\n[fn:1] More.\n")),
    odd("footnote-missing", node("Words [fn:1].\n"), "org-lint-undefined-footnote-reference", 12),
    fine("macro-call", node("A {{{date}}} and {{{x(y)}}}.\n")),
    fine("startup", node("#+STARTUP: overview nosuch\n")),
    fine("entities", node("\\alpha \\to x_1^2 $a$ \\(b\\) \\[c\\]\n")),
    fine("citation", node("See [cite:@knuth1984 p. 3].\n")),
    fine("long-line", node("x" * 200_000 + f"\n{TO_ONE}\n")),
)
