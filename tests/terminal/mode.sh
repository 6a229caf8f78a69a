#!/usr/bin/env bash
# Summary: Work in the store at a real terminal.
# Usage: tests/terminal/mode.sh [SCREEN-FILE]
#
# Starts Emacs in tmux with a HOME and a store of its own, types keys, and
# reads the screen: find a node by the menu, write, save (it is committed),
# break it (the finding shows while typing), save (it is not committed and
# the buffer says so), mend it, watch an agent write, and meet one who wrote
# while we did. AI_KB_TEST_PROGRAM names the ai-kb program (default: .venv's).
# With SCREEN-FILE, writes the screen of the refused node into it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
program=${AI_KB_TEST_PROGRAM:-$here/../../.venv/bin/ai-kb}
wait_seconds=${AI_KB_TERMINAL_WAIT:-30}
checks=0

tm() { tmux -L "$socket" "$@"; }

screen() { tm capture-pane -p -t session; }

keys() { tm send-keys -t session "$@"; }

fail() {
  printf 'not ok: %s\n--- the screen ---\n' "$1" >&2
  screen >&2 || true
  exit 1
}

ok() {
  checks=$((checks + 1))
  printf 'ok %d - %s\n' "$checks" "$1"
}

# until_true WORDS COMMAND...: wait until the command succeeds.
until_true() {
  local words=$1 end=$((SECONDS + wait_seconds))
  shift
  until "$@"; do
    ((SECONDS < end)) || fail "$words"
    sleep 0.1
  done
  ok "$words"
}

shows() { screen | grep -Eq -- "$1"; }

shows_not() { ! shows "$1"; }

committed() { git -C "$kb" show "HEAD:$1" 2>/dev/null | grep -Fq -- "$2"; }

agent() { env "${world[@]}" "$program" "$@" >/dev/null; }

start_emacs() {
  tm -f /dev/null new-session -d -s session -x 100 -y 30 \
    env "${world[@]}" TERM=screen-256color AI_KB_TERMINAL_PROGRAM="$program" \
    AI_KB_TERMINAL_ELISP="$here/../../elisp" emacs -nw -Q -l "$here/mode-init.el"
}

session() {
  local screen_file=${1-}
  agent init
  echo 'Closures keep what they closed over.' |
    agent new --type principle --title 'Hooks are global' --slug hooks --body-file -
  start_emacs
  until_true 'Emacs starts' shows 'scratch'

  keys C-c n k
  until_true 'the menu opens' shows 'switch to the knowledge base'
  keys f
  until_true 'it asks for a node' shows 'Node:'
  keys 'Hooks' Tab Enter
  until_true 'the node is visited' shows 'hooks.org.*kb'

  keys M-\> 'Name them.' C-x C-s
  until_true 'a save is committed' committed hooks.org 'Name them.'
  until_true 'the echo says so' shows 'hooks.org committed'

  keys Enter '#+begin_src sh' Enter
  until_true 'a finding shows while typing' shows 'Flymake\[[1-9]'
  keys C-x C-s
  until_true 'a broken node is not committed and the buffer says so' shows 'Not committed: line 14'
  shows 'kb:NOT COMMITTED' || fail 'the mode line says nothing'
  committed hooks.org begin_src && fail 'it was committed'
  grep -Fq begin_src "$kb/hooks.org" || fail 'it is not on disk'
  if [[ $screen_file ]]; then screen >"$screen_file"; fi

  keys '#+end_src' Enter C-x C-s
  until_true 'mended, it is committed' committed hooks.org '#+end_src'
  until_true 'and nothing is said any more' shows_not 'Not committed'

  echo 'An agent was here.' | agent edit 'Hooks are global' --append-file -
  until_true "an agent's words appear" shows 'An agent was here'

  keys M-\> 'I write on.'
  until_true 'the buffer is modified' shows 'I write on'
  sed 's/An agent was here/Two agents were here/' "$kb/hooks.org" >"$root/new"
  mv "$root/new" "$kb/hooks.org"
  until_true 'a conflict is told' shows 'kb:CONFLICT'
  keys C-x C-s
  until_true 'saving asks what to do' shows 'changed on disk by somebody else.*'
  keys t
  until_true 'their text is taken' shows 'Two agents were here'
  until_true 'and nothing is in conflict' shows_not 'kb:CONFLICT'
  keys C-x b '*hooks.org as' Tab Enter
  until_true 'my text is kept' shows 'I write on'

  keys C-c n k s
  until_true 'the status shows what is not committed' shows '^ +hooks.org'
}

# shellcheck disable=SC2154  # both are set before the trap is
clean_up() {
  tm kill-server 2>/dev/null || true
  rm -rf -- "$root"
}

main() {
  root=$(mktemp -d "${TMPDIR:-/tmp}/ai-kb-terminal.XXXXXX")
  socket=$(basename "$root")
  kb=$root/kb
  mkdir -p "$root/home" "$root/run"
  world=(-u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME
    HOME="$root/home" TMPDIR="$root/run" XDG_RUNTIME_DIR="$root/run" AI_KB_HOME="$kb"
    LC_ALL=C.UTF-8)
  trap clean_up EXIT
  session "$@"
  printf '%d checks\n' "$checks"
}

main "$@"
