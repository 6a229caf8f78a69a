#!/usr/bin/env bash
# Summary: Link the agent's rule into the directory that Claude Code loads in every session
# Usage: scripts/install-rule.sh
#
# Links claude-rules/ai-kb.md into ~/.claude/rules (or $CLAUDE_CONFIG_DIR/rules). A link, so that
# `git pull` is enough to renew the rule. A file or a link of someone else's is never replaced.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  # A broken link would be ignored silently by the agent: better to say it here.
  [[ -f $rule_target ]] ||
    refusing "$rule_link" "$rule_target is missing; restore it with git checkout and run this again"
  put_link "$rule_target" "$rule_link"
}

main "$@"
