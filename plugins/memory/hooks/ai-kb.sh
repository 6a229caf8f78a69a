#!/bin/sh
# Summary: Run ai-kb wherever it is, for hooks and skills, whose PATH may lack it
# Usage: sh ai-kb.sh WORD...
#
# The person's own command first, then that of the checkout that this plugin is linked from. None at
# all is no trouble of the session: one line on standard error, exit 0.
if command -v ai-kb >/dev/null 2>&1; then
  exec ai-kb "$@"
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
for program in "$HOME/.local/bin/ai-kb" "$here/../../../.venv/bin/ai-kb"; do
  if [ -x "$program" ]; then
    exec "$program" "$@"
  fi
done
echo "memory: no ai-kb command on PATH, in ~/.local/bin or beside this plugin" >&2
