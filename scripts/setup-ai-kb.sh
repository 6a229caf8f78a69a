#!/usr/bin/env bash
# Summary: Make or adopt the store, and let a running Emacs know
# Usage: [AI_KB_HOME=DIR] [AI_KB_ORIGIN=URL] scripts/setup-ai-kb.sh
#
# The store is at $AI_KB_HOME, else $XDG_DATA_HOME/ai-kb, else ~/.local/share/ai-kb. With an origin
# it is cloned from there; without one it is local, and `ai-kb remote URL` adds one later.
# Running it again changes nothing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  [[ -x $launcher_target ]] ||
    refusing "the store" "$launcher_target is missing; run make ai-kb-init"
  make_store
  sync_emacs
}

make_store() {
  local store=${AI_KB_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/ai-kb}
  if [[ -n ${AI_KB_ORIGIN:-} && ! -e $store ]]; then
    "$launcher_target" clone "$AI_KB_ORIGIN" </dev/null
  elif [[ -n ${AI_KB_ORIGIN:-} ]]; then
    "$launcher_target" init --origin "$AI_KB_ORIGIN" </dev/null
  else
    "$launcher_target" init </dev/null
  fi
}

# Best effort and silent: nothing depends on a running Emacs, and it also syncs when a person switches
# to the store. Without a server emacsclient would start $ALTERNATE_EDITOR, or a daemon if that is empty.
sync_emacs() {
  ALTERNATE_EDITOR=false timeout 5 emacsclient --eval '(cj/ai-kb-db-sync)' \
    </dev/null >/dev/null 2>&1 || true
}

main "$@"
