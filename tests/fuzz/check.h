#pragma once

#include "coppice/core/error.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace coppice::fuzz {

/// Of so many inputs one is tried in the ways, too, that take longer than all others and show little.
#ifdef COPPICE_FUZZ_FAST
constexpr std::uint32_t seldom = 64;
#else
constexpr std::uint32_t seldom = 1;
#endif

/// Ends the process if something does not hold that must.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Whether the action went through. An Error is fine if it is one line that begins with the name; any other exception is not
/// caught.
template <class Action>
bool goes_through(std::string_view name, const Action& action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const bool printable =
        std::ranges::all_of(message, [](char c) { return c < 0 || (c >= ' ' && c != 0x7F); });
    if (!printable || !message.starts_with(name) || error.kind() == ErrorKind::internal)
      std::fprintf(stderr, "%s\n", error.what());
    require(message.starts_with(name), "a message begins with the name of the file");
    require(printable, "a message is one line without control characters");
    require(error.kind() != ErrorKind::internal, "no file shows a mistake of the library");
    return false;
  }
}

}  // namespace coppice::fuzz
