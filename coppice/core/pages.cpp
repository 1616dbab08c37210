#include "coppice/core/pages.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace coppice {

Pages::Pages(std::size_t bytes) {
  const std::size_t room = bytes + huge;
  void* memory = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  // NOLINT
  if (memory == MAP_FAILED)
    throw std::bad_alloc();  // NOLINT(performance-no-int-to-ptr): the system's own constant
  auto* first = static_cast<std::byte*>(memory);
  const std::size_t before = (huge - reinterpret_cast<std::uintptr_t>(first) % huge) % huge;
  if (before > 0) ::munmap(first, before);
  bytes_ = {first + before, whole(bytes)};
  if (const std::size_t after = room - before - bytes_.size(); after > 0)
    ::munmap(bytes_.data() + bytes_.size(), after);
#if defined(MADV_HUGEPAGE)
  ::madvise(bytes_.data(), bytes_.size(), MADV_HUGEPAGE);
#endif
}

Pages::~Pages() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace coppice
