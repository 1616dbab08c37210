#include "coppice/data/cell.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/unread_number.h"

#include <cmath>
#include <limits>

namespace coppice {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Most cells of real tables are short whole numbers: these need no general parser.
bool parse_short(std::string_view text, double& value) {
  if (text.empty() || text.size() > 9) return false;
  std::uint32_t whole = 0;
  for (const char c : text) {
    if (!is_digit(c)) return false;
    whole = whole * 10 + static_cast<std::uint32_t>(c - '0');
  }
  value = whole;
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
  return std::fabs(value) <= std::numeric_limits<float>::max();
}

std::string place(const std::string& path, std::size_t line, std::size_t column, std::string_view name) {
  return fmt::format("{}: line {}, column {} ({})", path, line, column + 1, cited(name));
}

void fail_unread(const std::string& where, std::string_view value) {
  fail("{}: {} looks like a number with {}; {}", where, cited(value), unread_format(value), readable_format);
}

void fail_too_large(const std::string& where, std::string_view value) {
  // What all formats can say, unlike an empty cell.
  fail("{}: {} is infinite or too large for a 32-bit number; correct it, or put ? if the value is unknown",
       where, cited(value));
}

}  // namespace coppice
