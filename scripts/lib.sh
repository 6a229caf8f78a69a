# Summary: What the scripts share: where the checkout is, and the three things a step may say
# Usage: source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
#
# Runs under bash 3.2 too, which is what macOS has.
# shellcheck shell=bash
# shellcheck disable=SC2034 # the names are for whoever sources this

# A cron job or a container may have none; bash then knows it from the list of users.
if [[ -z ${HOME:-} ]]; then
  unset HOME
  HOME=~
  export HOME
fi

# The checkout, symbolic links resolved, so that what we link to does not depend on how we were called.
root=$(unset CDPATH && cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# Every step asks first, and then says exactly one of these.
writing() { printf 'writing %s: %s\n' "$1" "$2"; }
skipping() { printf 'skipping %s: %s\n' "$1" "$2"; }
refusing() {
  printf 'refusing %s: %s\n' "$1" "$2" >&2
  return 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the first Python that is new enough and can make a virtual environment; $AI_KB_PYTHON, when
# set, is the only choice. The system's own comes first: a version manager's may be removed under us.
find_python() {
  local python
  if [[ -n ${AI_KB_PYTHON:-} ]]; then
    set -- "$AI_KB_PYTHON"
  else
    set -- /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11
  fi
  for python; do
    if "$python" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
      >/dev/null 2>&1; then
      printf '%s\n' "$python"
      return
    fi
  done
  return 1
}

# put_link TARGET LINK: makes LINK point at TARGET unless something that is not ours is there.
put_link() {
  local target=$1 link=$2 directory
  directory=$(dirname -- "$link")
  if ! mkdir -p -- "$directory" 2>/dev/null; then
    refusing "$link" "cannot make the directory $directory; see what stands in its way"
  elif [[ $link -ef $target ]]; then
    skipping "$link" "already leads to $target"
  elif link_is_ours "$target" "$link"; then
    writing "$link" "link to $target (it pointed at $(readlink -- "$link"), which is gone)"
    ln -sfn -- "$target" "$link"
  elif [[ -L $link ]]; then
    refusing "$link" "it is a link to $(readlink -- "$link"), not ours; move it away and run this again"
  elif [[ -e $link ]]; then
    refusing "$link" "a file that is not ours is there; move it away and run this again"
  else
    writing "$link" "link to $target"
    ln -s -- "$target" "$link"
  fi
}

# take_link TARGET LINK: takes back what put_link made, and nothing else.
take_link() {
  local target=$1 link=$2
  if link_is_ours "$target" "$link"; then
    writing "$link" "removed the link to $(readlink -- "$link")"
    rm -- "$link"
  elif [[ -L $link || -e $link ]]; then
    skipping "$link" "it is not ours, so it stays"
  else
    skipping "$link" "already gone"
  fi
}

# A link is ours when it says our target, or when it is broken and names the same file in a checkout
# that was moved or deleted.
link_is_ours() {
  local target=$1 link=$2 says
  [[ -L $link ]] || return 1
  says=$(readlink -- "$link")
  [[ $says == "$target" ]] || [[ ! -e $link && $says == */"${target#"$root"/}" ]]
}

rule_target=$root/claude-rules/ai-kb.md
# Claude Code reads its user's rules where it reads its user's CLAUDE.md.
agent_config=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
rule_link=$agent_config/rules/ai-kb.md
skills_folder=$agent_config/skills
plugin_target=$root/plugins/memory
plugin_link=$skills_folder/memory
skill_names="memory-find memory-recall memory-audit memory-project"
launcher_target=$root/.venv/bin/ai-kb
launcher_link=$HOME/.local/bin/ai-kb
