#include "coppice/report/html.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : to_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // Other control characters are no part of HTML.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return out;
}

std::string count_text(std::size_t count) {
  return count_text(static_cast<double>(count));
}

std::string count_text(double count) {
  if (!std::isfinite(count)) return "-";
  const std::string digits = fmt::format("{:.0f}", std::abs(count));
  std::string out;
  if (count <= -0.5) out += '-';
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "-";
  if (std::abs(value) >= 1e4 && std::abs(value) < 1e15) return count_text(value);
  return fmt::format("{:.4g}", value);
}

std::string bytes_text(double bytes) {
  if (!std::isfinite(bytes)) return "-";
  constexpr std::array<const char*, 4> units{"bytes", "kB", "MB", "GB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes) : fmt::format("{:.3g} {}", bytes, units.at(unit));
}

}  // namespace coppice
