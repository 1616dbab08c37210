#include "cli/reserve.h"

#include "cli/streams.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <unistd.h>

namespace coppice::cli {

namespace {

constexpr std::size_t size_of_reserve = std::size_t{1} << 20U;

std::atomic<void*> for_going_on = nullptr;
std::atomic<void*> for_undoing = nullptr;
std::string_view program_name;
std::terminate_handler usual_end = nullptr;

/// Who asks first may be a destructor, which must not throw: it gets what it asks for. Who asks again, or for much, does not.
void give_reserve() {
  if (void* piece = for_going_on.exchange(nullptr); piece != nullptr) {
    std::free(piece);
    return;
  }
  std::free(for_undoing.exchange(nullptr));
  throw std::bad_alloc();
}

bool is_out_of_memory() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
  return false;
}

[[noreturn]] void end_program() {
  if (is_out_of_memory()) ::_exit(complain_without_memory(program_name));
  usual_end();
  std::abort();
}

}  // namespace

void keep_reserve(std::string_view program) {
  program_name = program;
  for_going_on = std::malloc(size_of_reserve);
  for_undoing = std::malloc(size_of_reserve);
  std::set_new_handler(give_reserve);
  usual_end = std::set_terminate(end_program);
}

int complain_without_memory(std::string_view program) noexcept {
  for (const std::string_view part : {program, std::string_view(": "), no_memory, std::string_view("\n")})
    put_error(part);
  return 2;
}

}  // namespace coppice::cli
