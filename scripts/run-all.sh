#!/usr/bin/env bash
# Summary: Run several of these scripts, all of them even when one fails, and sum up
# Usage: scripts/run-all.sh NAME...
#
# Runs scripts/NAME.sh for each. Fails when any failed or is not there. The sums are the last lines.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local name began summary="" passed=0 failed=0
  for name in "$@"; do
    began=$SECONDS
    printf '== %s\n' "$name"
    if "$root/scripts/$name.sh" </dev/null; then
      passed=$((passed + 1))
      summary+="$(printf '%-14s passed  %4d s' "$name" $((SECONDS - began)))"$'\n'
    else
      failed=$((failed + 1))
      summary+="$(printf '%-14s FAILED  %4d s' "$name" $((SECONDS - began)))"$'\n'
    fi
  done
  printf '\n%ssuites: %d passed, %d failed\n' "$summary" "$passed" "$failed"
  [[ $failed == 0 ]]
}

main "$@"
