"""Entry point of the ``ai-kb`` command."""

import sys


def main() -> int:
    """Run the command line; returns the exit code."""
    from aikb import __version__

    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"ai-kb {__version__}\n")
        return 0
    return 2


if __name__ == "__main__":
    sys.exit(main())
