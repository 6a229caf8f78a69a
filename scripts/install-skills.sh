#!/usr/bin/env bash
# Summary: Link the memory skills where Claude Code loads its user's skills
# Usage: scripts/install-skills.sh
#
# Links each plugins/memory/skills/NAME as ~/.claude/skills/NAME (or below $CLAUDE_CONFIG_DIR), so that
# they are called /memory-find and not /memory:memory-find. All that can be linked are; a person's own
# skill of such a name is never replaced, and makes this fail in the end.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local name failed=0
  for name in $skill_names; do
    if [[ -f $plugin_target/skills/$name/SKILL.md ]]; then
      put_link "$plugin_target/skills/$name" "$skills_folder/$name" || failed=1
    else
      refusing "$skills_folder/$name" "$plugin_target/skills/$name is missing; restore it with git checkout" ||
        failed=1
    fi
  done
  return "$failed"
}

main "$@"
