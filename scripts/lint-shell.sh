#!/usr/bin/env bash
# Summary: Check the shell scripts and the tests of set-up
# Usage: scripts/lint-shell.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  shellcheck scripts/*.sh .ci/run tests/bats/*.bash tests/bats/*.bats
}

main "$@"
