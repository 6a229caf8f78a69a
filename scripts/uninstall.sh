#!/usr/bin/env bash
# Summary: Take back what set-up linked into the home directory
# Usage: scripts/uninstall.sh
#
# Removes the rule's link and the command's link, when they are ours. The store is never touched.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  take_link "$rule_target" "$rule_link"
  take_link "$launcher_target" "$launcher_link"
}

main "$@"
