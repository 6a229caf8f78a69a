"""Bytes and characters: encodings, line ends, what no eye can see, conflict markers, quotes."""

from builders import ME, ONE, TO_ONE, drawer, file, node
from verdicts import bad, fine, odd

ID = f":ID:       {ME}\n"
GOOD = node()
ASCII = GOOD.encode()


def _aliases(value: str) -> str:
    return file(f"{ID}:ROAM_ALIASES: {value}\n")


def _refs(value: str) -> str:
    return file(f"{ID}:ROAM_REFS: {value}\n")


def _merge(*lines: str) -> str:
    return node("\n".join(lines) + "\n")


CASES = (
    # line ends
    odd("crlf", GOOD.replace("\n", "\r\n"), "crlf", 1),
    bad("crlf-in-drawer", GOOD.replace("\n", "\r\n", 8), "carriage-return", 1),
    bad("crlf-in-one-line", GOOD.replace("\n", "\r\n", 1), "carriage-return", 1),
    bad("crlf-in-body", GOOD + "Windows.\r\n", "carriage-return", 13),
    bad("crlf-but-last", GOOD.replace("\n", "\r\n")[:-2] + "\n", "carriage-return", 1),
    bad("cr-only", GOOD.replace("\n", "\r"), "carriage-return", 1),
    bad("cr-in-line", GOOD + "a\rb\n", "carriage-return", 13),
    odd("no-final-newline", GOOD.rstrip("\n"), "no-final-newline", 12),
    odd("drawer-ends-file", drawer(ID).rstrip("\n") + "\n#+title: T", "no-final-newline", 4),
    # encodings
    bad("byte-order-mark", b"\xef\xbb\xbf" + ASCII, "byte-order-mark", 1),
    bad("utf-16", GOOD.encode("utf-16"), "not-utf8", 1),
    bad("utf-16-be", b"\xfe\xff" + GOOD.encode("utf-16-be"), "not-utf8", 1),
    bad("utf-16-no-mark", GOOD.encode("utf-16-le"), "nul", 1),
    bad("utf-32", GOOD.encode("utf-32"), "not-utf8", 1),
    bad("latin-1", (GOOD + "Caf\xe9.\n").encode("latin-1"), "not-utf8", 13),
    bad("windows-1252", (GOOD + "\u201cquoted\u201d\n").encode("cp1252"), "not-utf8", 13),
    bad("shift-jis", (GOOD + "\u65e5\u672c\n").encode("shift-jis"), "not-utf8", 13),
    bad("cut-off-character", ASCII + "\u65e5".encode()[:2] + b"\n", "not-utf8", 13),
    bad("surrogate", ASCII + b"\xed\xa0\x80\n", "not-utf8", 13),
    bad("overlong", ASCII + b"\xc0\xaf\n", "not-utf8", 13),
    bad("beyond-unicode", ASCII + b"\xf5\x80\x80\x80\n", "not-utf8", 13),
    bad("random-bytes", ASCII + b"\xff\xfe\x80\n", "not-utf8", 13),
    bad("nul", ASCII + b"Nul \0 here.\n", "nul", 13),
    bad("nul-in-title", GOOD.replace("Tried", "Tr\0ied"), "nul", 9),
    bad("empty", b"", "empty-file", 1),
    bad("blank", b"\n \n\t\n", "empty-file", 1),
    bad("too-large", ASCII + b"x" * (5 << 20) + b"\n", "file-too-large", 1),
    fine(
        "many-scripts",
        node("\u4f60\u597d \u05e9\u05dc\u05d5\u05dd \u0627\u0644\u0639 \u0939\u093f \U0001f331\n"),
    ),
    fine(
        "joiners-in-scripts",
        node("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937\n"),
    ),
    fine(
        "joiners-in-emoji",
        node("\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308\n"),
    ),
    fine(
        "flag-of-wales",
        node("\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f\n"),
    ),
    fine("combining-accents", node("e\u0301 n\u0303 \u1ec7\n")),
    fine("no-break-spaces", node("10\u00a0km \u202f \u2003 \u3000\n")),
    fine("line-separator-is-text", node("one\u2028two\u2029three\n")),
    # characters
    *(
        bad(f"character-{name}", node(f"A {char} b.\n"), code, 12)
        for name, char, code in (
            ("escape", "\x1b[31mred\x1b[0m", "control-character"),
            ("vertical-tab", "\x0b", "control-character"),
            ("backspace", "x\x08y", "control-character"),
            ("bell", "\x07", "control-character"),
            ("delete", "\x7f", "control-character"),
            ("c1-control", "\x9b31m", "control-character"),
            ("right-to-left-override", "\u202etxt", "bidi-control"),
            ("isolate", "\u2066x\u2069", "bidi-control"),
            ("arabic-mark", "\u061c", "bidi-control"),
            ("zero-width-space", "a\u200bb", "hidden-character"),
            ("joiner-in-latin", "pass\u200dword", "hidden-character"),
            ("non-joiner-in-latin", "a\u200cb", "hidden-character"),
            ("word-joiner", "a\u2060b", "hidden-character"),
            ("mark-inside", "a\ufeffb", "hidden-character"),
            ("tag-characters", "x\U000e0069\U000e0067", "hidden-character"),
            ("hangul-filler", "\u3164", "hidden-character"),
            ("variation-run", "a\U000e0101\U000e0120", "hidden-character"),
            ("annotation", "\ufff9x\ufffb", "hidden-character"),
        )
    ),
    # merges
    bad(
        "merge-in-body",
        _merge("<<<<<<< HEAD", "one", "=======", "two", ">>>>>>> theirs"),
        "conflict-marker",
        12,
    ),
    bad(
        "merge-diff3",
        _merge("<<<<<<< HEAD", "one", "||||||| base", "x", "=======", "two", ">>>>>>> theirs"),
        "conflict-marker",
        12,
    ),
    bad("merge-half", _merge("one", "=======", "two", ">>>>>>> theirs"), "conflict-marker", 13),
    bad("merge-start-and-middle", _merge("<<<<<<< HEAD", "one", "======="), "conflict-marker", 12),
    bad("merge-only-start", _merge("<<<<<<< HEAD", "one"), "conflict-marker", 12),
    bad("merge-only-end", _merge("one", ">>>>>>> 1a2b3c4 (a commit)"), "conflict-marker", 13),
    bad(
        "merge-in-source",
        _merge("#+begin_src sh", "<<<<<<< HEAD", "=======", ">>>>>>> x", "#+end_src"),
        "conflict-marker",
        13,
    ),
    bad(
        "merge-no-labels",
        _merge("<<<<<<<", "one", "=======", "two", ">>>>>>>"),
        "conflict-marker",
        12,
    ),
    bad(
        "merge-in-drawer",
        file(f"<<<<<<< HEAD\n{ID}=======\n:ID: {ONE}\n>>>>>>> theirs\n"),
        "conflict-marker",
        2,
    ),
    fine("merge-underline", _merge("A heading", "=======", "words")),
    fine("merge-quoted", _merge("Look for =<<<<<<<= in files.", " <<<<<<< HEAD is indented")),
    fine("merge-arrows", _merge(">>> print(1)", ">> quoted", "<<target>>")),
    # org-roam's own properties
    *(
        bad(f"aliases-{name}", _aliases(value), "unbalanced-quote", 3)
        for name, value in (
            ("open", '"foo bar'),
            ("close", 'foo bar"'),
            ("three", '"foo" "bar'),
            ("alone", '"'),
            ("escaped-end", '"foo\\"'),
            ("inches", '19" rack'),
            ("bad-escape", '"foo\\x"'),
            ("control-escape", '"foo\\C"'),
        )
    ),
    bad("refs-open", _refs('"https://x.y'), "unbalanced-quote", 3),
    bad("refs-close", _refs('https://x.y"'), "unbalanced-quote", 3),
    bad("refs-odd", _refs('"a b" "c'), "unbalanced-quote", 3),
    bad("refs-escape", _refs('"https://x.y\\"'), "unbalanced-quote", 3),
    bad(
        "aliases-in-heading",
        node(f"* P\n{drawer(f':ID: {ONE[:-1]}9{chr(10)}:ROAM_ALIASES: {chr(34)}a{chr(10)}')}"),
        "unbalanced-quote",
        15,
    ),
    odd("refs-words", _refs("see the docs"), "bad-reference", 3),
    odd("refs-cite-empty", _refs("[cite:@"), "bad-reference", 3),
    fine("aliases", _aliases('"foo bar" baz "qux"')),
    fine("aliases-empty", _aliases('""')),
    fine("aliases-apostrophe", _aliases("agent's 'single'")),
    fine("aliases-backslash", _aliases("a\\b")),
    fine("aliases-escaped-quote", _aliases('"a \\"b\\" c"')),
    fine("aliases-plus", file(f'{ID}:ROAM_ALIASES: "a b"\n:ROAM_ALIASES+: "c d"\n')),
    fine("refs", _refs("https://x.y/?a=b @knuth1984 [cite:@a;@b]")),
    fine("refs-link", _refs("[[https://x.y][words]]")),
    fine("controls-none", node(f"{TO_ONE}\tTab and form\n")),
)
