#include "coppice/core/memory.h"

#include <algorithm>
#include <cstdlib>  // which says whose C library it is
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace coppice {

namespace {

/// The least of the limits of a control group and those it lies in; the groups of this process are told by /proc.
double least_limit(const std::string& root, std::string group, const char* file) {
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    double limit = 0;
    if (std::ifstream(root + group + "/" + file) >> limit) least = std::min(least, limit);
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

/// Of version 2 ("0::/group") or 1 ("9:memory:/group"). In a container the group's own path may be out of sight, its root is not.
double limit_of_container() {
  double least = least_limit("/sys/fs/cgroup", "", "memory.max");
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t kind = line.find(':');
    const std::size_t path = line.find(':', kind + 1);
    if (path == std::string::npos) continue;
    const std::string kinds = line.substr(kind + 1, path - kind - 1);
    if (kinds.empty())
      least = std::min(least, least_limit("/sys/fs/cgroup", line.substr(path + 1), "memory.max"));
    if (kinds == "memory")
      least = std::min(least,
                       least_limit("/sys/fs/cgroup/memory", line.substr(path + 1), "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

double usable_memory() {
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  bytes = std::min(bytes, limit_of_container());
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(addresses.rlim_cur));
  return bytes;
}

double usual_memory() {
  constexpr double share = 0.9;
  return share * usable_memory();
}

void return_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace coppice
