#pragma once

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace coppice {

/// A mistake the user can mend. The message is one sentence: what is wrong, where (file, line, column) and
/// what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws an Error whose message is formatted like fmt::format.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace coppice
