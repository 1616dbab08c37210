#!/usr/bin/env bash
# The built program and library have the protections that cmake/hardening.cmake asks for: hardening.sh PROGRAM LIBRARY
set -euo pipefail

command -v readelf >/dev/null || exit 77
folder="$(dirname "$(dirname "$1")")"
grep -q '^COPPICE_HARDENED:BOOL=ON' "$folder/CMakeCache.txt" || exit 77

# need FILE WHAT PATTERN COMMAND...: the command's output has the pattern.
need() {
  local file="$1" what="$2" pattern="$3" said
  shift 3
  said="$("$@" "$file")"
  grep -Eq "$pattern" <<<"$said" || {
    echo "$file: $what is missing"
    exit 1
  }
}

for file in "$@"; do
  need "$file" 'a random address (PIE)' 'Type: +DYN' readelf -hW
  need "$file" 'RELRO' 'GNU_RELRO' readelf -lW
  need "$file" 'binding at the start' 'BIND_NOW|FLAGS_1.*NOW' readelf -dW
  need "$file" 'the guard of the stack' '__stack_chk_fail' readelf -sW --dyn-syms
  need "$file" 'a checked function' '_chk@' readelf -sW --dyn-syms
  if readelf -lW "$file" | grep -E 'GNU_STACK' | grep -q 'RWE'; then
    echo "$file: the stack is executable"
    exit 1
  fi
  if [[ $(uname -m) == x86_64 ]]; then
    # The whole file is marked only if all that was linked into it is; our own functions begin with endbr64 in any case.
    said="$(objdump -d --no-show-raw-insn --section=.text "$file" | grep -c endbr64 || true)"
    ((said > 1000)) || {
      echo "$file: only $said targets of jumps are marked"
      exit 1
    }
  fi
done
