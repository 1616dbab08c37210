#include "coppice/data/cell.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/unread_number.h"

#include <array>
#include <cmath>

namespace coppice {

namespace {

/// Most cells of real tables are short decimals such as 12 or -3.25, which need no general parser: up to 15 digits and
/// powers of ten up to 10^22 are exact in double, so their quotient is the nearest double.
bool parse_short(std::string_view text, double& value) {
  constexpr std::array<double, 15> powers{1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                          1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > powers.size() || !is_digit(text.front()) || !is_digit(text.back()))
    return false;
  std::uint64_t digits = 0;
  std::size_t point = text.size() - 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      digits = digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
    } else if (text[i] == '.' && point == text.size() - 1) {
      point = i;
    } else {
      return false;
    }
  }
  value = static_cast<double>(digits) / powers[text.size() - 1 - point];
  if (negative) value = -value;
  return true;
}

}  // namespace

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
