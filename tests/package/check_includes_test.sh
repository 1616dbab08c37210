#!/usr/bin/env bash
# check_includes_test.sh CHECK: each kind of mistake, in a tree made for it, is found; what is right passes.
set -euo pipefail
check="$1"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{cmake,coppice/core,coppice/data,cli,examples}
printf '# order\ncore\ndata\n' >"$tree/cmake/folders.txt"
printf 'coppice/core/error.h\ncoppice/core/export.h\n' >"$tree/cmake/public_headers.txt"

start() {
  rm -f "$tree/coppice/core/private.h"
  printf '#include "coppice/core/export.h"\n#include <string>\n' >"$tree/coppice/core/error.h"
  printf '#include "coppice/core/error.h"\n#include <fmt/format.h>\n' >"$tree/coppice/data/table.h"
  printf '#include "coppice/data/table.h"\n' >"$tree/cli/main.cpp"
  printf '#include <coppice/core/error.h>\n' >"$tree/examples/a.cpp"
}

# refused FILE INCLUDE WORDS
refused() {
  start
  printf '#include %s\n' "$2" >>"$tree/$1"
  if said="$("$check" "$tree")" || [[ $said != *"$1:"*"$3"* ]]; then
    echo "$1 with #include $2: expected a complaint with '$3', got '$said'"
    exit 1
  fi
}

start
"$check" "$tree"
refused coppice/core/error.h '<fmt/format.h>' "public header"
refused coppice/core/error.h '"coppice/data/table.h"' "includes upwards"
refused coppice/core/private.h '"coppice/data/table.h"' "includes upwards"
refused coppice/data/table.h '"cli/main.h"' "does not include cli/"
refused coppice/data/table.h '"coppice/other/x.h"' "folders.txt"
refused coppice/data/table.h '"coppice/coppice.h"' "for programs"
refused examples/a.cpp '<coppice/data/table.h>' "installed"
