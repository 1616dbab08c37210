#include "coppice/core/memory.h"

#include <algorithm>
#include <cstdlib>  // which says whose C library it is
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace coppice {

double usable_memory() {
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  double of_container = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) bytes = std::min(bytes, of_container);
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(addresses.rlim_cur));
  return bytes;
}

void return_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace coppice
