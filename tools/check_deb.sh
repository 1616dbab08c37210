#!/usr/bin/env bash
# check_deb.sh PACKAGE ROWS FLAGS...: installs the package in a bare Debian 12, made anew in a temporary folder with
# nothing but what Debian calls essential, generates ROWS poker hands there and trains on them with FLAGS.
# Needs root and mmdebstrap; packages come from this machine's mirror.
set -euo pipefail
package="$(readlink -f "$1")"
rows="$2"
shift 2

# The first of this machine's sources that has Debian 12.
mirror="$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  sed -nE 's/^(URIs:|deb( \[[^]]*\])?) *(https?:[^ ]*debian\/?)( .*)?$/\3/p' | head -1)"
mirror="${mirror:-http://deb.debian.org/debian}"

room="$(mktemp -d)"
trap 'rm -rf "$room"' EXIT
chmod 755 "$room"
echo "making a bare Debian 12 from $mirror ..."
mmdebstrap --variant=apt --mode=root --quiet bookworm "$room/debian" "$mirror"
cp "$package" "$room/debian/root/coppice.deb"

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy="$http_proxy"} chroot "$room/debian" "$@"
}
inside apt-get -q update
inside apt-get -q -y --no-install-recommends install /root/coppice.deb
inside coppice --version
inside coppice generate poker --rows "$rows" --seed 1 -o /root/poker.csv
inside coppice train /root/poker.csv "$@" -o /root/run
inside coppice evaluate /root/run /root/poker.csv
inside test -s /usr/share/man/man1/coppice.1 -o -s /usr/share/man/man1/coppice.1.gz
inside apt-get -q -y purge coppice
if inside test -e /usr/bin/coppice; then
  echo "check_deb: the program is still there after the package was removed" >&2
  exit 1
fi
echo "the package installs, trains and goes again"
