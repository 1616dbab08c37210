#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace coppice {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

enum class CellKind : std::uint8_t { missing, number, text };

/// What a cell says.
struct Cell {
  CellKind kind = CellKind::missing;
  double value = 0;  ///< of a number; may be infinite
};

Cell parse_cell(std::string_view text);

/// Whether a number can be held as float32.
bool fits_float(double value);

/// Where a cell stands in its column.
struct RowPlace {
  std::size_t row = 0;   ///< from 0
  std::size_t line = 0;  ///< of a file, from 1; 0: the table has no lines
};

/// A cell to be shown in a message.
struct CellSpot {
  RowPlace at;
  std::string text;
};

/// Where a cell stands, to begin a message with.
struct CellPlace {
  const std::string& table;
  RowPlace at;
  std::size_t column;  ///< from 0
  const std::string& name;

  /// data.csv: line 3, column 2 ("age")
  std::string text() const;
  /// Fails with a sentence that begins with the place.
  [[noreturn]] void fail(const std::string& sentence) const;
};

/// "line 3", or "row 3" where there are no lines.
std::string row_text(const RowPlace& at);

/// Fails because a number stands there in a format that is not read; `more` ends the sentence.
[[noreturn]] void fail_unread(const CellPlace& place, std::string_view value, std::string_view more = "");

/// Fails because a number is infinite or beyond float32.
[[noreturn]] void fail_too_large(const CellPlace& place, std::string_view value, std::string_view more = "");

}  // namespace coppice
