#include "coppice/core/pages.h"

#include <new>
#include <sys/mman.h>

namespace coppice {

Pages::Pages(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  // NOLINT
  if (memory == MAP_FAILED) throw std::bad_alloc();  // NOLINT(performance-no-int-to-ptr): the system's own constant
  bytes_ = {static_cast<std::byte*>(memory), bytes};
}

Pages::~Pages() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace coppice
