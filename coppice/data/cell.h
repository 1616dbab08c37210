#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coppice {

enum class CellKind : std::uint8_t { missing, number, text };

/// What a cell says.
struct Cell {
  CellKind kind = CellKind::missing;
  double value = 0;  ///< of a number; may be infinite
};

Cell parse_cell(std::string_view text);

/// Whether a number can be held as float32.
bool fits_float(double value);

/// "file: line 3, column 2 ("age")": where a cell stands, to begin a message with. Columns count from 0 here
/// and from 1 in the message.
std::string place(const std::string& path, std::size_t line, std::size_t column, std::string_view name);

/// Fails because a number stands there in a format that is not read.
[[noreturn]] void fail_unread(const std::string& where, std::string_view value);

/// Fails because a number is infinite or beyond float32.
[[noreturn]] void fail_too_large(const std::string& where, std::string_view value);

}  // namespace coppice
