#!/usr/bin/env bash
# Summary: Put the ai-kb command on PATH
# Usage: scripts/install-launcher.sh
#
# Links ~/.local/bin/ai-kb to the launcher that scripts/make-venv.sh wrote.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  [[ -x $launcher_target ]] ||
    refusing "$launcher_link" "$launcher_target is missing; run make .venv first"
  put_link "$launcher_target" "$launcher_link"
  [[ :$PATH: == *:"$HOME/.local/bin":* ]] || tell_path
}

tell_path() {
  echo "  ~/.local/bin is not on your PATH; add this line to your shell's start-up file:"
  # shellcheck disable=SC2016 # the reader's shell expands it, not this one
  echo '  export PATH="$HOME/.local/bin:$PATH"'
}

main "$@"
