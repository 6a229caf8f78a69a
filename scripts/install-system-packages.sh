#!/usr/bin/env bash
# Summary: Install the programs that ai-kb needs, or name them
# Usage: scripts/install-system-packages.sh [--dev]
#
# On Debian and its children, as root or with a sudo that asks no password, installs what is missing.
# Anywhere else names the packages for that machine's package manager and stops. Never asks anything.
# With --dev, also what `make lint` and `make test` need.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local manager needs="emacs ripgrep git python" libraries="org-roam" missing
  manager=$(package_manager)
  if [[ ${1:-} == --dev ]]; then
    needs="$needs bats shellcheck ps"
    libraries="$libraries package-lint"
  fi
  [[ $manager != apt ]] || needs="$needs $libraries"
  missing=$(missing_packages "$manager" "$needs")
  if [[ -z $missing ]]; then
    skipping "system packages" "already installed"
  elif [[ $manager == apt ]] && can_be_root; then
    writing "system packages" "apt-get install $missing"
    apt_install "$missing"
    missing=$(missing_packages "$manager" "$needs")
    [[ -z $missing ]] || refusing "system packages" "still missing after apt-get: $missing"
  else
    refusing "system packages" "missing; $(install_command "$manager") $missing"
  fi
  [[ $manager == apt || ${1:-} != --dev ]] || check_libraries "$libraries"
}

package_manager() {
  if has apt-get; then
    echo apt
  elif has dnf; then
    echo dnf
  elif has pacman; then
    echo pacman
  elif has brew; then
    echo brew
  else
    echo unknown
  fi
}

install_command() {
  case $1 in
    apt) echo "run: sudo apt-get install" ;;
    dnf) echo "run: sudo dnf install" ;;
    pacman) echo "run: sudo pacman -S" ;;
    brew) echo "run: brew install" ;;
    *) echo "install with your package manager:" ;;
  esac
}

# missing_packages MANAGER NEEDS: the packages' names, on one line.
missing_packages() {
  local need names=""
  for need in $2; do
    is_there "$need" || names="$names $(package_name "$need" "$1")"
  done
  echo "${names# }"
}

# is_there NEED
is_there() {
  case $1 in
    ripgrep) has rg ;;
    python) find_python >/dev/null ;;
    org-roam | package-lint) [[ $(dpkg-query -W -f '${Status}' "elpa-$1" 2>/dev/null) == *" installed" ]] ;;
    *) has "$1" ;;
  esac
}

# Only Debian packages Emacs libraries; elsewhere they come from MELPA. ai-kb itself does without:
# org-roam is for browsing and for the tests.
check_libraries() {
  local library missing=""
  for library in $1; do
    emacs --batch --eval "(progn (package-initialize)
      (unless (locate-library \"$library\") (kill-emacs 1)))" >/dev/null 2>&1 ||
      missing="$missing $library"
  done
  [[ -z $missing ]] ||
    refusing "Emacs libraries" "missing; in Emacs, from MELPA, M-x package-install:$missing"
}

# package_name NEED MANAGER
package_name() {
  case $1:$2 in
    emacs:apt | emacs:dnf) echo emacs-nox ;;
    org-roam:apt | package-lint:apt) echo "elpa-$1" ;;
    python:apt) echo python3-venv ;;
    python:dnf) echo python3 ;;
    shellcheck:dnf) echo ShellCheck ;;
    ps:apt) echo procps ;;
    ps:dnf | ps:pacman) echo procps-ng ;;
    bats:pacman) echo bash-bats ;;
    bats:brew) echo bats-core ;;
    *) echo "$1" ;;
  esac
}

can_be_root() { [[ $(id -u) == 0 ]] || sudo -n true 2>/dev/null; }

# Old lists still serve when one source fails, so a failed update is not the end.
apt_install() {
  local log apt="env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120"
  [[ $(id -u) == 0 ]] || apt="sudo -n $apt"
  log=$(mktemp)
  $apt update </dev/null >"$log" 2>&1 || true
  # shellcheck disable=SC2086 # words on purpose: the packages' names
  $apt install --yes --no-install-recommends -o Dpkg::Options::=--force-confold $1 \
    </dev/null >>"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    refusing "system packages" "apt-get failed (see above; all of it is in $log); mend that and run this again"
  }
  rm -f "$log"
}

main "$@"
