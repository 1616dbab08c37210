#!/usr/bin/env bash
# check_wheel.sh FOLDER off|on: installs the wheel in that folder, which holds those it needs too, in a bare Debian 12 that
# has Python and no compiler, and lets it learn there; on: the wheel has CUDA. Needs root and mmdebstrap; packages come from this machine's mirror.
set -euo pipefail
wheels="$(readlink -f "$1")"
cuda="$2"
here="$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

# The first of this machine's sources that has Debian 12.
mirror="$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  sed -nE 's/^(URIs:|deb( \[[^]]*\])?) *(https?:[^ ]*debian\/?)( .*)?$/\3/p' | head -1)"
mirror="${mirror:-http://deb.debian.org/debian}"

room="$(mktemp -d)"
leave() {
  umount "$room/debian/proc" 2>/dev/null || true
  rm -rf --one-file-system "$room"
}
trap leave EXIT
chmod 755 "$room"
echo "making a bare Debian 12 with Python from $mirror ..."
mmdebstrap --variant=apt --mode=root --quiet --include=python3-venv bookworm "$room/debian" "$mirror"
# The loader finds libraries beside a program by the program's own path, which it reads there.
mount -t proc proc "$room/debian/proc"
cp -r "$wheels" "$room/debian/root/wheels"
cp "$here/try_wheel.py" "$room/debian/root"

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C chroot "$room/debian" "$@"
}
if inside sh -c 'command -v cc || command -v g++'; then
  echo "check_wheel: there is a compiler in the bare Debian" >&2
  exit 1
fi
inside python3 -m venv /root/clean
inside sh -c '/root/clean/bin/pip install --quiet --no-index --find-links /root/wheels coppice'
inside sh -c "/root/clean/bin/python /root/try_wheel.py /root/wheels/coppice-*.whl $cuda"
echo "the wheel works in a bare Debian 12"
