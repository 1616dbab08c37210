#include "coppice/ranks/host.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace coppice {

namespace {

/// "MemAvailable:  123 kB" in bytes; 0 if there is no such line.
std::uint64_t kilobytes_in(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
  }
  return 0;
}

/// A number in a file; `otherwise` where it says "max" or nothing.
std::uint64_t number_in(const std::string& file, std::uint64_t otherwise) {
  std::ifstream text(file);
  std::uint64_t number = 0;
  return text >> number ? number : otherwise;
}

/// The folder of this process's control group.
std::string control_group() {
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0::")) return "/sys/fs/cgroup" + line.substr(3);
  }
  return "";
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

std::uint64_t memory_left() {
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t left = kilobytes_in("/proc/meminfo", "MemAvailable:");
  if (left == 0) left = no_limit;
  if (const std::string group = control_group(); !group.empty()) {
    const std::uint64_t most = number_in(group + "/memory.max", no_limit);
    const std::uint64_t used = number_in(group + "/memory.current", 0);
    left = std::min(left, most - std::min(most, used));
  }
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t used = kilobytes_in("/proc/self/status", "VmSize:");
    left = std::min<std::uint64_t>(left, limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used));
  }
  return left;
}

std::uint64_t memory_at_most() {
  return kilobytes_in("/proc/self/status", "VmHWM:");
}

std::size_t usable_processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return online_processors();
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

std::size_t online_processors() {
  return static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace coppice
