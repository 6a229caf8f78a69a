#!/usr/bin/env bash
# Summary: Fail on any warning about the Emacs Lisp.
# Usage: scripts/lint-elisp.sh
#
# Byte-compiles a copy of all Lisp files (no .elc is left in the tree), and asks
# checkdoc, package-lint (Debian: elpa-package-lint) and for the lexical-binding
# cookie. package-lint looks at elisp/ only, and needs elisp/ai-kb.el, which
# has the package's headers.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

main() {
  local scratch
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/ai-kb-lint.XXXXXX")
  # shellcheck disable=SC2064  # the name of now, not that of later
  trap "rm -rf -- '$scratch'" EXIT
  mkdir -p "$scratch/home" "$scratch/tree/tests" "$scratch/tree/scripts"
  cp -R "$root/elisp" "$scratch/tree/"
  cp -R "$root/tests/elisp" "$scratch/tree/tests/"
  cp "$root"/scripts/*.el "$scratch/tree/scripts/"
  find "$scratch/tree" -name '*.elc' -delete

  cd "$scratch/tree"
  env -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME -u EMACSLOADPATH \
    HOME="$scratch/home" LC_ALL=C.UTF-8 \
    emacs -Q --batch -L elisp -L tests/elisp -l scripts/lint-elisp.el -f lint-elisp-and-exit
}

main "$@"
