#!/usr/bin/env bash
# symbols.sh LIBRARY: the shared library shows only what is marked with COPPICE_API, and that it does show.
set -euo pipefail
shown="$(nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//')"
if odd="$(grep -vE '^(_ZNK?7coppice|_ZT[ISV]N7coppice|coppice_)' <<<"$shown")"; then
  printf 'shown, but not part of the interface:\n%s\n' "$odd" | head -20
  exit 1
fi
# Hidden by default: internals would be thousands.
if (($(wc -l <<<"$shown") > 1000)); then
  echo "$(wc -l <<<"$shown") symbols are shown; is -fvisibility=hidden gone?"
  exit 1
fi
grep -q '^_ZN7coppice7versionB5cxx11Ev$' <<<"$shown" || {
  echo "coppice::version() is not shown"
  exit 1
}
# A class of the library that is part of no public header.
if grep -q 10ThreadPool <<<"$shown"; then
  echo "ThreadPool is shown"
  exit 1
fi
readelf -d "$1" | grep -qE 'SONAME.*libcoppice\.so\.[0-9]+\]' || {
  echo "no SONAME"
  exit 1
}
