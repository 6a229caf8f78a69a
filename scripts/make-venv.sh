#!/usr/bin/env bash
# Summary: Make .venv from requirements.lock, with the ai-kb launcher in it
# Usage: scripts/make-venv.sh
#
# The checkout's python/ is put on the path by a .pth file and not by pip: `git pull` takes effect at
# once, and nothing is built. A checkout that was moved or copied gets its .venv made anew, and so
# does one whose Python is gone.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

venv=$root/.venv

main() {
  local python
  if is_current; then
    skipping .venv "already made from requirements.lock for this checkout"
  else
    python=$(find_python) ||
      refusing .venv "no Python 3.11 or newer that can make one; on Debian: apt-get install python3-venv"
    writing .venv "$("$python" --version) and the packages of requirements.lock"
    make_venv "$python"
  fi
  touch "$venv" # make compares this with pyproject.toml and requirements.lock
}

is_current() {
  is_for_here &&
    cmp -s "$root/requirements.lock" "$venv/requirements.lock" &&
    launcher | cmp -s - "$launcher_target" &&
    "$venv/bin/python" -I -c 'import aikb, click' >/dev/null 2>&1
}

# made-for is written last, so a .venv that was cut off half-way is for nowhere.
is_for_here() {
  [[ $(cat "$venv/made-for" 2>/dev/null) == "$root" ]] &&
    "$venv/bin/python" -I -c 'import pip' >/dev/null 2>&1
}

# One that works is brought up to date where it stands, so that it still works when pip cannot.
make_venv() {
  is_for_here || "$1" -I -m venv --clear "$venv"
  install_packages
  # Relative, because Python reads this file in the locale's encoding: under LC_ALL=C a full path
  # with an accent in it would stop every start.
  echo ../../../../python >"$(site_packages)/aikb.pth"
  launcher >"$launcher_target"
  chmod +x "$launcher_target"
  cp "$root/requirements.lock" "$venv/requirements.lock"
  printf '%s\n' "$root" >"$venv/made-for"
}

site_packages() {
  "$venv/bin/python" -I -X utf8 -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
}

# The lock names every package, so pip need not resolve. PIP_USER in someone's settings would fail.
install_packages() {
  PIP_USER=0 "$venv/bin/python" -I -m pip install --no-input --no-deps --disable-pip-version-check \
    -r "$root/requirements.lock" </dev/null >"$venv/pip.log" 2>&1 || {
    tail -n 20 "$venv/pip.log" >&2
    refusing .venv "pip could not install requirements.lock (see above); mend that and run this again"
  }
}

# sh costs 1 ms and takes a path of any length, with spaces, which a #! line does not. Running the file
# and not `-m aikb` saves 4 ms, and -S as many (__main__.py knows where the packages are); -I keeps
# the PYTHON* settings and the directory of whoever calls out; utf8 because an agent's shell often has
# no locale.
launcher() {
  cat <<EOF
#!/bin/sh
# Written by scripts/make-venv.sh.
exec $(quote "$venv/bin/python") -I -S -X utf8 $(quote "$root/python/aikb/__main__.py") "\$@"
EOF
}

quote() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

main "$@"
