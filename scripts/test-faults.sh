#!/usr/bin/env bash
# Summary: Prove at full size that nothing is lost: crashes, full disks, many writers and machines
# Usage: scripts/test-faults.sh [PYTEST-ARGUMENT...]
#
# Takes about half an hour. $AI_KB_FAULT_SEED chooses another course of chance, $AI_KB_FAULT_TRIALS
# how much is tried: 500 is all of it, 10 is a look.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  AI_KB_FAULTS=full .venv/bin/python -m pytest -q -s -o addopts="-ra --strict-markers --strict-config" tests/faults tests/python/unit/test_merge_properties.py --durations=0 "$@"
}

main "$@"
