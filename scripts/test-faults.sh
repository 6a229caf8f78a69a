#!/usr/bin/env bash
# Summary: Run the fault suites whole: crashes, many writers, many machines, the model
# Usage: scripts/test-faults.sh [PYTEST-ARGUMENT...]
#
# `make test` runs a little of each; this takes an hour or two on two cores. See docs/reliability.md.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  AI_KB_FAULTS=full .venv/bin/python -m pytest \
    tests/python/system/test_faults_*.py tests/python/system/test_model.py \
    tests/python/system/test_sync_*.py tests/python/system/test_kill.py \
    tests/python/system/test_fail_*.py tests/python/unit/test_merge_properties.py "$@"
}

main "$@"
