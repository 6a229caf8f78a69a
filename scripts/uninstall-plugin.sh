#!/usr/bin/env bash
# Summary: Take back the links to the memory plugin and its skills
# Usage: scripts/uninstall-plugin.sh [plugin] [skills]
#
# Removes the links that are ours, and nothing else. Hooks in settings.json are taken out by
# `ai-kb vault uninstall-hooks`.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local what name
  [[ $# -gt 0 ]] || set -- plugin skills
  for what; do
    case $what in
      plugin) take_link "$plugin_target" "$plugin_link" ;;
      skills)
        for name in $skill_names; do
          take_link "$plugin_target/skills/$name" "$skills_folder/$name"
        done
        ;;
      *)
        echo "usage: $0 [plugin] [skills]" >&2
        return 2
        ;;
    esac
  done
}

main "$@"
