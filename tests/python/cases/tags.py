"""Tags and heading lines; properties that have a form; dates."""

from builders import HERS, ME, PROPERTIES, file, heading, node
from verdicts import bad, fine, odd

ID = f":ID:       {ME}\n"


def _tags(value: str) -> str:
    return node(tags=value)


def _property(line: str) -> str:
    """A node whose drawer has one odd line, the third."""
    return file(f"{ID}{line}\n")


def _stamp(stamp: str) -> str:
    return node(f"Seen {stamp} here.\n")


def _planned(line: str) -> str:
    return node(heading(before=f"{line}\n", line="* TODO Part"))


CASES = (
    *(
        bad(f"tag-{name}", _tags(value), "bad-tag", 10)
        for name, value in (
            ("hyphen", ":observation:my-tag:"),
            ("comma", ":observation,other:"),
            ("comma-space", "observation, other"),
            ("slash", ":observation:a/b:"),
            ("dot", ":observation:v1.2:"),
            ("quoted", '":observation:"'),
            ("plus", ":observation:c++:"),
            ("brackets", "[observation, other]"),
            ("apostrophe", ":observation:agent's:"),
            ("semicolon", ":observation;other:"),
            ("no-break-space", ":observation:\u00a0:other:"),
            ("empty", ":observation::other:"),
            ("ampersand", ":observation:a&b:"),
        )
    ),
    bad("tags-without-colon", node().replace("#+filetags:", "#+filetags"), "keyword-syntax", 10),
    bad(
        "tags-space-behind-plus", node().replace("#+filetags", "#+ filetags"), "keyword-syntax", 10
    ),
    bad("tags-as-comment", node().replace("#+filetags", "# filetags"), "keyword-syntax", 10),
    bad("tags-without-plus", node().replace("#+filetags", "#filetags"), "keyword-syntax", 10),
    bad("tags-singular", node().replace("#+filetags", "#+filetag"), "keyword-syntax", 10),
    bad("tags-space-before-colon", node().replace("tags:", "tags :", 1), "keyword-syntax", 10),
    *(
        bad(f"tags-keyword-{name}", node().replace("#+filetags:", keyword), "keyword-syntax", 10)
        for name, keyword in (
            ("tilde", "#+filet~ags:"),
            ("letter-lost", "#+fileags:"),
            ("letters-turned", "#+filetgas:"),
            ("underscore", "#+file_tags:"),
            ("two-words", "#+file tags:"),
            ("bracket-before", "]#+filetags:"),
            ("indented-text-before", "and #+filetags:"),
        )
    ),
    bad("tags-in-title-line", node().replace("\n#+filetags", " #+filetags"), "keyword-syntax", 9),
    bad(
        "tags-two-colons", node().replace("#+filetags: ", "#+filetags::x:y: "), "no-type", 1
    )._replace(severity="warning"),
    odd("tags-no-type", _tags(":other:"), "no-type", 1),
    odd("tags-empty", _tags(""), "no-type", 1),
    odd("tags-other-keyword", node().replace("#+filetags", "#+tags"), "no-type", 1),
    odd("tags-type-in-capitals", _tags(":Observation:"), "no-type", 1),
    fine("tags-spaces", _tags("observation other")),
    fine("tags-spaces-and-colons", _tags(":observation: :other:third: ")),
    fine("tags-two-lines", node().replace("#+filetags:", "#+filetags: :one:\n#+filetags:")),
    fine("tags-signs", _tags(":observation:a_b:@c:d1:#e:f%:")),
    fine("tags-chinese", _tags(":observation:\u77e5\u8bc6:\u00e9t\u00e9:")),
    fine("tags-twice", _tags(":observation:observation:")),
    # headings
    *(
        bad(f"heading-tag-{name}", node(heading(line=f"* Part {value}")), "heading-tag", 12)
        for name, value in (
            ("hyphen", ":my-tag:"),
            ("hyphen-second", ":one:my-tag:"),
            ("two-groups", ":one: :two:"),
            ("hyphen-then-good", ":my-tag: :one:"),
            ("dot", ":v1.2:"),
            ("comma", ":one,two:"),
            ("slash", ":a/b:"),
        )
    ),
    *(
        bad(f"priority-{name}", node(heading(line=f"* {value} Part")), "priority", 12)
        for name, value in (
            ("two-letters", "TODO [#AB]"),
            ("word", "[#high]"),
            ("two-digits", "[#10]"),
            ("empty", "[#]"),
            ("space", "[#A ]"),
        )
    ),
    fine("heading-tags", node(heading(line="* TODO [#B] Part :one:two_three:@4:"))),
    fine("heading-colons-in-words", node(heading(line="* Part: one: two"))),
    fine("heading-time-in-words", node(heading(line="* At 10:30:00 sharp"))),
    fine("heading-path-in-words", node(heading(line="* Use C::D and /a:b/"))),
    odd("todo-words", node("#+TODO: OPEN(o!/!) | SHUT\n" + heading(line="* OPEN Part")), "", 0),
    # values
    *(
        bad(f"date-{name}", _property(f":CREATED: {value}"), "bad-date", 3)
        for name, value in (
            ("month-13", "[2026-13-45]"),
            ("february-30", "2026-02-30"),
            ("no-leap-year", "2025-02-29"),
            ("day-zero", "2026-01-00"),
            ("word", "yesterday"),
            ("short", "2026-1-5"),
            ("german", "05.01.2026"),
            ("slashes", "2026/01/05"),
            ("template", "YYYY-MM-DD"),
            ("range", "2026-01-02--2026-01-03"),
            ("unclosed-ends-in-text", "2026-01-02 or so?]x"),
        )
    ),
    bad("date-updated", _property(":UPDATED: 2026-06-31"), "bad-date", 3),
    bad("date-curated", _property(":LAST_CURATED: never"), "bad-date", 3),
    fine("date-stamp", _property(":CREATED: [2026-01-02 Fri 10:00]")),
    fine("date-iso-time", _property(":CREATED: 2026-01-02T10:00:00Z")),
    *(
        bad(f"status-{name}", _property(f":STATUS: {value}"), "bad-status", 3)
        for name, value in (
            ("word", "done"),
            ("two-words", "current contested"),
            ("typo", "curent"),
            ("list", "[current]"),
            ("comment", "current # for now"),
        )
    ),
    fine("status-capitals", _property(":STATUS: Contested")),
    *(
        bad(f"project-{name}", _property(f":PROJECTS: {value}"), "bad-project", 3)
        for name, value in (
            ("slash", ":a/b:"),
            ("quoted", '"general"'),
            ("brackets", "[general]"),
            ("parent", ":../x:"),
            ("link", "[[id:x][general]]"),
        )
    ),
    fine("projects-spaces", _property(":PROJECTS: general ai-kb emacs.d")),
    odd("properties-missing", file(ID), "missing-property", 1),
    # time stamps
    *(
        bad(f"stamp-{name}", _stamp(value), "impossible-date", 12)
        for name, value in (
            ("month-13", "<2026-13-45>"),
            ("month-0", "<2026-00-10>"),
            ("february-30", "[2026-02-30 Mon]"),
            ("no-leap-year", "<2025-02-29 Sat>"),
            ("hour-25", "<2026-01-02 Fri 25:00>"),
            ("minute-61", "[2026-01-02 Fri 10:61]"),
            ("end-of-range", "<2026-01-02>--<2026-01-32>"),
            ("april-31", "<2026-04-31>"),
        )
    ),
    bad("stamp-in-heading", node(heading(line="* Part <2026-02-31 Tue>")), "impossible-date", 12),
    bad("stamp-in-table", node("| when | <2026-02-31> |\n"), "impossible-date", 12),
    bad("stamp-in-item", node("- at [2026-02-31]\n"), "impossible-date", 12),
    fine("stamp-real", _stamp("<2024-02-29 Thu 10:00-11:30 +1w -2d>")),
    fine("stamp-midnight", _stamp("<2026-01-02 Fri 24:00>")),
    fine("stamp-in-source", node("#+begin_src txt\n<2026-13-45>\n#+end_src\n")),
    fine("stamp-in-verbatim", _stamp("=<2026-13-45>=")),
    fine("stamp-in-fixed-width", node(": <2026-13-45>\n")),
    fine("stamp-not-quite", _stamp("<2026-1-2> and 2026-13-45 and [2026]")),
    *(
        bad(f"planned-{name}", _planned(line), "bad-planning", 13)
        for name, line in (
            ("word", "SCHEDULED: <soon>"),
            ("bare-date", "DEADLINE: 2026-01-02"),
            ("nothing", "SCHEDULED:"),
            ("german", "DEADLINE: <02.01.2026>"),
            ("text", "CLOSED: yes"),
            ("lisp", 'SCHEDULED: <%%(error "boom")>'),
        )
    ),
    bad("planned-month-13", _planned("SCHEDULED: <2026-13-45>"), "impossible-date", 13),
    bad("planned-february-30", _planned("DEADLINE: <2026-02-30 Xyz>"), "impossible-date", 13),
    fine("planned", _planned("DEADLINE: <2026-01-02 Fri> SCHEDULED: <2026-01-01 Thu +1w>")),
    *(
        bad(
            f"clock-{name}",
            node(f"* Part\n:LOGBOOK:\nCLOCK: {value}\n:END:\n{heading()}"),
            code,
            14,
        )
        for name, value, code in (
            ("letter", "[2026-01-02 Fri 10:00]--[x]", "bad-clock"),
            ("word", "soon", "bad-clock"),
            ("month-13", "[2026-13-45]--[x]", "bad-clock"),
            ("february-30", "[2026-02-30 Mon 10:00]", "impossible-date"),
            ("no-brackets", "2026-01-02 10:00", "bad-clock"),
            ("one-dash", "[2026-01-02 Fri 10:00]-[2026-01-02 Fri 11:00]", "bad-clock"),
        )
    ),
    fine(
        "clock",
        node(
            "* P\n:LOGBOOK:\nCLOCK: [2026-01-02 Fri 10:00]--[2026-01-02 Fri 11:00] =>  1:00\n:END:\n"
        ),
    ),
    fine("clock-running", node("* P\n:LOGBOOK:\nCLOCK: [2026-01-02 Fri 10:00]\n:END:\n")),
    fine("effort-in-words", node(heading(f":ID: {HERS}\n:EFFORT: two evenings\n"))),
    fine("all-properties", file(f"{ID}{PROPERTIES}")),
)
