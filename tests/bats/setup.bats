#!/usr/bin/env bats
# `make ai-kb-init` as a whole, in a checkout with an awkward name that was moved from elsewhere with
# its .venv, so that everything in there must be found stale and made anew. Made once for this file.

load test_helper

setup_file() {
  own_world "$BATS_FILE_TMPDIR"
  CHECKOUT="$DIR/Zoë's check out"
  checkout "$CHECKOUT"
  # The .venv of another checkout, as after `mv` or `cp -r`.
  mkdir -p "$CHECKOUT/.venv/bin"
  printf '#!/bin/sh\necho "the old checkout runs"\n' >"$CHECKOUT/.venv/bin/ai-kb"
  chmod +x "$CHECKOUT/.venv/bin/ai-kb"
  echo /gone/checkout >"$CHECKOUT/.venv/made-for"
  touch "$CHECKOUT/.venv"
  export CHECKOUT
  export HOME="$DIR/Zoë's home"
  mkdir "$HOME"
  (cd / && init) >"$DIR/first.out" 2>&1 || {
    cat "$DIR/first.out"
    return 1
  }
}

setup() {
  own_world "$BATS_FILE_TMPDIR"
  export HOME="$DIR/Zoë's home"
  PATH=$HOME/.local/bin:$PATH
}

teardown() { :; }

# As a machine without a terminal runs it: no standard input, no controlling terminal.
init() { setsid --wait make --no-print-directory -C "$CHECKOUT" ai-kb-init <&-; }

@test "on a fresh home every step says what it wrote" {
  output=$(cat "$DIR/first.out")
  assert_said "skipping system packages: already installed"
  assert_said "writing .venv: Python 3.* and the packages of requirements.lock"
  assert_said "writing DIR/Zoë's home/.local/bin/ai-kb: link to DIR/Zoë's check out/.venv/bin/ai-kb"
  assert_said "writing *DIR/Zoë's home/.local/share/ai-kb*"
  assert_said "writing DIR/Zoë's home/.claude/rules/ai-kb.md: link to *"
  refute_said "refusing*"
}

@test "when the command is not on PATH the line that puts it there is named" {
  output=$(cat "$DIR/first.out")
  assert_said '  export PATH="$HOME/.local/bin:$PATH"'
}

@test "a second time every step is skipped and nothing changes" {
  before=$(tree "$HOME")
  head=$(git -C "$HOME/.local/share/ai-kb" rev-parse HEAD)
  run init
  assert_success
  refute_said "writing*"
  refute_said "refusing*"
  refute_said "*export PATH*"
  assert_equal "$(tree "$HOME")" "$before"
  assert_equal "$(git -C "$HOME/.local/share/ai-kb" rev-parse HEAD)" "$head"
}

@test "the command runs from any directory" {
  cd /
  run ai-kb --version
  assert_success
  assert_said "ai-kb [0-9]*"
}

@test "the command keeps clear of the caller's Python settings and directory" {
  mkdir -p "$DIR/elsewhere"
  echo 'raise SystemExit("the wrong module")' >"$DIR/elsewhere/click.py"
  cp "$DIR/elsewhere/click.py" "$DIR/elsewhere/aikb.py"
  cd "$DIR/elsewhere"
  export PYTHONPATH=$DIR/elsewhere PYTHONHOME=/nowhere LC_ALL=POSIX
  run ai-kb --version
  assert_success
  assert_said "ai-kb [0-9]*"
}

@test "a change in the checkout takes effect at once" {
  sed -i 's/^__version__ = .*/__version__ = "9.9.9"/' "$CHECKOUT/python/aikb/__init__.py"
  run ai-kb --version
  cp "$ROOT/python/aikb/__init__.py" "$CHECKOUT/python/aikb/__init__.py"
  assert_said "ai-kb 9.9.9"
}

@test "a .venv whose Python is gone is made anew" {
  ln -sfn /gone/python3 "$CHECKOUT/.venv/bin/python"
  run make --no-print-directory -C "$CHECKOUT" ai-kb-init
  assert_success
  assert_said "writing .venv: *"
  run ai-kb --version
  assert_success
}

@test "without a Python that will do .venv is refused and the old one kept" {
  echo "# changed" >>"$CHECKOUT/requirements.lock"
  export AI_KB_PYTHON=/gone/python3
  run make --no-print-directory -C "$CHECKOUT" .venv
  cp "$ROOT/requirements.lock" "$CHECKOUT/requirements.lock"
  assert_failure
  assert_said "refusing .venv: no Python 3.11 or newer *"
  run ai-kb --version
  assert_success
}

@test "when pip cannot install, .venv is refused and the old one kept" {
  sed -i 's/^click==.*/click==0.0.1/' "$CHECKOUT/requirements.lock"
  PIP_NO_INDEX=1 run make --no-print-directory -C "$CHECKOUT" .venv
  cp "$ROOT/requirements.lock" "$CHECKOUT/requirements.lock"
  assert_failure
  assert_said "*click==0.0.1*"
  assert_said "refusing .venv: pip could not install requirements.lock *"
  run ai-kb --version
  assert_success
}

@test "uninstall leaves the store and the checkout as they are" {
  before=$(tree "$HOME/.local/share/ai-kb")
  run make --no-print-directory -C "$CHECKOUT" uninstall
  assert_success
  assert_missing "$HOME/.local/bin/ai-kb"
  assert_missing "$HOME/.claude/rules/ai-kb.md"
  assert_equal "$(tree "$HOME/.local/share/ai-kb")" "$before"
}
