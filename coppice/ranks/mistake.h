#pragma once

#include <exception>
#include <new>
#include <string>

namespace coppice {

/// Why `action` failed, for rank 0 to say; empty if it did not.
template <class Action>
std::string mistake_of(Action action) {
  try {
    action();
    return {};
  } catch (const std::bad_alloc&) {
    return "out of memory; use a smaller file, or start fewer ranks there";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace coppice
