"""Entry point of the ``ai-kb`` command.

Run as a file, this is compiled at every start: it only finds the libraries and goes on to
:mod:`aikb.cli.entry`.
"""

import os
import sys

if not __package__:  # started as a script, by the launcher, with no site packages (-S is faster)
    _venv = os.path.dirname(os.path.dirname(sys.executable))
    _version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    sys.path.append(os.path.join(_venv, "lib", _version, "site-packages"))


def main() -> int:
    """Run the command line; returns the exit code."""
    if sys.argv[1:] == ["--version"]:  # before any import: it is asked on every machine check
        from aikb import __version__

        sys.stdout.write(f"ai-kb {__version__}\n")
        return 0
    from aikb.cli.entry import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
