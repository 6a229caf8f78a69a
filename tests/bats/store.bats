#!/usr/bin/env bats
# scripts/setup-ai-kb.sh: the store made, cloned, adopted, or left alone. git has no identity in these
# homes, and nobody can be asked.

load test_helper

setup() {
  new_world
  STORE=$HOME/.local/share/ai-kb
}

set_up() { setsid --wait "$ROOT/scripts/setup-ai-kb.sh" <&-; }

# origin: a bare repository, as a person makes one on a server.
origin() { git init --quiet --bare "$DIR/origin.git"; }

# another_machine: a home of its own, with the same origin in reach.
another_machine() {
  export HOME=$DIR/home2
  mkdir "$HOME"
  STORE=$HOME/.local/share/ai-kb
}

settings() { git -C "$1" config --local --list | grep -v -e '^remote\.' -e '^branch\.' | sort; }

broken_node() {
  printf ':PROPERTIES:\n:ID: 3f0f2c1e-0d3b-4a53-9c1e-8a7b6c5d4e3f\n#+title: No end of the drawer\n'
}

# A commit as a person makes it, from a shell that does not have ai-kb on PATH.
commit_by_hand() {
  git -C "$STORE" add "$1"
  git -C "$STORE" -c user.name=me -c user.email=me@example.org commit --quiet -m "by hand"
}

assert_is_store() {
  local file
  for file in index.org .gitattributes .gitignore; do
    git -C "$1" ls-files --error-unmatch "$file" >/dev/null
  done
  # Two nodes at least, each with a real id, and no id twice.
  git -C "$1" grep --no-index -hiE '^ *:ID: +[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' -- '*.org' |
    sort >"$DIR/ids"
  (($(wc -l <"$DIR/ids") >= 2))
  assert_equal "$(uniq -d "$DIR/ids")" ""
  assert_equal "$(git -C "$1" status --porcelain)" ""
}

@test "a fresh store is a git repository with an index, a README and nothing uncommitted" {
  run set_up
  assert_success
  assert_said "writing DIR/home/.local/share/ai-kb*: *"
  refute_said "refusing*"
  assert_is_store "$STORE"
}

@test "without an origin it says that nothing is backed up, and how to mend that" {
  run set_up
  assert_success
  assert_said "*not backed up*"
  assert_said "*ai-kb remote *"
}

@test "set-up a second time changes nothing" {
  set_up
  before=$(tree "$HOME")
  head=$(git -C "$STORE" rev-parse HEAD)
  run set_up
  assert_success
  assert_said "skipping *: already *"
  refute_said "writing*"
  refute_said "refusing*"
  assert_equal "$(tree "$HOME")" "$before"
  assert_equal "$(git -C "$STORE" rev-parse HEAD)" "$head"
}

@test "the store is where XDG_DATA_HOME says" {
  export XDG_DATA_HOME=$DIR/data
  run set_up
  assert_success
  assert_is_store "$DIR/data/ai-kb"
  assert_missing "$STORE"
}

@test "the store is where AI_KB_HOME says, before all else" {
  export XDG_DATA_HOME=$DIR/data AI_KB_HOME=$DIR/here
  run set_up
  assert_success
  assert_is_store "$DIR/here"
  assert_missing "$DIR/data"
  assert_missing "$STORE"
}

@test "a store's path may have spaces and Unicode" {
  export AI_KB_HOME="$DIR/Zoë's köbenhavn store"
  run set_up
  assert_success
  assert_is_store "$AI_KB_HOME"
  run set_up
  assert_success
  refute_said "writing*"
}

@test "an empty directory becomes the store" {
  mkdir -p "$STORE"
  run set_up
  assert_success
  assert_is_store "$STORE"
}

@test "a directory with someone's files is refused untouched" {
  mkdir -p "$STORE"
  echo mine >"$STORE/mine.txt"
  before=$(tree "$HOME")
  run set_up
  assert_status 1
  assert_said "refusing DIR/home/.local/share/ai-kb*: *"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "a file where the store should be is refused untouched" {
  mkdir -p "$(dirname "$STORE")"
  echo mine >"$STORE"
  run set_up
  assert_status 1
  assert_said "refusing DIR/home/.local/share/ai-kb*: *"
  assert_equal "$(cat "$STORE")" mine
}

@test "a git repository that is no store is refused untouched" {
  git init --quiet "$STORE"
  echo mine >"$STORE/mine.c"
  commit_by_hand mine.c
  before=$(tree "$HOME")
  run set_up
  assert_status 1
  assert_said "refusing DIR/home/.local/share/ai-kb*: *"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "a fresh store is pushed to the origin" {
  origin
  AI_KB_ORIGIN=$DIR/origin.git run set_up
  assert_success
  refute_said "*not backed up*"
  assert_is_store "$STORE"
  assert_equal "$(git -C "$DIR/origin.git" rev-parse "$(git -C "$STORE" symbolic-ref HEAD)")" \
    "$(git -C "$STORE" rev-parse HEAD)"
}

@test "a second machine clones the store from the origin and adds nothing to it" {
  origin
  export AI_KB_ORIGIN=$DIR/origin.git
  set_up
  first=$STORE
  another_machine
  run set_up
  assert_success
  assert_is_store "$STORE"
  assert_equal "$(git -C "$STORE" rev-parse HEAD)" "$(git -C "$first" rev-parse HEAD)"
  assert_equal "$(settings "$STORE")" "$(settings "$first")"
  broken_node >"$STORE/broken.org"
  run commit_by_hand broken.org
  assert_failure
}

@test "a clone made by hand is adopted, hook and settings included" {
  origin
  AI_KB_ORIGIN=$DIR/origin.git set_up
  first=$STORE
  another_machine
  git clone --quiet "$DIR/origin.git" "$STORE"
  run set_up
  assert_success
  refute_said "*not backed up*"
  assert_is_store "$STORE"
  assert_equal "$(git -C "$STORE" rev-parse HEAD)" "$(git -C "$first" rev-parse HEAD)"
  assert_equal "$(settings "$STORE")" "$(settings "$first")"
  broken_node >"$STORE/broken.org"
  run commit_by_hand broken.org
  assert_failure
  before=$(tree "$HOME")
  run set_up
  assert_success
  refute_said "writing*"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "a store made before its origin is pushed when the origin is named" {
  set_up
  origin
  AI_KB_ORIGIN=$DIR/origin.git run set_up
  assert_success
  refute_said "*not backed up*"
  assert_equal "$(git -C "$DIR/origin.git" rev-parse "$(git -C "$STORE" symbolic-ref HEAD)")" \
    "$(git -C "$STORE" rev-parse HEAD)"
}

@test "a store that has another origin keeps it" {
  origin
  AI_KB_ORIGIN=$DIR/origin.git set_up
  before=$(tree "$HOME")
  AI_KB_ORIGIN=$DIR/other.git run set_up
  assert_status 1
  assert_said "refusing *: *"
  assert_equal "$(tree "$HOME")" "$before"
}

@test "an origin that is someone else's project is refused, and nothing is left behind" {
  git init --quiet "$DIR/project"
  echo mine >"$DIR/project/mine.c"
  STORE=$DIR/project commit_by_hand mine.c
  AI_KB_ORIGIN=$DIR/project run set_up
  assert_status 1
  assert_said "refusing *: *"
  assert_missing "$STORE"
}

@test "an origin out of reach is refused in good time, without a question, and nothing is left behind" {
  before=$SECONDS
  AI_KB_ORIGIN=ssh://nobody@127.0.0.1:1/ai-kb.git run set_up
  assert_status 1
  assert_said "refusing *: *"
  assert_missing "$STORE"
  ((SECONDS - before < 60))
  run set_up
  assert_success
  assert_is_store "$STORE"
}

@test "a hand-made commit of a broken node is stopped, of a sound one is not" {
  set_up
  broken_node >"$STORE/broken.org"
  run commit_by_hand broken.org
  assert_failure
  assert_said "*broken.org*"
  git -C "$STORE" reset --quiet
  rm "$STORE/broken.org"
  printf '%s\n' ':PROPERTIES:' ':ID: 3f0f2c1e-0d3b-4a53-9c1e-8a7b6c5d4e3f' ':PROJECTS: :general:' \
    ':CREATED: 2026-05-24' ':UPDATED: 2026-05-24' ':SOURCE: chat 2026-05-24' ':STATUS: current' ':END:' \
    '#+title: A sound node' '#+filetags: :principle:' '' 'It says something.' >"$STORE/sound.org"
  run commit_by_hand sound.org
  assert_success
}

@test "a person's own git settings do not weaken the store" {
  git config --global core.hooksPath "$HOME/hooks"
  git config --global init.templateDir "$HOME/template"
  git config --global init.defaultBranch trunk
  git config --global commit.gpgSign true
  git config --global gpg.program false
  git config --global core.autocrlf true
  mkdir -p "$HOME/hooks" "$HOME/template"
  run set_up
  assert_success
  assert_is_store "$STORE"
  broken_node >"$STORE/broken.org"
  git -C "$STORE" add broken.org
  run git -C "$STORE" -c user.name=me -c user.email=me@example.org commit --no-gpg-sign --quiet -m "by hand"
  assert_failure
}

@test "without Emacs set-up is refused, and works once it is there" {
  before=$PATH
  path_without emacs emacs-nox emacs-28.2 emacs-30.1
  run set_up
  assert_status 1
  assert_said "*macs*"
  PATH=$before
  run set_up
  assert_success
  assert_is_store "$STORE"
}

@test "without ripgrep set-up works" {
  path_without rg
  run set_up
  assert_success
  assert_is_store "$STORE"
}

@test "inside a hook of another repository the store is still the store" {
  git init --quiet "$DIR/project"
  export GIT_DIR=$DIR/project/.git GIT_INDEX_FILE=$DIR/project/.git/index GIT_WORK_TREE=$DIR/project
  before=$(tree "$DIR/project")
  run set_up
  unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
  assert_success
  assert_is_store "$STORE"
  assert_equal "$(tree "$DIR/project")" "$before"
}
