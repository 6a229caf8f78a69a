#!/usr/bin/env bash
# Summary: Take back what set-up linked into the home directory
# Usage: scripts/uninstall.sh
#
# Removes the links to the rule, the command, the plugin and its skills, when they are ours. The store and
# the vault are never touched.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  take_link "$rule_target" "$rule_link"
  take_link "$launcher_target" "$launcher_link"
  [[ ! -L $plugin_link ]] || take_link "$plugin_target" "$plugin_link"
  local name
  for name in $skill_names; do
    [[ ! -L $skills_folder/$name ]] || take_link "$plugin_target/skills/$name" "$skills_folder/$name"
  done
}

main "$@"
