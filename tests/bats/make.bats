#!/usr/bin/env bats
# The Makefile, the runner of several suites, and the entry of continuous integration.

load test_helper

@test "a bare make explains every target and changes nothing" {
  run make --no-print-directory -C "$ROOT"
  assert_success
  for target in help ai-kb-init install uninstall .venv lint test test-python test-elisp test-bats bench clean; do
    assert_said "$target  *"
  done
  assert_equal "$(ls -A "$HOME")" ""
}

@test "every script says what it does and how it is used" {
  for script in "$ROOT"/scripts/*.sh; do
    run head -n 4 "$script"
    assert_said "# Summary: ?*"
    assert_said "# Usage: ?*"
  done
}

@test "a failing suite does not hide the others, and the sum comes last" {
  checkout "$DIR/checkout"
  for name in one two three; do
    printf '#!/bin/sh\necho "this is %s"\n' "$name" >"$DIR/checkout/scripts/$name.sh"
    chmod +x "$DIR/checkout/scripts/$name.sh"
  done
  echo "exit 5" >>"$DIR/checkout/scripts/two.sh"
  run "$DIR/checkout/scripts/run-all.sh" one two three
  assert_status 1
  assert_said "this is three"
  assert_said "two            FAILED *"
  assert_equal "${lines[-1]}" "suites: 2 passed, 1 failed"
}

@test "a suite whose runner is missing fails" {
  run "$ROOT/scripts/run-all.sh" no-such-suite
  assert_status 1
  assert_equal "${lines[-1]}" "suites: 0 passed, 1 failed"
}

@test "continuous integration runs lint and test, both, with nobody to ask" {
  fake make 'echo "make $*"; [[ ! -t 0 && -z $(cat) ]] || echo "it could have asked"'
  run "$ROOT/.ci/run"
  assert_success
  assert_equal "$output" "make --keep-going lint test"
}
