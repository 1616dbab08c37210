// What libFuzzer calls. A program holds the parsers of a folder, COPPICE_FUZZ_TARGETS; which of them it tries is told by the name that it
// is called by, fuzz_NAME.
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

using Target = void (*)(std::string_view);

#define COPPICE_FUZZ_TARGET(name) std::pair<std::string_view, Target>(#name, coppice::fuzz::name)
constexpr std::array targets{COPPICE_FUZZ_TARGETS};

Target target = nullptr;

#ifdef COPPICE_FUZZ_FAST
/// The bytes once more, before a page that cannot be read: who reads past their end is ended, as by AddressSanitizer.
std::string_view at_an_edge(std::string_view bytes) {
  constexpr std::size_t room = std::size_t{1} << 20U;
  static char* const edge = [] {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const pages =
        ::mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || ::mprotect(static_cast<char*>(pages) + room, page, PROT_NONE) != 0)
      std::abort();
    return static_cast<char*>(pages) + room;
  }();
  if (bytes.size() > room) std::abort();
  return {std::copy(bytes.begin(), bytes.end(), edge - bytes.size()) - bytes.size(), bytes.size()};
}
#else
std::string_view at_an_edge(std::string_view bytes) {
  return bytes;
}
#endif

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
  target(at_an_edge({reinterpret_cast<const char*>(bytes), size}));
  return 0;
}
