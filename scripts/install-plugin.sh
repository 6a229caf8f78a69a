#!/usr/bin/env bash
# Summary: Link the memory plugin where Claude Code loads its user's plugins
# Usage: scripts/install-plugin.sh
#
# Links plugins/memory as ~/.claude/skills/memory (or below $CLAUDE_CONFIG_DIR): the agent loads a
# directory there that has a .claude-plugin/plugin.json as memory@skills-dir at its next start. A link,
# so that `git pull` is enough to renew it. Nothing of someone else's is replaced.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  [[ -f $plugin_target/.claude-plugin/plugin.json ]] ||
    refusing "$plugin_link" "$plugin_target is not whole; restore it with git checkout and run this again"
  [[ -L $plugin_link ]] || registered_twice
  put_link "$plugin_target" "$plugin_link"
}

# The same hook by plugin and by settings would run twice.
registered_twice() {
  if grep -Eqs "ai-kb(\.sh)?[\"'\\\\]*[[:space:]]+hook[[:space:]]+session-" "$agent_config/settings.json"; then
    refusing "$plugin_link" "$agent_config/settings.json has these hooks already, and each would run \
twice; run ai-kb vault uninstall-hooks first, or keep them and run make install-skills"
  fi
}

main "$@"
