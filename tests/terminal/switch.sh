#!/usr/bin/env bash
# Summary: Live an hour with the switch at a real terminal.
# Usage: tests/terminal/switch.sh [SCREEN-FILE]
#
# Starts Emacs in tmux with a HOME of its own, types keys, and reads the
# screen: switch, find a node, follow a backlink, complete a personal task,
# switch back. Fails at the first screen that does not come within
# AI_KB_TERMINAL_WAIT seconds (default 30). With SCREEN-FILE, writes the
# screen with the knowledge base on into it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
wait_seconds=${AI_KB_TERMINAL_WAIT:-30}
checks=0

tm() { tmux -L "$socket" "$@"; }

screen() { tm capture-pane -p -t session; }

fail() {
  printf 'not ok: %s\n--- the screen ---\n' "$1" >&2
  screen >&2 || true
  exit 1
}

keys() { tm send-keys -t session "$@"; }

ok() {
  checks=$((checks + 1))
  printf 'ok %d - %s\n' "$checks" "$1"
}

# see REGEXP WORDS: wait until the screen matches.
see() {
  local end=$((SECONDS + wait_seconds))
  until screen | grep -Eq -- "$1"; do
    ((SECONDS < end)) || fail "$2: no /$1/"
    sleep 0.1
  done
  ok "$2"
}

# holds FILE TEXT WORDS: wait until the file has the text.
holds() {
  local end=$((SECONDS + wait_seconds))
  until grep -Fqs -- "$2" "$1"; do
    ((SECONDS < end)) || fail "$3: $1 has no $2"
    sleep 0.1
  done
  ok "$3"
}

node() { # FILE ID TITLE BODY
  printf ':PROPERTIES:\n:ID: %s\n:END:\n#+title: %s\n\n%s\n' "$2" "$3" "$4" >"$1"
}

# What an agent's shell does after a write.
ask_for_sync() {
  timeout 5 emacsclient --socket-name="$root/server/server" -e '(ai-kb-db-sync)' |
    grep -Eq 'a sync is on its way' || fail 'emacsclient had no answer'
}

make_world() {
  mkdir -p "$root/home/.emacs.d" "$root/roam/daily" "$root/kb/raw"
  node "$root/roam/chores.org" 00000001-1111-4111-8111-111111111111 Chores '* TODO Feed the cat'
  node "$root/kb/hooks.org" 00000065-1111-4111-8111-111111111111 'Hooks are global' \
    'Closures keep what they closed over.'
  node "$root/kb/scope.org" 00000066-1111-4111-8111-111111111111 'Scope by wrapping' \
    'See [[id:00000065-1111-4111-8111-111111111111][Hooks are global]].'
  node "$root/kb/raw/page.org" 00000067-1111-4111-8111-111111111111 'A raw page' raw
}

start_emacs() {
  tm -f /dev/null new-session -d -s session -x 100 -y 30 \
    env -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u AI_KB_HOME HOME="$root/home" LC_ALL=C.UTF-8 TERM=screen-256color \
    AI_KB_TERMINAL_ROOT="$root" AI_KB_TERMINAL_ELISP="$here/../../elisp" \
    emacs -nw -Q -l "$here/init.el"
}

session() {
  see 'scratch' 'Emacs is up'
  keys C-c n
  see 'ai-kb: knowledge base' 'which-key shows the label'
  keys a
  see 'ai-kb is on: 2 nodes in 2 files' 'the echo says what was synced'
  see '\[ai-kb\]' 'the mode line has the sign'

  keys C-c n f
  see 'Node:' 'node-find asks'
  keys 'Hooks are' Tab
  see 'Hooks are global' 'node-find knows the store'
  keys Enter
  see 'Closures keep' 'the node is shown'
  keys C-c n l
  see 'Backlinks' 'the backlink buffer is shown'
  see 'Scope by wrapping' 'the backlink is there'
  [[ -z $screen_file ]] || screen >"$screen_file"
  keys C-x o
  keys C-s 'Scope by' Enter
  keys Enter
  see 'See .*Hooks are global' 'the backlink leads to its node'
  keys C-x 1

  node "$root/kb/agent.org" 00000068-1111-4111-8111-111111111111 'By an agent' text
  ask_for_sync
  ask_for_sync
  see 'ai-kb: 3 nodes in 3 files, 1 indexed' 'the shell asks for a sync, and it comes'

  keys C-x C-f C-a C-k "$root/roam/chores.org" Enter
  see 'Feed the cat' 'the personal note is shown'
  see '\[ai-kb\]' 'and the sign in its mode line too'
  keys M-\> C-p
  keys C-c C-t
  see 'Copied Feed the cat' 'the task is completed'
  keys C-x C-s
  holds "$root/roam/daily/$(date +%Y-%m-%d).org" 'DONE Feed the cat' 'it is in the personal daily'
  [[ ! -e $root/kb/daily ]] || fail 'the store has a daily'
  ok 'the store has none'

  keys C-c n A
  see 'Your own roam is on' 'the echo says so'
  if screen | grep -Fq '[ai-kb]'; then fail 'the sign is still there'; fi
  ok 'the sign is gone'
  keys C-c n f
  see 'Node:' 'node-find asks again'
  keys Chor Tab
  see 'Chores' 'and knows the personal roam'
  keys C-g
  rm "$root/kb/agent.org"
  ask_for_sync
  see 'ai-kb: 2 nodes in 2 files, 0 indexed and 1 dropped' 'a sync comes with the personal roam on too'
  keys C-c n f
  see 'Node:' 'node-find asks once more'
  keys Chor Tab
  see 'Chores' 'and still knows the personal roam'
  keys C-g
}

main() {
  screen_file=${1-}
  root=$(mktemp -d "${TMPDIR:-/tmp}/ai-kb-terminal.XXXXXX")
  socket=$(basename "$root")
  # shellcheck disable=SC2064  # the names of now
  trap "tmux -L '$socket' kill-server 2>/dev/null || true; rm -rf -- '$root'" EXIT
  make_world
  start_emacs
  session
  printf '%d passed, 0 failed\n' "$checks"
}

main "$@"
