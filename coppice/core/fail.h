#pragma once

#include "coppice/core/error.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

// Throwing an Error, its message formatted like fmt::format.
namespace coppice {

/// Because of the data, or whatever else was handed in.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_as(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

/// Because of a file or directory.
template <class... Args>
[[noreturn]] void fail_file(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::file, fmt::format(format, std::forward<Args>(args)...));
}

/// Because of a setting, named without dashes.
template <class... Args>
[[noreturn]] void fail_option(std::string_view option, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::bad_option, fmt::format(format, std::forward<Args>(args)...),
              {.option = std::string(option)});
}

/// Because of a column, or of one of its cells.
template <class... Args>
[[noreturn]] void fail_at(ErrorPlace place, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::bad_input, fmt::format(format, std::forward<Args>(args)...), std::move(place));
}

}  // namespace coppice
