"""Programs for a Cortex-M4 with a floating-point unit: what they take, and how many instructions a row costs in qemu."""
from __future__ import annotations

import ctypes
import math
import pathlib
import subprocess
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
BARE = HERE.parent  # start.c, device.ld
CPU = ["-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]
# Loops stay loops: the starting code is the same for all, and small.
FLAGS = ["-std=gnu99", "-Os", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections", "-fno-tree-loop-distribute-patterns"]

ASKING = """
#include "device.h"
int predict(const float *row);
static const float rows[] = {{{rows}}};
extern uint32_t bss_end;
#define UNUSED 0xA5A5A5A5U
int main(void) {{
  volatile uint32_t here = 0;
  uint32_t *low = &bss_end, *top = (uint32_t *)&here - 32;
  uint32_t begin;
  int i;
  while (low < top) *low++ = UNUSED;
  predict(rows);
  for (low = &bss_end; *low == UNUSED;) low++;
  say_number((uint32_t)((char *)&here - (char *)low));
  say(" ");
  begin = start_counting();
  for (i = 0; i < {count}; i++) predict(rows + i * {cells});
  say_number(ticks_since(begin) * (40 / {count}));
  say("\\n");
  return 0;
}}
"""

PLAIN = """
int predict(const float *row);
volatile float cell;
volatile int answer;
int main(void) {{
  static float row[{cells}];
  int k;
  for (k = 0; k < {cells}; k++) row[k] = cell;
  answer = predict(row);
  return 0;
}}
"""


@dataclass(frozen=True)
class Taken:
    flash: int  # of everything: constants, code, the libraries' functions
    ram: int  # static data and the deepest stack
    instructions: int  # per row


class Source:
    """A C file that defines `int predict(const float *row)`, the class of a row; NAN is a missing cell."""

    def __init__(self, path: pathlib.Path, includes: list[str], cells: int) -> None:
        self.path, self.cells = path, cells
        self.includes = [f"-I{folder}" for folder in includes]

    def answers(self, rows: list[list[float]]) -> list[int]:
        """What it says here, compiled for this machine."""
        library = self.path.with_suffix(".so")
        subprocess.run(["gcc", "-std=gnu99", "-O1", "-w", "-shared", "-fPIC", *self.includes, self.path, "-o", library, "-lm"], check=True)
        predict = ctypes.CDLL(str(library)).predict
        row = (ctypes.c_float * self.cells)()
        said = []
        for cells in rows:
            row[:] = cells
            said.append(predict(row))
        return said

    def build(self, name: str, main: str) -> pathlib.Path:
        source, program = self.path.with_name(f"{name}.c"), self.path.with_name(f"{name}.elf")
        source.write_text(main)
        subprocess.run(["arm-none-eabi-gcc", *FLAGS, *CPU, "-w", "-nostartfiles", "-Wl,--gc-sections", f"-I{BARE}", *self.includes,
                        "-T", BARE / "device.ld", BARE / "start.c", source, self.path, "-o", program, "-lm", "-lc", "-lgcc"], check=True)
        return program

    def measure(self, rows: list[list[float]]) -> Taken:
        some = rows[:4]
        numbers = ", ".join("__builtin_nanf(\"\")" if math.isnan(cell) else f"{cell!r}f" for row in some for cell in map(float, row))
        asking = self.build("asking", ASKING.format(rows=numbers, count=len(some), cells=self.cells))
        said = subprocess.run(["qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=0", "-nographic", "-semihosting-config",
                               "enable=on,target=native", "-kernel", asking], check=True, capture_output=True, text=True)
        stack, instructions = map(int, (said.stdout + said.stderr).split())
        plain = self.build("plain", PLAIN.format(cells=self.cells))
        sizes = subprocess.run(["arm-none-eabi-size", plain], check=True, capture_output=True, text=True).stdout
        code, data, bss = map(int, sizes.splitlines()[1].split()[:3])
        return Taken(code + data, data + bss + stack, instructions)
