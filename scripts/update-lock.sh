#!/usr/bin/env bash
# Summary: Pin the newest versions that pyproject.toml allows in requirements.lock
# Usage: scripts/update-lock.sh
#
# Uses a throw-away environment, so that nothing gets into the lock but what pyproject.toml needs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local directory
  directory=$(mktemp -d)
  # shellcheck disable=SC2064 # the name is fixed now
  trap "rm -rf '$directory'" EXIT
  "$(find_python)" -I -m venv "$directory/venv"
  wanted >"$directory/wanted"
  "$directory/venv/bin/python" -m pip install --quiet --no-input -r "$directory/wanted"
  writing requirements.lock "what pip chose for pyproject.toml"
  {
    echo "# Written by scripts/update-lock.sh from pyproject.toml, the dev extra included."
    "$directory/venv/bin/python" -m pip freeze
  } >"$root/requirements.lock"
}

wanted() {
  "$(find_python)" -I - "$root/pyproject.toml" <<'EOF'
import sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
print(*project["dependencies"], *project["optional-dependencies"]["dev"], sep="\n")
EOF
}

main "$@"
