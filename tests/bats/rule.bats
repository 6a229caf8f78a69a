#!/usr/bin/env bats
# `make install` and `make uninstall`: the rule that the agent loads, and what they must not touch.

load test_helper

setup() {
  new_world
  checkout "$DIR/checkout"
  RULE=$HOME/.claude/rules/ai-kb.md
  TARGET=$DIR/checkout/claude-rules/ai-kb.md
}

install() { make --no-print-directory -C "$DIR/checkout" install; }
uninstall() { make --no-print-directory -C "$DIR/checkout" uninstall; }

@test "install links the rule where the agent loads it" {
  run install
  assert_success
  assert_equal "$(said)" "writing DIR/home/.claude/rules/ai-kb.md: link to DIR/checkout/claude-rules/ai-kb.md"
  cmp "$RULE" "$TARGET"
  assert_equal "$(readlink "$RULE")" "$TARGET"
}

@test "install a second time changes nothing" {
  install
  before=$(tree "$HOME")
  run install
  assert_success
  assert_equal "$(said)" \
    "skipping DIR/home/.claude/rules/ai-kb.md: already leads to DIR/checkout/claude-rules/ai-kb.md"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "without HOME the scripts know the person's home all the same" {
  run env -u HOME bash -euc "source '$ROOT/scripts/lib.sh'; echo \"\$HOME \$rule_link\""
  assert_success
  home=$(getent passwd "$(id -un)" | cut -d: -f6)
  assert_equal "$output" "$home $home/.claude/rules/ai-kb.md"
}

@test "install follows CLAUDE_CONFIG_DIR as the agent does" {
  export CLAUDE_CONFIG_DIR="$DIR/other config"
  run install
  assert_success
  assert_equal "$(readlink "$CLAUDE_CONFIG_DIR/rules/ai-kb.md")" "$TARGET"
  assert_missing "$HOME/.claude"
}

@test "install leaves the person's other rules alone" {
  mkdir -p "$HOME/.claude/rules"
  echo mine >"$HOME/.claude/rules/mine.md"
  run install
  assert_success
  assert_equal "$(cat "$HOME/.claude/rules/mine.md")" mine
}

@test "install goes through a rules directory that is itself a link" {
  mkdir -p "$HOME/.claude" "$HOME/dotfiles/rules"
  ln -s ../dotfiles/rules "$HOME/.claude/rules"
  run install
  assert_success
  assert_equal "$(readlink "$HOME/dotfiles/rules/ai-kb.md")" "$TARGET"
}

@test "install refuses to replace a file" {
  mkdir -p "$HOME/.claude/rules"
  echo mine >"$RULE"
  before=$(tree "$HOME")
  run install
  assert_failure
  assert_said "refusing DIR/home/.claude/rules/ai-kb.md: a file that is not ours is there; *"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "install refuses to replace a link to something else" {
  mkdir -p "$HOME/.claude/rules"
  echo mine >"$HOME/mine.md"
  ln -s "$HOME/mine.md" "$RULE"
  before=$(tree "$HOME")
  run install
  assert_failure
  assert_said "refusing DIR/home/.claude/rules/ai-kb.md: it is a link to DIR/home/mine.md, not ours; *"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "install refuses to replace a broken link that was never ours" {
  mkdir -p "$HOME/.claude/rules"
  ln -s /gone/mine.md "$RULE"
  run install
  assert_failure
  assert_said "refusing DIR/home/.claude/rules/ai-kb.md: it is a link to /gone/mine.md, not ours; *"
  assert_equal "$(readlink "$RULE")" /gone/mine.md
}

@test "install refuses to take the rule from another checkout that is alive" {
  checkout "$DIR/other"
  make -C "$DIR/other" install
  run install
  assert_failure
  assert_said "refusing *: it is a link to DIR/other/claude-rules/ai-kb.md, not ours; *"
  assert_equal "$(readlink "$RULE")" "$DIR/other/claude-rules/ai-kb.md"
}

@test "install mends the link after the checkout was moved" {
  mv "$DIR/checkout" "$DIR/old"
  make -C "$DIR/old" install
  mv "$DIR/old" "$DIR/checkout"
  run install
  assert_success
  assert_equal "$(said)" "writing DIR/home/.claude/rules/ai-kb.md: link to \
DIR/checkout/claude-rules/ai-kb.md (it pointed at DIR/old/claude-rules/ai-kb.md, which is gone)"
  cmp "$RULE" "$TARGET"
}

@test "install refuses when a file stands where the directory should be" {
  mkdir -p "$HOME/.claude"
  echo mine >"$HOME/.claude/rules"
  run install
  assert_failure
  assert_said "refusing *: cannot make the directory DIR/home/.claude/rules; *"
  assert_equal "$(cat "$HOME/.claude/rules")" mine
}

@test "install refuses to link to a rule that is missing" {
  rm "$TARGET"
  run install
  assert_failure
  assert_said "refusing *: DIR/checkout/claude-rules/ai-kb.md is missing; *"
  assert_missing "$RULE"
}

@test "install works in a checkout and a home with spaces and Unicode" {
  mv "$DIR/checkout" "$DIR/Zoë's check out"
  export HOME="$DIR/Zoë's home"
  run make --no-print-directory -C "$DIR/Zoë's check out" install
  assert_success
  cmp "$HOME/.claude/rules/ai-kb.md" "$DIR/Zoë's check out/claude-rules/ai-kb.md"
}

@test "uninstall takes back exactly what was linked" {
  mkdir -p "$HOME/.claude/rules" "$HOME/.local/bin" "$HOME/.local/share/ai-kb"
  echo mine >"$HOME/.claude/rules/mine.md"
  echo note >"$HOME/.local/share/ai-kb/note.org"
  before=$(tree "$HOME")
  install
  ln -s "$DIR/checkout/.venv/bin/ai-kb" "$HOME/.local/bin/ai-kb"
  run uninstall
  assert_success
  assert_said "writing DIR/home/.claude/rules/ai-kb.md: removed the link to DIR/checkout/claude-rules/ai-kb.md"
  assert_said "writing DIR/home/.local/bin/ai-kb: removed the link to DIR/checkout/.venv/bin/ai-kb"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "uninstall a second time changes nothing" {
  install
  uninstall
  before=$(tree "$HOME")
  run uninstall
  assert_success
  assert_equal "$(said)" "skipping DIR/home/.claude/rules/ai-kb.md: already gone
skipping DIR/home/.local/bin/ai-kb: already gone"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "uninstall leaves what is not ours" {
  mkdir -p "$HOME/.claude/rules" "$HOME/.local/bin"
  ln -s /gone/mine.md "$RULE"
  echo mine >"$HOME/.local/bin/ai-kb"
  before=$(tree "$HOME")
  run uninstall
  assert_success
  assert_said "skipping DIR/home/.claude/rules/ai-kb.md: it is not ours, so it stays"
  assert_said "skipping DIR/home/.local/bin/ai-kb: it is not ours, so it stays"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "uninstall takes back the links of a checkout that was moved" {
  install
  mv "$DIR/checkout" "$DIR/moved"
  run make -C "$DIR/moved" uninstall
  assert_success
  assert_missing "$RULE"
}
