"""One run of the command line, and the one place where trouble becomes words and an exit code."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as typing has it, without importing typing: `find` waits for it
if TYPE_CHECKING:
    from click import ClickException

    from aikb.errors import AikbError


def main() -> int:
    """Run the command line; returns the exit code."""
    import gc

    gc.disable()  # a short-lived process that builds many tuples: collecting them is wasted time
    os.umask(0o077)
    _set_streams()
    _end_gently()
    try:
        code = None
        if sys.argv[1:2] == ["find"]:
            from aikb.cli.quick import quick_find

            code = quick_find(sys.argv[2:], os.environ)
        elif sys.argv[1:2] == ["hook"]:
            from aikb.hooks.dispatch import answer

            code = answer(sys.argv[2:], os.environ)
        if code is None:
            code = _run()
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            sys.stderr.write(f"ai-kb: the answer cannot be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0 if isinstance(error, BrokenPipeError) else 1
    except SystemExit:  # the reader has enough; click makes an exit of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    return code


def _set_streams() -> None:
    """UTF-8 whatever the locale; a stream that the caller closed is the null device.

    Else the next file that is opened (the lock, say) would become standard input or output.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            stream = open(number, "w" if number else "r", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
        if number:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _end_gently() -> None:
    """A polite kill is an interrupt: what was begun is put back, and Emacs does not outlive us."""
    import signal

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _run() -> int:
    import click

    from aikb.cli.main import cli
    from aikb.errors import EXIT_BUG, EXIT_DONE, EXIT_INTERRUPTED, AikbError

    try:
        result = cli.main(standalone_mode=False, prog_name="ai-kb")
    except AikbError as error:
        return _refuse(error)
    except click.exceptions.Abort:
        return EXIT_INTERRUPTED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        return _misused(error)
    except BrokenPipeError:
        raise
    except OSError:
        sys.stdout.flush()  # raises, if it is the answer that could not be written: no bug of ours
        return _bug(EXIT_BUG)
    except Exception:
        return _bug(EXIT_BUG)
    return result if isinstance(result, int) else EXIT_DONE


def _misused(error: ClickException) -> int:
    import io

    from aikb.cli.private import safe
    from aikb.cli.text import printable

    if _wants_json():
        _print_error("usage", safe(error.format_message()), None)
    said = io.StringIO()
    error.show(said)
    sys.stderr.write(printable(safe(said.getvalue())))
    return error.exit_code


def _refuse(error: AikbError) -> int:
    from aikb.cli.output import finding_json, tell, tell_findings
    from aikb.cli.private import safe
    from aikb.cli.refusal import beside

    message, hint = safe(error.message), safe(error.hint) if error.hint else None
    findings, further, lines = beside(error)
    if _wants_json():
        _print_error(
            error.code, message, hint,
            findings=[finding_json(f) for f in findings], repaired=error.repaired, **further,
        )  # fmt: skip
    else:
        for line in lines:
            tell(line)
    if error.repaired:
        tell(f"repaired: {error.repaired}")
    tell_findings(findings)
    tell(f"ai-kb: {message}")
    if hint:
        tell(hint)
    return error.exit_code


def _wants_json() -> bool:
    return "--json" in sys.argv[1:]


def _print_error(code: str, message: str, hint: str | None, **further: object) -> None:
    from aikb.cli.output import print_json

    error = {"code": code, "message": message, "hint": hint}
    print_json({"ok": False, "error": error, **further})


def _bug(code: int) -> int:
    """Keep the traceback in a log; a person gets a sentence and its place.

    Neither has what the command was given: that may be a secret.
    """
    import time
    import traceback

    from aikb.cli.text import one_line, printable

    place, called = "", "ai-kb"
    try:
        from aikb.cli.private import command_line, traceback_text

        called = command_line(sys.argv[1:])
        text = traceback_text(traceback.format_exc(), sys.argv[1:])
    except Exception:  # then without the words of the exception, which may repeat anything
        text = "".join(traceback.format_tb(sys.exc_info()[2])) + "an exception\n"
    try:
        from aikb.config import find_places

        folder = find_places(os.environ).state
        os.makedirs(folder, mode=0o700, exist_ok=True)
        place = os.path.join(folder, f"bug-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log")
        with open(place, "w", encoding="utf-8") as file:
            file.write(f"{called}\n{text}")
    except Exception:  # whatever it is, the traceback must still be shown
        sys.stderr.write(printable(text))
    last = one_line(text.strip().splitlines()[-1])
    if _wants_json():
        _print_error("bug", last, place or None)
    sys.stderr.write(f"ai-kb: a bug in ai-kb: {last}\n")
    if place:
        sys.stderr.write(f"The traceback is in {place}\n")
    return code
