#!/usr/bin/env bash
# Summary: Run lint and all tests on Debian 13 (Emacs 30.1, org-roam 2.3.1, Python 3.13)
# Usage: scripts/test-emacs30.sh [MAKE-TARGET...]
#
# Builds a Debian 13 root with debootstrap, once, in $XDG_CACHE_HOME/ai-kb/debian13, and runs the
# targets (default: lint test) there on a clone of what is committed here. Needs root and the
# package debootstrap. AI_KB_DEBIAN_MIRROR names another mirror.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

base=${XDG_CACHE_HOME:-$HOME/.cache}/ai-kb/debian13
mirror=${AI_KB_DEBIAN_MIRROR:-http://deb.debian.org/debian}
checkout=/root/ai-kb
mounted=()

main() {
  local targets=("$@")
  ((${#targets[@]})) || targets=(lint test)
  ((EUID == 0)) || refusing "$base" "a root file system is built by root; run this with sudo"
  build
  trap unmount EXIT
  mount_all
  copy_checkout
  chroot "$base" /usr/bin/env -i "${settings[@]}" \
    make --keep-going -C "$checkout" "${targets[@]}" </dev/null
}

# Built beside its place and moved there, so that a half-built root is never taken for one.
build() {
  if [[ -e $base/etc/debian_version ]]; then
    skipping "$base" "already built"
    return
  fi
  command -v debootstrap >/dev/null || refusing "$base" "debootstrap is missing; apt-get install debootstrap"
  writing "$base" "Debian 13 from $mirror"
  rm -rf "$base.new"
  mkdir -p "$base.new"
  debootstrap --variant=minbase --include=ca-certificates,git,make,python3,python3-venv \
    trixie "$base.new" "$mirror" >"$base.log" 2>&1 ||
    refusing "$base" "debootstrap failed, see $base.log"
  mv "$base.new" "$base"
}

mount_all() {
  local what
  for what in proc dev dev/pts; do
    mountpoint -q "$base/$what" && continue
    if [[ $what == proc ]]; then
      mount -t proc proc "$base/proc"
    else
      mount --bind "/$what" "$base/$what"
    fi
    mounted=("$base/$what" "${mounted[@]}")
  done
  cp -L /etc/resolv.conf "$base/etc/resolv.conf"
  # This machine's certificates and pip settings, for whoever sits behind a mirror.
  local place
  for place in /etc/ssl/certs /etc/pip.conf /etc/xdg/pip /opt/wheels; do
    [[ -e $place ]] || continue
    rm -rf "${base:?}$place"
    mkdir -p "$base$(dirname "$place")"
    cp -rL "$place" "$base$place" 2>/dev/null || true
  done
}

unmount() {
  local place
  for place in "${mounted[@]}"; do
    umount -l "$place" || true
  done
}

copy_checkout() {
  rm -rf "$base$checkout" "$base/root/corpora"
  git clone --quiet --no-hardlinks "$root" "$base$checkout"
  settings=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI=true)
  local name
  for name in PIP_CERT PIP_FIND_LINKS PIP_DEFAULT_TIMEOUT SSL_CERT_FILE; do
    [[ -z ${!name:-} ]] || settings+=("$name=${!name}")
  done
  local corpora=${AI_KB_CORPORA:-$root/../shared/corpora}
  if [[ -d $corpora ]]; then
    cp -r "$corpora" "$base/root/corpora"
    settings+=(AI_KB_CORPORA=/root/corpora)
  fi
}

main "$@"
