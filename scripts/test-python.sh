#!/usr/bin/env bash
# Summary: Run the Python tests
# Usage: scripts/test-python.sh [PYTEST-ARGUMENT...]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  cd -- "$root"
  .venv/bin/python -m pytest -n 2 "$@"
}

main "$@"
