#!/usr/bin/env bash
# Summary: Run our hooks by the real agent program from npm, without login
# Usage: tests/agent/run.sh [BATS-ARGUMENT...]
#
# Installs @anthropic-ai/claude-code once into .cache/agent of this checkout; remove that folder to have
# the newest one, or set AGENT_PROGRAM to one that is there already. Nothing of your own settings, login
# or vault is used, and the only model that is asked is tests/agent/model.py on loopback.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

main() {
  local cache=$root/.cache/agent
  if [[ -z ${AGENT_PROGRAM:-} ]]; then
    AGENT_PROGRAM=$cache/node_modules/.bin/claude
    [[ -x $AGENT_PROGRAM ]] || fetch "$cache"
  fi
  export AGENT_PROGRAM
  echo "agent: $("$AGENT_PROGRAM" --version </dev/null)"
  bats "$@" "$root/tests/agent"
}

fetch() {
  has npm || refusing "$1" "npm is missing; on Debian: apt-get install npm"
  writing "$1" "npm install @anthropic-ai/claude-code"
  mkdir -p "$1"
  npm install --prefix "$1" --no-audit --no-fund --loglevel=error @anthropic-ai/claude-code </dev/null
  [[ -x $1/node_modules/.bin/claude ]] || refusing "$1" "the package has no program named claude"
}

main "$@"
