#include "coppice/data/unread_number.h"

#include "coppice/core/text.h"
#include "coppice/data/cell.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace coppice {

namespace {

constexpr std::size_t longest = 60;  ///< nobody formats longer numbers

constexpr std::string_view comma = "a decimal comma";
constexpr std::string_view thousands = "separated thousands";
constexpr std::string_view either = "a decimal comma or separated thousands";

constexpr std::array<std::string_view, 4> separators{",", ".", "'", "\u2019"};
constexpr std::array<std::string_view, 3> number_signs{"-", "+", "\u2212"};
/// The last one is the euro of Windows-1252.
constexpr std::array<std::string_view, 6> unit_signs{"%", "$", "\u20AC", "\u00A3", "\u00A5", "\x80"};

bool are_digits(std::string_view text) {
  return std::ranges::all_of(text, is_digit);
}

bool take_first(std::string_view& text, std::span<const std::string_view> signs) {
  const auto sign = std::ranges::find_if(signs, [&](std::string_view s) { return text.starts_with(s); });
  if (sign == signs.end()) return false;
  text = trim(text.substr(sign->size()));
  return true;
}

bool take_last(std::string_view& text, std::span<const std::string_view> signs) {
  const auto sign = std::ranges::find_if(signs, [&](std::string_view s) { return text.ends_with(s); });
  if (sign == signs.end()) return false;
  text = trim(text.substr(0, text.size() - sign->size()));
  return true;
}

/// One to three digits, not beginning with 0, and then groups of three.
bool is_grouped(std::string_view text, std::string_view separator) {
  std::size_t end = text.find(separator);
  if (end == std::string_view::npos || end < 1 || end > 3) return false;
  if (text[0] == '0' || !are_digits(text.substr(0, end))) return false;
  while (end < text.size()) {
    if (text.substr(end, separator.size()) != separator) return false;
    text.remove_prefix(end + separator.size());
    end = 3;
    if (text.size() < end || !are_digits(text.substr(0, end))) return false;
  }
  return true;
}

bool is_grouped(std::string_view text) {
  return std::ranges::any_of(separators, [&](std::string_view s) { return is_grouped(text, s); });
}

/// Cuts off e-3 and the like.
std::string_view without_exponent(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return text;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.starts_with('-') || exponent.starts_with('+')) exponent.remove_prefix(1);
  return !exponent.empty() && are_digits(exponent) ? text.substr(0, e) : text;
}

/// Whole digits, perhaps grouped, with or without decimals, but no sign.
std::string_view format_of(std::string_view text) {
  text = without_exponent(text);
  if (is_grouped(text)) {
    const bool single = text.find(',') != std::string_view::npos && text.find(',') == text.rfind(',');
    return single ? either : thousands;
  }
  const std::size_t point = text.find_last_of(".,");
  if (point == std::string_view::npos) return {};
  const std::string_view whole = text.substr(0, point);
  const std::string_view decimals = text.substr(point + 1);
  if (!are_digits(decimals) || (whole.empty() && decimals.empty())) return {};
  const bool grouped = is_grouped(whole) && !is_grouped(whole, text.substr(point, 1));
  if (!grouped && !are_digits(whole)) return {};
  if (text[point] == ',') return comma;
  return grouped ? thousands : std::string_view();
}

/// Most texts, dates and times among them, show at once that they are none.
bool may_be_number(std::string_view text) {
  if (text.size() > longest) return false;
  bool digit = false;
  char before = ' ';
  for (const char c : text) {
    const bool known = is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
                       std::string_view(".,' eE%$-+").find(c) != std::string_view::npos;
    if (!known || (c == '-' && is_digit(before))) return false;
    digit = digit || is_digit(c);
    before = c;
  }
  return digit;
}

bool is_plain(std::string_view text) {
  return !text.empty() && (is_digit(text[0]) || text[0] == '.') && parse_number(text).has_value();
}

}  // namespace

std::string_view unread_digits(std::string_view text) {
  text = trim(text);
  if (!may_be_number(text) || parse_number(text)) return {};
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  return format_of(text);
}

std::string_view unread_format(std::string_view text) {
  text = trim(text);
  if (!may_be_number(text) || parse_number(text)) return {};
  if (const std::string_view format = unread_digits(text); !format.empty()) return format;
  const bool other_minus = text.starts_with(number_signs.back());
  const bool signed_first = take_first(text, number_signs);
  const bool unit = take_first(text, unit_signs) || take_last(text, unit_signs);
  if (unit && !signed_first) take_first(text, number_signs);
  if (!unit && !other_minus) return {};
  if (format_of(text).empty() && !is_plain(text)) return {};
  return unit ? "a currency or percent sign" : "a minus sign that is not -";
}

}  // namespace coppice
