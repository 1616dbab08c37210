#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

// What is printed. What is said on standard error is news, not results: where it cannot be written (a full
// disk, a closed terminal), the work goes on. Names and paths may hold anything: control characters, which could command a
// terminal, are made harmless.
namespace coppice::cli {

/// Opens those of the three streams that whoever started the program closed, so that no file of ours gets their numbers.
/// Reading from them or writing results to them fails as before.
void open_closed_streams();

/// From now on nothing is said on standard error, or all of it again: of many processes that do the same one speaks.
void keep_silent(bool silent);

/// The text as it is, and nothing if that cannot be.
void put_error(std::string_view text) noexcept;

/// A line on standard error.
void say_line(std::string_view text);

/// The same, formatted like fmt::format.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  say_line(fmt::format(format, std::forward<Args>(args)...));
}

/// Text for people, on standard output.
void show_text(std::string_view text);

/// The same, formatted like fmt::format.
template <class... Args>
void show(fmt::format_string<Args...> format, Args&&... args) {
  show_text(fmt::format(format, std::forward<Args>(args)...));
}

/// JSON and a newline, on standard output; it means the same as before.
void show_json(std::string_view dumped);

/// Rows or code for other programs, on standard output: as they are, unless that is a terminal.
void show_bytes(std::string_view bytes);

}  // namespace coppice::cli
