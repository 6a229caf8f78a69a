#!/usr/bin/env bats
# The programs that ai-kb needs: installed on Debian, named elsewhere, and never a question.
# Other systems are played by their package manager standing first on a PATH without apt-get.

load test_helper

setup() {
  new_world
  LOG=$DIR/calls
  export LOG DIR BIN
  for program in emacs rg git bats shellcheck; do fake "$program" ''; done
  fake python-good 'exit 0'
  fake dpkg-query 'echo -n "install ok installed"'
  export AI_KB_PYTHON=$BIN/python-good
}

packages() { "$ROOT/scripts/install-system-packages.sh" "$@" </dev/null; }

# A machine that has none of these, whatever this one has.
machine_without() {
  path_without apt-get dnf pacman brew emacs emacsclient rg git bats shellcheck sudo
  for program; do rm -f "$BIN/$program"; done
}

as_a_person() { fake id 'echo 1000'; }

# An apt-get that writes down how it was called and installs Debian's names as programs.
debian() {
  fake apt-get '
    echo "$DEBIAN_FRONTEND: $*" >>"$LOG"
    [[ ! -t 0 && -z $(cat) ]] || echo "it could have asked" >>"$LOG"
    for word; do
      case $word in
        emacs-nox) program=emacs ;; ripgrep) program=rg ;; *) program=$word ;;
      esac
      [[ " $* " != *" install "* || $word == -* ]] || printf "#!/bin/sh\n" >"$BIN/$program"
      chmod +x "$BIN"/*
    done'
}

@test "with all programs there nothing is installed" {
  machine_without
  debian
  run packages
  assert_success
  assert_equal "$(said)" "skipping system packages: already installed"
  assert_missing "$LOG"
}

@test "root on Debian gets exactly what is missing, without a question" {
  machine_without emacs rg
  debian
  fake id 'echo 0'
  run packages
  assert_success
  assert_equal "$(said)" "writing system packages: apt-get install emacs-nox ripgrep"
  assert_equal "$(cat "$LOG")" \
    "noninteractive: -q -o DPkg::Lock::Timeout=120 update
noninteractive: -q -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends \
-o Dpkg::Options::=--force-confold emacs-nox ripgrep"
}

@test "a second run on Debian installs nothing more" {
  machine_without rg
  debian
  fake id 'echo 0'
  packages
  rm "$LOG"
  run packages
  assert_success
  assert_equal "$(said)" "skipping system packages: already installed"
  assert_missing "$LOG"
}

@test "an Emacs of any origin is enough" {
  machine_without
  debian
  fake dpkg-query '[[ $* == *elpa-org-roam* ]] && echo -n "install ok installed"'
  run packages
  assert_success
  assert_missing "$LOG"
}

@test "org-roam counts as missing on Debian unless its package is installed" {
  machine_without
  as_a_person
  fake apt-get ''
  fake dpkg-query 'echo -n "unknown ok not-installed"'
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: sudo apt-get install elpa-org-roam"
}

@test "a Python that cannot make an environment counts as missing" {
  machine_without
  as_a_person
  fake apt-get ''
  fake python-good 'exit 1'
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: sudo apt-get install python3-venv"
}

@test "a failed update of the lists does not stop an install that works" {
  machine_without rg
  debian
  sed -i '2i [[ " $* " != *" update "* ]] || exit 100' "$BIN/apt-get"
  fake id 'echo 0'
  run packages
  assert_success
}

@test "a failed install is shown and refused" {
  machine_without rg
  fake apt-get 'echo "E: Unable to locate package ripgrep"; exit 100'
  fake id 'echo 0'
  run packages
  assert_failure
  assert_said "E: Unable to locate package ripgrep"
  assert_said "refusing system packages: apt-get failed *"
}

@test "an install that claims success but brings nothing is refused" {
  machine_without rg
  fake apt-get ''
  fake id 'echo 0'
  run packages
  assert_failure
  assert_said "refusing system packages: still missing after apt-get: ripgrep"
}

@test "a person on Debian without sudo is told what to run" {
  machine_without emacs rg sudo
  fake apt-get 'echo called >>"$LOG"'
  as_a_person
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: sudo apt-get install emacs-nox ripgrep"
  assert_missing "$LOG"
}

@test "a person whose sudo wants a password is told what to run and not asked" {
  machine_without rg
  fake apt-get 'echo called >>"$LOG"'
  fake sudo '[[ $1 == -n ]] || echo "it could have asked" >>"$LOG"; exit 1'
  as_a_person
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: sudo apt-get install ripgrep"
  assert_missing "$LOG"
}

@test "a person whose sudo asks nothing gets the packages through it" {
  machine_without rg
  debian
  fake sudo '[[ $1 == -n ]] && shift && echo "sudo $1" >>"$LOG" && exec "$@"'
  as_a_person
  run packages
  assert_success
  assert_equal "$(grep -c '^sudo env' "$LOG")" 2
  refute_said "refusing*"
}

@test "Fedora: the packages are named for dnf" {
  machine_without emacs rg git apt-get
  fake dnf 'echo called >>"$LOG"'
  fake python-good 'exit 1'
  run packages
  assert_failure
  assert_equal "$(said)" \
    "refusing system packages: missing; run: sudo dnf install emacs-nox ripgrep git python3"
  assert_missing "$LOG"
}

@test "Arch: the packages are named for pacman" {
  machine_without emacs rg git apt-get
  fake pacman 'echo called >>"$LOG"'
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: sudo pacman -S emacs ripgrep git"
  assert_missing "$LOG"
}

@test "macOS: the packages are named for brew" {
  machine_without emacs rg apt-get
  fake brew 'echo called >>"$LOG"'
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: brew install emacs ripgrep"
  assert_missing "$LOG"
}

@test "another system: the programs are named" {
  machine_without rg apt-get
  run packages
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; install with your package manager: ripgrep"
}

@test "Fedora with all programs there goes on" {
  machine_without apt-get
  fake dnf 'exit 99'
  run packages
  assert_success
  assert_equal "$(said)" "skipping system packages: already installed"
}

@test "the tests need more than the user does" {
  machine_without bats shellcheck
  as_a_person
  fake apt-get ''
  run packages
  assert_success
  run packages --dev
  assert_failure
  assert_equal "$(said)" "refusing system packages: missing; run: sudo apt-get install bats shellcheck"
}

@test "the tests name the Emacs libraries that only MELPA has" {
  machine_without apt-get
  fake dnf ''
  fake emacs '[[ $* != *org-roam* ]]'
  run packages --dev
  assert_failure
  assert_said "refusing Emacs libraries: missing; in Emacs, from MELPA, M-x package-install: org-roam"
}
