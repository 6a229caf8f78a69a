#!/usr/bin/env python3
"""Let memsearch see what is new, by the command that is configured.

One of the four steps that `ai-kb hook session-end` takes in order, in the background; that is the only
hook which is registered.  This script is for a person who wants the step now:

    python3 memsearch_sync.py --cwd ~/code/project
"""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))

if __name__ == "__main__":
    words = ["hook", "step", "memsearch_sync", *sys.argv[1:]]
    os.execvp("sh", ["sh", os.path.join(HERE, "ai-kb.sh"), *words])
