#!/usr/bin/env bash
# Summary: Check the Python code: style, layout, types, and who imports whom
# Usage: scripts/lint-python.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local failed=0
  cd -- "$root"
  .venv/bin/python -m ruff check || failed=1
  .venv/bin/python -m ruff format --check || failed=1
  .venv/bin/python -m mypy || failed=1
  .venv/bin/lint-imports || failed=1
  return "$failed"
}

main "$@"
