# Summary: A world of its own for every test: home, settings, PATH
# Usage: load test_helper
#
# A test that fails keeps its directory and says where.
# shellcheck shell=bash
# shellcheck disable=SC2154 # bats sets status and output

bats_require_minimum_version 1.5.0

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd -P)

# own_world DIRECTORY: nothing of the caller's settings is left, and all writing goes below DIRECTORY.
own_world() {
  DIR=$(cd "$1" && pwd -P)
  local name
  for name in $(compgen -e); do
    case $name in
      XDG_* | GIT_* | AI_KB_* | MAKE* | MFLAGS | PYTHON* | EMACS* | CLAUDE_CONFIG_DIR) unset "$name" ;;
      ALTERNATE_EDITOR | EDITOR | VISUAL | DEBIAN_FRONTEND | VIRTUAL_ENV | CDPATH | BASH_ENV | SSH_*) unset "$name" ;;
    esac
  done
  export HOME=$DIR/home GIT_CONFIG_NOSYSTEM=1 TMPDIR=$DIR/tmp LC_ALL=C.UTF-8
  # The packages that tests install are fetched once.
  export PIP_CACHE_DIR=$ROOT/.cache/pip
  BIN=$DIR/bin
  PATH_BEFORE=$PATH
  export PATH=$BIN:/usr/local/bin:/usr/bin:/bin
  mkdir -p "$HOME" "$TMPDIR" "$BIN"
  # No test may install a program on the machine it runs on.
  fake apt-get 'echo "apt-get was called: $*"; exit 99'
  fake sudo 'exit 1'
}

new_world() { own_world "$(mktemp -d "${BATS_TMPDIR:-/tmp}/ai-kb.XXXXXX")"; }

end_world() {
  PATH=$PATH_BEFORE # bats itself goes on with it
  if [[ ${BATS_TEST_COMPLETED:-} == 1 ]]; then
    chmod -R u+rwX "$DIR" && rm -rf "$DIR"
  else
    echo "kept for you to look at: $DIR"
  fi
}

setup() { new_world; }
teardown() { end_world; }

# fake NAME BODY: a program of that name, first on PATH.
fake() {
  printf '#!/bin/bash\n%s\n' "$2" >"$BIN/$1"
  chmod +x "$BIN/$1"
}

# path_without NAME...: PATH as it is, but for these programs.
path_without() {
  local farm=$DIR/path-without directory name
  mkdir -p "$farm"
  for directory in /usr/local/bin /usr/bin /bin; do
    ln -sn "$directory"/* "$farm" 2>/dev/null || true
  done
  for name; do rm -f "$farm/$name"; done
  PATH=$BIN:$farm
}

# checkout DIRECTORY: a copy of this checkout's files, without what was generated.
checkout() {
  mkdir -p "$1"
  tar -C "$ROOT" -cf - --exclude ./.git --exclude './.*cache' --exclude ./.venv --exclude ./.hypothesis \
    --exclude __pycache__ . | tar -C "$1" -xf -
  [[ -f $1/claude-rules/ai-kb.md ]] || {
    mkdir -p "$1/claude-rules"
    echo "a rule" >"$1/claude-rules/ai-kb.md"
  }
}

# tree DIRECTORY: all that is in it: kinds, modes, links' targets, contents. Git's index holds
# times of files and is rewritten by mere looking.
tree() {
  (
    cd "$1" || exit
    find . ! -path '*/.git/index' -printf '%P %y %m %l\n' | sort
    find . -type f ! -path '*/.git/index' -exec sha256sum {} + | sort -k 2
  )
}

# What the command said, with this test's own directory written as DIR.
said() { printf '%s' "${output//"$DIR"/DIR}"; }

assert_status() {
  [[ $status == "$1" ]] || {
    printf 'status %s, expected %s; it said:\n%s\n' "$status" "$1" "$(said)"
    return 1
  }
}

assert_success() { assert_status 0; }

# A step that refuses makes make exit 2 and a script 1.
assert_failure() {
  [[ $status == [12] ]] || {
    printf 'status %s, expected a refusal; it said:\n%s\n' "$status" "$(said)"
    return 1
  }
}

# assert_said LINE: it is one of the lines; * stands for anything.
assert_said() {
  local line
  while IFS= read -r line; do
    # shellcheck disable=SC2053 # a pattern on purpose
    [[ $line != $1 ]] || return 0
  done < <(said; echo)
  printf 'not said: %s\nit said:\n%s\n' "$1" "$(said)"
  return 1
}

refute_said() {
  ! assert_said "$1" >/dev/null || {
    printf 'said, against expectation: %s\nit said:\n%s\n' "$1" "$(said)"
    return 1
  }
}

assert_equal() {
  [[ $1 == "$2" ]] || {
    printf 'different (< is, > should be):\n%s\n' "$(diff <(echo "$1") <(echo "$2"))"
    return 1
  }
}

assert_missing() {
  [[ ! -e $1 && ! -L $1 ]] || {
    printf 'is there, against expectation: %s\n' "$1"
    return 1
  }
}
