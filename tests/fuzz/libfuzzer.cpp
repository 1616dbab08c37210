// What libFuzzer calls. A program holds the parsers of a folder, COPPICE_FUZZ_TARGETS; which of them it tries is told by the name that it
// is called by, fuzz_NAME.
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

using Target = void (*)(std::string_view);

#define COPPICE_FUZZ_TARGET(name) std::pair<std::string_view, Target>(#name, coppice::fuzz::name)
constexpr std::array targets{COPPICE_FUZZ_TARGETS};

Target target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments) {
  std::string_view name = **arguments;
  name.remove_prefix(std::min(name.rfind("fuzz_") + 5, name.size()));
  for (const auto& [known, function] : targets)
    if (known == name) target = function;
  if (target != nullptr) return 0;
  std::fprintf(stderr, "this program is called fuzz_NAME, by the name of one of its parsers\n");
  return 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  target({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
