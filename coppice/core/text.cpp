#include "coppice/core/text.h"

#include "coppice/core/missing_spellings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr std::array<std::string_view, 4> missing_markers{"na", "n/a", "nan", "null"};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

/// The power of ten of the first digit that is not 0, for a well-formed number that has one: 3 for "1e3", -2
/// for "0.05".
double decimal_magnitude(std::string_view number) {
  const std::size_t mantissa = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = std::min(number.substr(0, mantissa).find('.'), mantissa);
  const std::size_t first = number.find_first_of("123456789");
  const double place = static_cast<double>(point) - static_cast<double>(first) - (first < point ? 1 : 0);
  if (mantissa == number.size()) return place;
  std::string_view digits = number.substr(mantissa + 1);
  const bool negative = digits.starts_with('-');
  digits.remove_prefix(digits.find_first_of("0123456789"));
  double exponent = 0;
  for (const char digit : digits) exponent = 10 * exponent + (digit - '0');
  return place + (negative ? -exponent : exponent);
}

/// Bytes of the UTF-8 character that the text begins with; 0 if it is none (cut off, overlong, a surrogate,
/// too large).
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t size = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
  if (text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool too_large = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : size;
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lowercase(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (code == std::errc::result_out_of_range) {
    // from_chars leaves the value alone: a tiny number is zero, a huge one infinite.
    const double size = decimal_magnitude(text) < 0 ? 0.0 : HUGE_VAL;
    return text.starts_with('-') ? -size : size;
  }
  return value;
}

double rounded_to(double value, int digits) {
  return parse_number(fmt::format("{:.{}g}", value, digits)).value();
}

bool is_missing(std::string_view text) {
  text = trim(text);
  if (text.empty() || text == "?") return true;
  if (text.size() > 4) return false;
  return std::ranges::any_of(missing_markers,
                             [&](std::string_view m) { return equal_ignoring_case(text, m); });
}

std::vector<std::string> missing_spellings() {
  std::vector<std::string> spellings{"", "?"};
  for (const std::string_view marker : missing_markers) {
    const std::size_t first = spellings.size();
    spellings.emplace_back(marker);
    for (std::size_t i = 0; i < marker.size(); ++i) {
      if (marker[i] < 'a' || marker[i] > 'z') continue;
      for (std::size_t k = first, end = spellings.size(); k < end; ++k) {
        spellings.push_back(spellings[k]);
        spellings.back()[i] = static_cast<char>(marker[i] - 'a' + 'A');
      }
    }
  }
  return spellings;
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  // A third of the letters may be wrong, one at least, but not all of them.
  std::size_t best_distance = std::min(name.size(), name.size() / 3 + 2);
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (longer - shorter >= best_distance) continue;  // it is no nearer than that
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string joined(std::span<const std::string> texts, std::string_view separator) {
  std::string all;
  for (const std::string& text : texts) {
    if (&text != texts.data()) all += separator;
    all += text;
  }
  return all;
}

std::string visible(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", c);
    } else {
      out += byte;
    }
  }
  return out;
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  std::string text = visible(joined(names.first(std::min(most, names.size())), ", "));
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string size_text(std::span<const std::size_t> hidden_units) {
  std::string text;
  for (const std::size_t units : hidden_units) {
    if (!text.empty()) text += '-';
    text += std::to_string(units);
  }
  return text;
}

std::string share_text(double fraction) {
  if (!std::isfinite(fraction)) return "-";
  const double percent = 100 * fraction;
  if (percent == 0 || std::abs(percent) >= 0.1) return fmt::format("{:.2f} %", percent);
  return fmt::format("{:.2g} %", percent);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c >= 0x80) out += static_cast<char>(0xC0U | (c >> 6U));
    out += static_cast<char>(c < 0x80 ? c : 0x80U | (c & 0x3FU));
  }
  return out;
}

std::string cited(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t end = std::min(longest, text.size());
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return fmt::format("\"{}{}\"", visible(text.substr(0, end)), end < text.size() ? "..." : "");
}

}  // namespace coppice
