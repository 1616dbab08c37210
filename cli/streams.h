#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

// Standard error. What is said there is news, not results: where it cannot be written (a full disk, a closed terminal), the
// work goes on.
namespace coppice::cli {

/// Opens those of the three streams that whoever started the program closed, so that no file of ours gets their numbers.
/// Reading from them or writing results to them fails as before.
void open_closed_streams();

/// The text as it is, and nothing if that cannot be.
void put_error(std::string_view text) noexcept;

/// A line whose control characters, which could command a terminal, are made harmless.
void say_line(std::string_view text);

/// The same, formatted like fmt::format.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  say_line(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace coppice::cli
