#!/usr/bin/env bash
# Summary: Run the Python tests
# Usage: scripts/test-python.sh [PYTEST-ARGUMENT...]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  # A test waits for disks and other processes a third of its time: one more of them than cores.
  .venv/bin/python -m pytest -n "$(($(nproc) + 1))" "$@"
}

main "$@"
