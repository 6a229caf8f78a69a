#!/usr/bin/env bash
# Summary: Check the shell scripts and the tests of set-up
# Usage: scripts/lint-shell.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  shellcheck scripts/*.sh plugins/memory/hooks/*.sh tests/agent/*.sh .ci/run tests/bats/*.bash
  # In tests, programs are faked by quoted scripts (2016), each test is a process of its own (2030,
  # 2031), and a helper may be called with arguments or without (2119, 2120).
  shellcheck --exclude=SC2016,SC2030,SC2031,SC2119,SC2120 tests/bats/*.bats tests/agent/*.bats
}

main "$@"
