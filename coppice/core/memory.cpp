#include "coppice/core/memory.h"

#include <cstdlib>  // which says whose C library it is

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace coppice {

void return_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace coppice
