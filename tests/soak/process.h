#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::soak {

inline std::size_t entries_of(const std::string& folder) {
  const std::filesystem::directory_iterator entries(folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

/// What a process holds of the machine.
struct Held {
  std::size_t heap = 0;      ///< bytes that were allocated and not freed
  std::size_t resident = 0;  ///< bytes of memory
  std::size_t descriptors = 0;
  std::size_t threads = 0;

  static Held now() {
    Held held;
    const struct mallinfo2 heap = ::mallinfo2();
    held.heap = heap.uordblks + heap.hblkhd;
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    held.resident = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    held.descriptors = entries_of("/proc/self/fd");
    held.threads = entries_of("/proc/self/task");
    return held;
  }
  std::string text() const {
    return fmt::format("heap {:.3f} MB, resident {:.1f} MB, {} descriptors, {} threads",
                       static_cast<double>(heap) / 1e6, static_cast<double>(resident) / 1e6, descriptors,
                       threads);
  }
};

}  // namespace coppice::soak
