#!/usr/bin/env bash
# Summary: Run the tests of set-up
# Usage: scripts/test-bats.sh [BATS-ARGUMENT...]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  bats "$@" tests/bats
}

main "$@"
