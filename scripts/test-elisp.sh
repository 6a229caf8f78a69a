#!/usr/bin/env bash
# Summary: Run the ERT tests.
# Usage: scripts/test-elisp.sh [REGEXP]
#
# Runs every tests/elisp/*-test.el in one batch Emacs with a HOME of its own,
# or only the tests whose name matches REGEXP. Fails when a test fails and when
# none ran. AI_KB_PYTHON names the Python that has sexpdata (default: the
# checkout's .venv, else python3).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

main() {
  local scratch selector=${1-}
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/ai-kb-ert.XXXXXX")
  # shellcheck disable=SC2064  # the name of now, not that of later
  trap "rm -rf -- '$scratch'" EXIT
  mkdir "$scratch/home"

  cd "$root"
  env -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME -u EMACSLOADPATH \
    HOME="$scratch/home" LC_ALL=C.UTF-8 AI_KB_TEST_SELECTOR="$selector" \
    emacs -Q --batch -L "$root/tests/elisp" -l "$root/scripts/test-elisp.el"
}

main "$@"
