#!/usr/bin/env bash
# Data flows downward only: checks who includes whom, by the order in cmake/folders.txt, and that the headers of
# cmake/public_headers.txt include nothing but the standard library and each other. Prints each mistake as
# FILE:LINE: what is wrong; ends with 1 if there is one. An argument names another root, for its test.
set -euo pipefail
cd "${1:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..}"

folders=()
for folder in coppice cli experiments examples benchmarks tests; do
  [[ ! -d $folder ]] || folders+=("$folder")
done

grep -rnE --include='*.h' --include='*.cuh' --include='*.cpp' --include='*.cu' --include='*.c' \
  '^[[:space:]]*#[[:space:]]*include[[:space:]]' "${folders[@]}" |
  awk '
    FILENAME == "cmake/folders.txt" && /^[a-z]/ { place[$1] = ++count; next }
    FILENAME == "cmake/public_headers.txt" && /^coppice\// { public[$1] = 1; next }
    FILENAME != "-" { next }
    function mistake(why) { print file ":" line ": " why; bad = 1 }
    {
      split($0, part, ":"); file = part[1]; line = part[2]
      split(file, from, "/")
      if (!match($0, /[<"][^>"]*[>"]/)) next
      included = substr($0, RSTART + 1, RLENGTH - 2)
      quoted = substr($0, RSTART, 1) == "\""
      split(included, to, "/")
      ours = to[1] ~ /^(coppice|cli|experiments|examples|benchmarks|tests)$/

      if (file in public && included != "coppice/version.h" && !(ours && included in public) &&
          (quoted || included ~ /[\/]/) && included !~ /^sys\//)
        mistake("a public header includes only the standard library and other public headers, not " included)
      if (from[1] == "examples" && ours && !(included in public) && included != "coppice/version.h")
        mistake("an example includes only what is installed, not " included)
      if (!ours || from[1] ~ /^(tests|benchmarks|examples)$/) next

      if (to[1] != "coppice") {
        if (from[1] == "coppice" || to[1] ~ /^(tests|benchmarks|examples)$/ ||
            (from[1] == "cli" && to[1] == "experiments"))
          mistake(from[1] "/ does not include " to[1] "/")
      } else if (from[1] == "coppice" && from[3] != "" && to[3] != "") {
        if (!(from[2] in place)) mistake("coppice/" from[2] " does not stand in cmake/folders.txt")
        else if (!(to[2] in place)) mistake("coppice/" to[2] " does not stand in cmake/folders.txt")
        else if (place[to[2]] > place[from[2]])
          mistake("includes upwards: coppice/" to[2] " comes after coppice/" from[2] " (cmake/folders.txt)")
      } else if (from[1] == "coppice" && from[3] != "" && included == "coppice/coppice.h") {
        mistake("coppice/coppice.h is for programs that use the library")
      }
    }
    END { exit bad }' cmake/folders.txt cmake/public_headers.txt -
