"""Text that Emacs would run, fetch or include."""

from builders import ME, file, heading, node
from verdicts import bad, fine

ID = f":ID:       {ME}\n"
RUN = '(progn (write-region "x" nil "/nonexistent/EVALUATED") "x")'
LOCAL = "# Local Variables:\n# eval: (ignore)\n# End:\n"


def _src(arguments: str) -> str:
    return node(f"#+begin_src sh {arguments}\nls\n#+end_src\n")


CASES = (
    # variables
    bad("local-variables", node() + LOCAL, "file-variables", 13),
    bad("local-variables-lower-case", node() + LOCAL.lower(), "file-variables", 13),
    bad("local-variables-semicolons", node() + LOCAL.replace("#", ";;"), "file-variables", 13),
    bad("local-variables-no-prefix", node() + LOCAL.replace("# ", ""), "file-variables", 13),
    bad(
        "local-variables-in-source",
        node(f"#+begin_src elisp\n{LOCAL}#+end_src\n"),
        "file-variables",
        13,
    ),
    bad(
        "local-variables-in-comment-block",
        node(f"#+begin_comment\n{LOCAL}#+end_comment\n"),
        "file-variables",
        13,
    ),
    bad(
        "local-variables-coding",
        node() + "# Local Variables:\n# coding: nosuch\n# End:\n",
        "file-variables",
        13,
    ),
    bad("local-variables-after-page", node("\x0c\n" + LOCAL), "file-variables", 13),
    bad(
        "cookie-mode",
        "# -*- mode: emacs-lisp; buffer-read-only: t -*-\n" + node(),
        "file-variables",
        1,
    ),
    bad("cookie-coding", "# -*- coding: nosuch-coding -*-\n" + node(), "file-variables", 1),
    bad("cookie-eval", f"# -*- eval: {RUN} -*-\n" + node(), "file-variables", 1),
    bad("cookie-tight", "#-*-org-*-\n" + node(), "file-variables", 1),
    fine("cookie-in-drawer", file(f"{ID}:X: -*- coding: nosuch -*-\n")),
    fine("cookie-second-line", file(f":X: -*- mode: sh -*-\n{ID}")),
    bad("cookie-coding-half", "# -*- coding: nosuch\n" + node(), "file-variables", 1),
    fine("cookie-in-body", node("A first line such as =-*- coding: utf-8 -*-= sets variables.\n")),
    fine(
        "local-variables-in-prose", node("Emacs calls them file local variables and reads them.\n")
    ),
    # keywords
    *(
        bad(f"keyword-{name}", node(f"{line}\n"), code, 12)
        for name, line, code in (
            ("setupfile", "#+SETUPFILE: /nonexistent/x.org", "keyword-setupfile"),
            ("setupfile-web", "#+setupfile: http://127.0.0.1:9/x.org", "keyword-setupfile"),
            ("setupfile-indented", "   #+SetupFile: x", "keyword-setupfile"),
            ("setupfile-tight", "#+setupfile:x.org", "keyword-setupfile"),
            ("setupfile-quoted", '#+SETUPFILE: "/ssh:host:/x.org"', "keyword-setupfile"),
            ("include", '#+INCLUDE: "/etc/hostname"', "keyword-include"),
            ("include-lower", "#+include: /etc/hostname src sh", "keyword-include"),
            ("include-remote", '#+INCLUDE: "/ssh:host:/x" :lines "1-2"', "keyword-include"),
            ("link", "#+LINK: id https://x.y/%s", "keyword-link"),
            ("link-function", "#+link: x shell:%(shell-command-to-string)", "keyword-link"),
            ("bind", "#+BIND: org-export-babel-evaluate t", "keyword-bind"),
            ("call", "#+CALL: square(4)", "keyword-call"),
            ("call-lisp", f"#+call: f(x={RUN})", "keyword-call"),
            ("header", "#+HEADER: :var x=(shell-command-to-string)", "keyword-header"),
            ("headers", "#+headers: :results output", "keyword-headers"),
            ("macro", '#+MACRO: x (eval (error "boom"))', "keyword-macro"),
            ("macro-spaces", "#+macro: x ( eval (ignore))", "keyword-macro"),
            ("property-header", "#+PROPERTY: header-args :dir (ignore)", "header-argument"),
            (
                "property-header-lang",
                "#+property: header-args:sh :results (ignore)",
                "header-argument",
            ),
            ("property-header-plus", "#+PROPERTY: header-args+ :var x=1", "header-argument"),
            ("formula", '#+TBLFM: $3=\'(shell-command "x")', "table-formula"),
            ("columns", "#+COLUMNS: %25ITEM %10X{sum;(progn (ignore))}", "keyword-columns"),
        )
    ),
    bad(
        "formula-other-function",
        node("| 1 |\n#+TBLFM: $1='(write-region 1 2 3)\n"),
        "table-formula",
        13,
    ),
    bad("formula-no-space", node("| 1 |\n#+tblfm: $1='(f)::$2=3\n"), "table-formula", 13),
    fine("formula-calc", node("| 1 | 2 |\n#+TBLFM: $2=$1*2;%.1f\n")),
    fine("keyword-macro-text", node("#+MACRO: x (evaluated) $1\n")),
    fine("keyword-in-source", node("#+begin_src org\n,#+INCLUDE: x\n#+SETUPFILE: y\n#+end_src\n")),
    fine("keyword-in-prose", node("The keyword #+SETUPFILE: reads a file.\n")),
    fine("keyword-options", node("#+OPTIONS: toc:nil\n#+STARTUP: overview\n#+author: A\n")),
    # header arguments
    *(
        bad(f"argument-{name}", _src(arguments), "header-argument", 12)
        for name, arguments in (
            ("dir", f":dir {RUN}"),
            ("var", f":var x={RUN}"),
            ("var-call", ":var x=other(1)"),
            ("results", ":results (ignore)"),
            ("backquote", ":dir `(ignore)"),
            ("quoted", ":dir '(ignore)"),
            ("second", ":results output :dir (ignore)"),
            ("file", ":file (concat 1)"),
            ("second-variable", ":var a=x:y b=(ignore)"),
            ("tab", ":dir\t(ignore)"),
            ("behind-a-colon-value", ":dir /ssh:host:/x :cache (ignore)"),
            ("behind-a-url", ":var u=http://x.y v='(ignore)"),
        )
    ),
    bad(
        "argument-in-capitals",
        node("#+BEGIN_SRC sh :dir (ignore)\nls\n#+END_SRC\n"),
        "header-argument",
        12,
    ),
    bad(
        "argument-indented",
        node("- x\n  #+begin_src sh :dir (ignore)\n  ls\n  #+end_src\n"),
        "header-argument",
        13,
    ),
    bad("property-header-args", file(f"{ID}:header-args: :dir (ignore)\n"), "header-argument", 3),
    bad(
        "property-header-args-lang",
        file(f"{ID}:header-args:sh: :dir (ignore)\n"),
        "header-argument",
        3,
    ),
    bad(
        "property-header-args-plus",
        file(f"{ID}:HEADER-ARGS+: :dir (ignore)\n"),
        "header-argument",
        3,
    ),
    bad(
        "property-header-args-heading",
        node(heading(":header-args: :var x=1\n")),
        "header-argument",
        14,
    ),
    fine("property-dir", file(f"{ID}:dir: (ignore)\n")),
    fine("argument-plain", _src(":results output :tangle no")),
    fine("argument-dir-plain", _src(":dir /tmp :var x=1")),
    fine("argument-url", _src(":var u=http://x.y/")),
    # code in a line
    *(
        bad(f"inline-{name}", node(f"Words {text} here.\n"), code, 12)
        for name, text, code in (
            ("src", "src_sh{ls}", "inline-code"),
            ("src-arguments", "src_sh[:dir (ignore)]{ls}", "inline-code"),
            ("src-elisp", "src_emacs-lisp{(ignore)}", "inline-code"),
            ("call", "call_f(1)", "inline-code"),
            ("call-arguments", "call_f[:dir (ignore)](1)", "inline-code"),
            ("call-hyphen", "call_my-name(1)", "inline-code"),
            ("elisp-link", "[[elisp:(ignore)][x]]", "code-link"),
            ("elisp-link-no-words", "[[elisp:ignore]]", "code-link"),
            ("elisp-link-capitals", "[[ELISP:(ignore)]]", "code-link"),
            ("elisp-angle", "<elisp:(ignore)>", "code-link"),
            ("elisp-plain", "elisp:(ignore)", "code-link"),
            ("shell-link", "[[shell:rm x][x]]", "code-link"),
            ("shell-angle", "<shell:ls>", "code-link"),
            ("shell-plain", "shell:ls", "code-link"),
            ("file-sys", "[[file+sys:/bin/x]]", "code-link"),
            ("file-emacs", "[[file+emacs:x.el]]", "code-link"),
            ("diary", '<%%(error "boom")>', "diary-expression"),
            ("diary-inactive", '[%%(error "boom")]', "diary-expression"),
        )
    ),
    bad("inline-in-heading", node("* Run src_sh{ls}\n"), "inline-code", 12),
    bad("inline-in-table", node("| src_sh{ls} |\n"), "inline-code", 12),
    bad("inline-in-title", node(title="src_sh{ls}"), "inline-code", 9),
    bad("elisp-link-in-property", node(extra=":SEE: [[elisp:(ignore)]]\n"), "code-link", 8),
    bad("elisp-link-in-keyword", node("#+see: [[elisp:(ignore)]]\n"), "code-link", 12),
    bad("elisp-link-in-quote", node("#+begin_quote\n[[shell:ls]]\n#+end_quote\n"), "code-link", 13),
    bad("elisp-link-wrapped", node("[[elisp:(ignore\n1)][x]]\n"), "code-link", 12),
    *(
        bad(
            f"block-{name}", node(f"#+BEGIN: clocktable {arguments}\n#+END:\n"), "keyword-begin", 12
        )
        for name, arguments in (
            ("formatter", ":formatter evil"),
            ("scope-lambda", ":scope (lambda () (ignore))"),
            ("scope-function", ":maxlevel 2 :scope kill-emacs"),
            ("formula", ':formula "$2=\'(ignore)"'),
            ("match-lambda", ":match (closure (t) nil (ignore))"),
        )
    ),
    fine(
        "block-plain",
        node('#+BEGIN: clocktable :maxlevel 2 :scope subtree :tstart "<-1w>"\n#+END:\n'),
    ),
    fine(
        "block-files", node('#+BEGIN: clocktable :scope ("a.org" "b.org") :sort (4 . ?n)\n#+END:\n')
    ),
    bad("diary-line-hidden", node('&%%(error "boom") x\n'), "diary-expression", 12),
    bad("diary-line", node('%%(error "boom") x\n'), "diary-expression", 12),
    bad(
        "diary-planned",
        node(heading(before='SCHEDULED: <%%(error "boom")>\n')),
        "diary-expression",
        13,
    ),
    bad("diary-in-heading", node("* Part <%%(diary-float t 4 2)>\n"), "diary-expression", 12),
    bad("inline-over-cells", node("| =a | src_sh{ls}= |\n"), "inline-code", 12),
    fine("file-link-search", node("See [[file:x.org::(ignore)]].\n")),
    fine("inline-in-verbatim", node("Write =src_sh{ls}= or ~call_f(1)~ or ~[[elisp:(x)]]~.\n")),
    fine("inline-in-source", node("#+begin_src sh\nsrc_sh{ls} [[elisp:x]] <%%(x)>\n#+end_src\n")),
    fine(
        "inline-words", node("A src_dir and call_back are names; in elisp: defun; a shell: bash.\n")
    ),
    fine("inline-fixed-width", node(": src_sh{ls}\n")),
    fine("shell-prompt", node("Run it in a shell:\n\n: ls\n")),
)
