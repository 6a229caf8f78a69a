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
  lock_is_enough || failed=1
  return "$failed"
}

# .venv is made from the lock alone, so what pyproject.toml asks for must be in it.
lock_is_enough() {
  .venv/bin/python -I - <<'EOF'
import re, sys, tomllib
from packaging.requirements import Requirement
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
wanted = project["dependencies"] + sum(project["optional-dependencies"].values(), [])
pinned = dict(re.findall(r"^([^#=\n]+)==(.+)$", open("requirements.lock").read().lower(), re.M))
missing = [text for text in wanted if (need := Requirement(text)) and not (
    (version := pinned.get(need.name.lower())) and need.specifier.contains(version))]
if missing:
    sys.exit(f"requirements.lock lacks {', '.join(missing)}; run scripts/update-lock.sh")
EOF
}

main "$@"
