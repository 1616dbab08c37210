#include "cli/reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace coppice::cli {

namespace {

constexpr std::size_t size_of_reserve = std::size_t{1} << 20U;

std::atomic<void*> reserve = nullptr;

[[noreturn]] void give_reserve() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void keep_reserve() {
  reserve = std::malloc(size_of_reserve);
  std::set_new_handler(give_reserve);
}

}  // namespace coppice::cli
