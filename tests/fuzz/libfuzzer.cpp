// What libFuzzer calls; COPPICE_FUZZ_TARGET names one of the parsers.
#include "tests/fuzz/targets.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  coppice::fuzz::COPPICE_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
