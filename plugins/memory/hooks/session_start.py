#!/usr/bin/env python3
"""SessionStart: tell the session what the vault says of its project (plan, Phase 2).

A thin script: the event on standard input goes to `ai-kb hook session-start`, whose answer goes to the
agent.  hooks.json calls that command directly, because each Python that starts costs the session time;
this is for settings that name a script.
"""

import os

HERE = os.path.dirname(os.path.realpath(__file__))

if __name__ == "__main__":
    os.execvp("sh", ["sh", os.path.join(HERE, "ai-kb.sh"), "hook", "session-start"])
