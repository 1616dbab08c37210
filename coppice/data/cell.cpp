#include "coppice/data/cell.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/short_number.h"
#include "coppice/data/unread_number.h"

#include <cmath>

namespace coppice {

Cell parse_cell(std::string_view text) {
  Cell cell{CellKind::number, 0};
  if (parse_short(text, cell.value)) return cell;
  const bool looks_like_number = !text.empty() && (is_digit(text[0]) || text[0] == '-');
  if (!looks_like_number && is_missing(text)) return {};
  const auto number = parse_number(trim(text));
  if (!number) return {CellKind::text, 0};
  // Spellings such as -nan and nan(0x1) mean what NaN means.
  if (std::isnan(*number)) return {};
  cell.value = *number;
  return cell;
}

bool fits_float(double value) {
  // Half a step above the greatest float: below it, as in 3.4028235e38, the greatest float is the nearest one.
  constexpr double limit = 0x1.ffffffp127;
  return std::fabs(value) < limit;
}

std::string row_text(const RowPlace& at) {
  return at.line != 0 ? fmt::format("line {}", at.line) : fmt::format("row {}", at.row + 1);
}

std::string CellPlace::text() const {
  return fmt::format("{}: {}, column {} ({})", table, row_text(at), column + 1, cited(name));
}

void CellPlace::fail(const std::string& sentence) const {
  fail_at({.column = name, .row = at.row}, "{}: {}", text(), sentence);
}

void fail_unread(const CellPlace& place, std::string_view value, std::string_view more) {
  place.fail(fmt::format("{} looks like a number with {}; {}{}", cited(value), unread_format(value),
                         readable_format, more));
}

void fail_too_large(const CellPlace& place, std::string_view value, std::string_view more) {
  // What all formats can say, unlike an empty cell.
  place.fail(fmt::format(
      "{} is infinite or too large for a 32-bit number; correct it, or put ? if the value is unknown{}",
      cited(value), more));
}

}  // namespace coppice
