#!/usr/bin/env bats
# The real agent program fires our hooks: what reaches the model, what is done at a session's end.
#
# Run by tests/agent/run.sh. No login: the model is model.py on loopback, or nobody.

load ../bats/test_helper

setup() {
  [[ -x ${AGENT_PROGRAM:-} ]] || {
    echo "AGENT_PROGRAM is not set; use make test-agent"
    return 1
  }
  local program=$AGENT_PROGRAM name
  new_world
  for name in $(compgen -e); do # this may itself run below an agent
    case $name in CLAUDE* | ANTHROPIC_* | AI_AGENT) unset "$name" ;; esac
  done
  export DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
  ln -s "$program" "$BIN/claude"
  mkdir -p "$HOME/.local/bin"
  ln -s "$ROOT/.venv/bin/ai-kb" "$HOME/.local/bin/ai-kb"
  PATH=$BIN:$HOME/.local/bin:/usr/local/bin:/usr/bin:/bin
  git config --global user.name "A Person"
  git config --global user.email person@example.org
  git config --global init.defaultBranch main
  new_vault
  PROJECT=$DIR/code/some-folder
  mkdir -p "$PROJECT"
  cd "$PROJECT" || return
  git init -q
  git remote add origin git@example.org:me/my-app.git
  echo one >file.txt
  git add file.txt
  git commit -q -m "one file"
}

teardown() {
  [[ -z ${MODEL:-} ]] || kill "$MODEL" 2>/dev/null || true
  wait_until nobody_works
  end_world
}

# A worker outlives its session, and this test, by design.
nobody_works() { ! env -i grep -qsF "HOME=$HOME" /proc/[0-9]*/environ; }

new_vault() {
  VAULT=$HOME/Documents/SecondBrain
  mkdir -p "$VAULT/project"
  git init -q "$VAULT"
  printf '# my-app\n\nAn application that tests itself.\n\n- ruby\n' >"$VAULT/project/my-app.md"
  printf -- '---\ntags: [git]\n---\n# Name paths\n\nCommit named paths only.\n' >"$VAULT/paths.md"
  git -C "$VAULT" add -A
  git -C "$VAULT" commit -q -m "two notes"
  git init -q --bare "$DIR/backup.git"
  git -C "$VAULT" remote add origin "$DIR/backup.git"
  git -C "$VAULT" push -q -u origin main
}

# model: start one; the agent's requests go to it.
model() {
  mkdir -p "$DIR/model"
  python3 "$BATS_TEST_DIRNAME/model.py" "$DIR/model" 3>&- &
  MODEL=$!
  wait_until test -e "$DIR/model/port"
  ANTHROPIC_BASE_URL=http://127.0.0.1:$(cat "$DIR/model/port")
  export ANTHROPIC_BASE_URL ANTHROPIC_API_KEY=none
}

wait_until() {
  local n
  for ((n = 0; n < 300; n++)); do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 0.2
  done
  echo "never true: $*"
  ai-kb vault log || true
  return 1
}

agent() { timeout 60 claude "$@" </dev/null; }

# told: what the sessions were told, as the agent's transcripts have it, one line each.
told() {
  python3 - "$HOME/.claude/projects" <<'PYTHON'
import json, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.jsonl")):
    for line in path.read_text().splitlines():
        attachment = json.loads(line).get("attachment") or {}
        if attachment.get("type") == "hook_additional_context":
            print(json.dumps(attachment["content"]))
PYTHON
}

# events: names of what the log has, in its order.
events() {
  ai-kb vault log -n 500 --json | python3 -c '
import json, sys
for entry in json.load(sys.stdin)["entries"]:
    print(entry.get("step") or entry["event"])'
}

ended() { [[ $(events | grep -c '^worker$') -ge ${1:-1} ]]; }

@test "the plugin passes the agent's own strict validation" {
  run agent plugin validate --strict "$ROOT/plugins/memory"
  assert_success
}

@test "by settings: what a session is told reaches the model, once" {
  model
  ai-kb vault install-hooks --yes
  run agent -p hello
  assert_success
  assert_equal "$output" Understood.
  run grep -o 'SessionStart hook additional context: SecondBrain (~/Documents/SecondBrain)' "$DIR/model/requests.jsonl"
  assert_equal "${#lines[@]}" 1
  grep -q 'Project my-app (project/my-app.md): .*An application that tests itself.*Tags: ruby' \
    "$DIR/model/requests.jsonl"
}

@test "by plugin: the same words, once, and the settings cannot register it again" {
  ai-kb vault install-hooks --yes
  agent -p hello || true
  by_settings=$(told)
  ai-kb vault uninstall-hooks --yes
  wait_until ended
  rm -rf "$HOME/.claude/projects" "$HOME/.local/state"
  make --no-print-directory -C "$ROOT" install-plugin
  agent -p hello || true
  assert_equal "$(told)" "$by_settings"
  wait_until ended
  assert_equal "$(events | grep -c '^queued$')" 1
  [[ $by_settings == *"Project my-app"* ]]
  run ai-kb vault install-hooks --yes
  assert_failure
  assert_said "*the plugin 'memory@skills-dir' registers these hooks already*"
  run agent plugin list
  assert_said "*memory@skills-dir*"
}

@test "at a session's end the steps run in order, and the vault is committed and pushed" {
  ai-kb vault install-hooks --yes
  printf -- '---\ntags: [ruby]\n---\n# New\n\nWritten during the session.\n' >"$VAULT/new.md"
  run agent -p hello
  assert_failure # nobody is logged in; the hooks fire all the same
  wait_until ended
  assert_equal "$(events | grep -v '^lost$')" "queued
journal
audit
memsearch_sync
vault_index_rebuild
vault_sync
worker"
  git -C "$VAULT" diff --exit-code HEAD
  assert_equal "$(git -C "$VAULT" status --porcelain)" ""
  assert_equal "$(git -C "$DIR/backup.git" rev-parse main)" "$(git -C "$VAULT" rev-parse HEAD)"
  git -C "$DIR/backup.git" show main:new.md | grep -q "Written during the session"
  git -C "$DIR/backup.git" show main:vault-index.json | grep -q '"title": "New"'
}

@test "a session that only starts and ends is looked after too" {
  ai-kb vault install-hooks --yes
  agent --init-only
  wait_until ended
  events | grep -q '^vault_sync$'
}

# begin COMMAND...: a session that waits for its model, as the job SESSION.
begin() {
  model
  touch "$DIR/model/hold"
  ai-kb vault install-hooks --yes
  printf '# Late\n\nWritten before the end.\n' >"$VAULT/late.md"
  "$@" </dev/null >/dev/null 2>&1 3>&- &
  SESSION=$!
  wait_until test -s "$DIR/model/requests.jsonl"
}

# caught_up: after another session the vault is committed and pushed, and nothing waits.
caught_up() {
  unset ANTHROPIC_API_KEY ANTHROPIC_BASE_URL
  agent --init-only
  wait_until committed late.md
  wait_until nothing_waits
  assert_equal "$(git -C "$DIR/backup.git" rev-parse main)" "$(git -C "$VAULT" rev-parse HEAD)"
}

nothing_waits() { ! compgen -G "$HOME/.local/state/ai-kb/sessions/*.json"; }
committed() { git -C "$DIR/backup.git" show "main:$1"; }

@test "an audit asks the agent about what was committed, and that agent fires no hooks" {
  begin claude -p hello
  sleep 1 # git knows whole seconds
  mkdir docs
  printf '# Deciding\n\nWe name paths when we commit.\n' >docs/decision.md
  git add -A
  git commit -q -m "Decide to name paths"
  rm "$DIR/model/hold"
  wait "$SESSION"
  wait_until ended
  assert_equal "$(grep -c 'hook additional context' "$DIR/model/requests.jsonl")" 1
  grep -v 'hook additional context' "$DIR/model/requests.jsonl" | grep -q 'We name paths when we commit'
  assert_equal "$(events | grep -c '^queued$')" 1
}

@test "a session that is killed loses nothing: the next start catches up" {
  begin claude -p hello
  kill -KILL "$SESSION"
  wait "$SESSION" || true
  caught_up
  events | grep -q '^lost$'
}

@test "a terminal that is closed loses nothing" {
  begin script -qec "claude -p hello" /dev/null
  kill -KILL "$SESSION" # the terminal goes, and the agent in it gets what the system sends then
  wait "$SESSION" || true
  caught_up
}

@test "the skills have their own names and are expanded, with and without a note" {
  make --no-print-directory -C "$ROOT" install-skills
  agent -p "/memory-project" || true
  agent -p "/memory-find git" || true
  agent -p "/memory-recall paths.md" || true
  agent -p "/memory-audit" || true
  cat "$HOME"/.claude/projects/*/*.jsonl >"$DIR/all.jsonl"
  for name in find recall audit project; do
    grep -q "memory-$name: " "$DIR/all.jsonl"
    grep -q "<command-name>/memory-$name</command-name>" "$DIR/all.jsonl"
  done
  assert_equal "$(grep -c 'Base directory for this skill' "$DIR/all.jsonl")" 4
  grep 'Base directory' "$DIR/all.jsonl" | grep -q 'An application that tests itself.'
  rm "$VAULT/project/my-app.md"
  rm -rf "$HOME/.claude/projects"
  agent -p "/memory-project" || true
  grep -rh 'Base directory' "$HOME/.claude/projects" | grep -q 'has no note on the project'
}

@test "after uninstall nothing is fired, and the settings are as before" {
  mkdir -p "$HOME/.claude"
  echo '{"model": "opus"}' >"$HOME/.claude/settings.json"
  ai-kb vault install-hooks --yes
  ai-kb vault uninstall-hooks --yes
  assert_equal "$(cat "$HOME/.claude/settings.json")" '{"model": "opus"}'
  agent --init-only
  assert_equal "$(events)" ""
}
