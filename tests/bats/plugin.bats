#!/usr/bin/env bats
# `make install-plugin`, `make install-skills` and what takes them back: links only, nobody's own touched.

load test_helper

setup() {
  new_world
  checkout "$DIR/checkout"
  SKILLS=$HOME/.claude/skills
  PLUGIN=$DIR/checkout/plugins/memory
}

in_checkout() { make --no-print-directory -C "$DIR/checkout" "$@"; }

@test "install-plugin links the plugin where the agent loads it, and again changes nothing" {
  run in_checkout install-plugin
  assert_success
  assert_equal "$(said)" "writing DIR/home/.claude/skills/memory: link to DIR/checkout/plugins/memory"
  assert_equal "$(readlink "$SKILLS/memory")" "$PLUGIN"
  before=$(tree "$HOME")
  run in_checkout install-plugin
  assert_success
  assert_equal "$(said)" "skipping DIR/home/.claude/skills/memory: already leads to DIR/checkout/plugins/memory"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "install-skills links each skill by its own name, and again changes nothing" {
  run in_checkout install-skills
  assert_success
  for name in find recall audit project; do
    assert_equal "$(readlink "$SKILLS/memory-$name")" "$PLUGIN/skills/memory-$name"
    grep -q "^name: memory-$name\$" "$SKILLS/memory-$name/SKILL.md"
  done
  before=$(tree "$HOME")
  run in_checkout install-skills
  assert_success
  assert_equal "$(tree "$HOME")" "$before"
}

@test "both follow CLAUDE_CONFIG_DIR as the agent does" {
  export CLAUDE_CONFIG_DIR="$DIR/other config"
  in_checkout install-plugin install-skills
  assert_equal "$(readlink "$CLAUDE_CONFIG_DIR/skills/memory")" "$PLUGIN"
  [[ -f $CLAUDE_CONFIG_DIR/skills/memory-find/SKILL.md ]]
  assert_missing "$HOME/.claude"
}

@test "a person's own skill of such a name stays, the others are linked, and it fails" {
  mkdir -p "$SKILLS/memory-find"
  echo mine >"$SKILLS/memory-find/SKILL.md"
  run in_checkout install-skills
  assert_failure
  assert_said "refusing DIR/home/.claude/skills/memory-find: a file that is not ours is there; *"
  assert_equal "$(cat "$SKILLS/memory-find/SKILL.md")" mine
  assert_equal "$(readlink "$SKILLS/memory-recall")" "$PLUGIN/skills/memory-recall"
}

@test "a person's own plugin of that name stays" {
  mkdir -p "$SKILLS/memory"
  echo mine >"$SKILLS/memory/SKILL.md"
  before=$(tree "$HOME")
  run in_checkout install-plugin
  assert_failure
  assert_equal "$(tree "$HOME")" "$before"
}

@test "install-plugin refuses where the settings register the same hooks" {
  mkdir -p "$HOME/.claude"
  for command in "/home/a/.local/bin/ai-kb hook session-start" "'/a b/ai-kb' hook session-end"; do
    printf '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"%s"}]}]}}\n' "$command" \
      >"$HOME/.claude/settings.json"
    before=$(tree "$HOME")
    run in_checkout install-plugin
    assert_failure
    assert_said "refusing *memory: *settings.json has these hooks already, and each would run twice; *"
    assert_equal "$(tree "$HOME")" "$before"
  done
}

@test "other hooks in the settings are no reason to refuse" {
  mkdir -p "$HOME/.claude"
  echo '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"ai-kb status"}]}]}}' \
    >"$HOME/.claude/settings.json"
  run in_checkout install-plugin
  assert_success
}

@test "install-plugin refuses to link what is not whole" {
  rm "$PLUGIN/.claude-plugin/plugin.json"
  run in_checkout install-plugin
  assert_failure
  assert_missing "$SKILLS"
}

@test "links are mended after the checkout was moved" {
  mv "$DIR/checkout" "$DIR/old"
  make -C "$DIR/old" install-plugin install-skills
  mv "$DIR/old" "$DIR/checkout"
  run in_checkout install-plugin install-skills
  assert_success
  cmp "$SKILLS/memory/hooks/hooks.json" "$PLUGIN/hooks/hooks.json"
  cmp "$SKILLS/memory-find/SKILL.md" "$PLUGIN/skills/memory-find/SKILL.md"
}

@test "uninstall takes back exactly what was linked, by part or all" {
  mkdir -p "$SKILLS/mine" "$SKILLS/memory-audit"
  echo mine | tee "$SKILLS/mine/SKILL.md" >"$SKILLS/memory-audit/SKILL.md"
  before=$(tree "$HOME")
  in_checkout install-plugin
  in_checkout install-skills || true
  in_checkout uninstall-plugin uninstall-skills
  assert_equal "$(tree "$HOME")" "$before"
  run in_checkout uninstall-plugin uninstall-skills
  assert_success
  in_checkout install-plugin
  in_checkout install-skills || true
  in_checkout uninstall
  assert_equal "$(tree "$HOME")" "$before"
}

@test "the plugin's launcher finds ai-kb on PATH, in ~/.local/bin, beside the checkout, and else is quiet" {
  hook() { echo event | HOME=$HOME sh "$PLUGIN/hooks/ai-kb.sh" hook session-start; }
  path_without ai-kb
  run --separate-stderr hook
  assert_success
  assert_equal "$output" ""
  # shellcheck disable=SC2154 # bats sets it
  [[ $stderr == *"no ai-kb command"* ]]
  mkdir -p "$DIR/checkout/.venv/bin" "$HOME/.local/bin"
  printf '#!/bin/sh\necho "beside $*"; cat\n' >"$DIR/checkout/.venv/bin/ai-kb"
  chmod +x "$DIR/checkout/.venv/bin/ai-kb"
  run hook
  assert_equal "$output" $'beside hook session-start\nevent'
  printf '#!/bin/sh\necho "home $*"; cat\n' >"$HOME/.local/bin/ai-kb"
  chmod +x "$HOME/.local/bin/ai-kb"
  run hook
  assert_equal "$output" $'home hook session-start\nevent'
  fake ai-kb 'echo "path $*"; cat'
  run hook
  assert_equal "$output" $'path hook session-start\nevent'
  run "$PLUGIN/hooks/session_start.py" </dev/null
  assert_equal "$output" "path hook session-start"
}
