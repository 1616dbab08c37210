#include "coppice/device/processor.h"

#include "coppice/core/text.h"

#include <algorithm>
#include <atomic>
#include <fstream>

namespace coppice {

namespace {

std::atomic<Vectors> most_vectors = Vectors::avx512;

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos)
      return std::string(trim(line.substr(colon + 1)));
  }
  return "CPU";
}

Vectors vectors_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return Vectors::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return Vectors::avx2;
#endif
  return Vectors::plain;
}

std::string vector_level() {
  switch (vectors_of_processor()) {
    case Vectors::avx512:
      return "x86-64-v4";
    case Vectors::avx2:
      return "x86-64-v3";
    case Vectors::plain:
      break;
  }
  return "default";
}

Vectors portable_vectors() {
  static const Vectors own = vectors_of_processor();
  return std::min(own, most_vectors.load(std::memory_order_relaxed));
}

void limit_portable_vectors(Vectors most) {
  most_vectors = most;
}

}  // namespace coppice
