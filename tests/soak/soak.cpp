// soak library COUNT: so many short runs in one process, which must hold no more at the end than after the first ones.
// soak load SECONDS: 16 threads predict while their model is replaced on disk and two trainings run.
#include "tests/soak/load.h"
#include "tests/soak/runs.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

int main(int count, char** arguments) {
  const std::string_view what = count == 3 ? arguments[1] : "";
  const long number = count == 3 ? std::atol(arguments[2]) : 0;
  try {
    if (what == "library" && number >= 20)
      return coppice::soak::library(static_cast<std::size_t>(number)) ? 0 : 1;
    if (what == "load" && number > 0) return coppice::soak::load(static_cast<int>(number)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: soak library COUNT (20 or more) | soak load SECONDS\n");
  return 2;
}
