#!/usr/bin/env bash
# measure.sh HEADER [m3|m4]: compiles what `coppice export --to c` wrote for a Cortex-M, runs its self-test in qemu and prints
# flash and RAM (of everything, with the code) and instructions per prediction.
# Needs gcc-arm-none-eabi, libnewlib-arm-none-eabi and qemu-system-arm.
set -euo pipefail
header=$(readlink -f "$1")
kind=${2:-m3}
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
name=$(sed -n 's/^static inline int \(.*\)_predict(.*/\1/p' "$header")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

case $kind in
  m3) flags=(-mcpu=cortex-m3) machine=mps2-an385 ;;
  m4) flags=(-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard) machine=mps2-an386 ;;
  *)
    echo "measure.sh: $kind is neither m3 nor m4" >&2
    exit 2
    ;;
esac

build() { # PROGRAM SOURCE FLAGS...
  arm-none-eabi-gcc -std=gnu99 -O2 -ffp-contract=off -mthumb "${flags[@]}" -nostartfiles -ffunction-sections -Wl,--gc-sections \
    -I "$here" -I "$(dirname "$header")" -T "$here/device.ld" "$here/start.c" "${@:2}" -o "$work/$1" -lm -lc -lgcc
}
in_qemu() { qemu-system-arm -M "$machine" -icount shift=0 -nographic -semihosting-config enable=on,target=native -kernel "$work/$1" 2>&1; }

cat >"$work/test.c" <<C
#define ${name^^}_SELF_TEST
#include "$(basename "$header")"
#include "device.h"
int main(void) {
  float row[${name^^}_CELLS], out[${name^^}_OUTPUTS];
  uint32_t begin;
  int i, k;
  if (${name}_self_test() != 0) return 1;
  for (k = 0; k < ${name^^}_CELLS; k++) {
    row[k] = ${name}_test_rows[k];
    if (row[k] == FLT_MAX) row[k] = NAN;
  }
  begin = start_counting();
  for (i = 0; i < 4; i++) ${name}_predict(row, out);
  say_number(ticks_since(begin) * 10); /* 40 instructions a tick, 4 predictions */
  say("\n");
  return 0;
}
C
cat >"$work/plain.c" <<C
#include "$(basename "$header")"
#include "device.h"
volatile float cell, answer;
int main(void) {
  static float row[${name^^}_CELLS], out[${name^^}_OUTPUTS];
  int k;
  for (k = 0; k < ${name^^}_CELLS; k++) row[k] = cell;
  ${name}_predict(row, out);
  answer = out[0];
  return 0;
}
C
build test "$work/test.c"
build plain "$work/plain.c"
if ! instructions=$(in_qemu test); then
  echo "measure.sh: the self-test of $name fails on a Cortex-${kind^^}" >&2
  exit 1
fi
arm-none-eabi-size "$work/plain" | awk -v kind="$kind" -v count="$instructions" -v name="$name" \
  'NR == 2 { printf "%s on Cortex-%s: %d bytes of flash, %d of RAM beside the stack, %d instructions per prediction\n", name, toupper(kind), $1 + $2, $2 + $3, count }'
