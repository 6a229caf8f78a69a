#!/usr/bin/env bats
# Set-up tells a running Emacs about the store: best effort, silent, bounded.

load test_helper

setup() {
  new_world
  checkout "$DIR/checkout"
  mkdir -p "$DIR/checkout/.venv/bin"
  printf '#!/bin/sh\necho "ai-kb $*"\n' >"$DIR/checkout/.venv/bin/ai-kb"
  chmod +x "$DIR/checkout/.venv/bin/ai-kb"
}

set_up() { timeout 30 "$DIR/checkout/scripts/setup-ai-kb.sh" </dev/null; }

# server FORM: an Emacs of this test's own, which has evaluated FORM.
server() {
  emacs -Q --eval "$1" --fg-daemon >"$DIR/server.log" 2>&1 3>&- &
  SERVER=$!
  local tries
  for tries in {1..100}; do
    emacsclient --eval t >/dev/null 2>&1 && return
    sleep 0.1
  done
  echo "the server did not start after $tries tries"
  cat "$DIR/server.log"
  return 1
}

teardown() {
  [[ -z ${SERVER:-} ]] || kill -KILL "$SERVER"
  end_world
}

@test "without emacsclient nothing is said" {
  path_without emacsclient
  run set_up
  assert_success
  assert_equal "$output" "ai-kb init"
}

@test "without a server nothing is said and no editor is started" {
  fake my-editor 'touch "$HOME/started"'
  export ALTERNATE_EDITOR=my-editor
  run set_up
  assert_success
  assert_equal "$output" "ai-kb init"
  assert_missing "$HOME/started"
}

@test "a server that does not know the command is left alone" {
  server t
  run set_up
  assert_success
  assert_equal "$output" "ai-kb init"
}

@test "a server that knows the command is asked" {
  server "(defun cj/ai-kb-db-sync () (write-region \"\" nil \"$HOME/synced\"))"
  run set_up
  assert_success
  assert_equal "$output" "ai-kb init"
  [[ -e $HOME/synced ]]
}

@test "an error in the server is not ours" {
  server "(defun cj/ai-kb-db-sync () (error \"no\"))"
  run set_up
  assert_success
  assert_equal "$output" "ai-kb init"
}

@test "a server that hangs is not waited for" {
  server "(defun cj/ai-kb-db-sync () (while t))"
  before=$SECONDS
  run set_up
  assert_success
  ((SECONDS - before < 10))
}

@test "the origin is handed on, as a clone where there is no store yet" {
  AI_KB_ORIGIN="ssh://host/a b" run set_up
  assert_success
  assert_equal "$output" "ai-kb clone ssh://host/a b"
  mkdir -p "$HOME/.local/share/ai-kb"
  AI_KB_ORIGIN="ssh://host/a b" run set_up
  assert_equal "$output" "ai-kb init --origin ssh://host/a b"
}

@test "a refusal of the store stops set-up" {
  echo "exit 1" >>"$DIR/checkout/.venv/bin/ai-kb"
  run set_up
  assert_status 1
}

@test "without the command set-up says what to run" {
  rm "$DIR/checkout/.venv/bin/ai-kb"
  run set_up
  assert_status 1
  assert_said "refusing the store: DIR/checkout/.venv/bin/ai-kb is missing; run make ai-kb-init"
}
