#include "coppice/api/setting_builder.h"

namespace coppice {

const std::string& single(std::string_view name, const std::vector<std::string>& values) {
  if (values.size() != 1) fail_option(name, "`{}`: takes one value, {} were given", name, values.size());
  return values.front();
}

double checked_number(const std::string& name, const std::string& text, const Range& range) {
  const std::optional<double> value = parse_number(trim(text));
  const bool inside =
      value && *value <= range.high && (range.low_included ? *value >= range.low : *value > range.low);
  if (!inside || !std::isfinite(*value)) {
    std::string wanted = fmt::format("{} {}", range.low_included ? "at least" : "above", range.low);
    if (!std::isinf(range.high)) wanted += fmt::format(" and at most {}", range.high);
    fail_option(name, "`{}` {}: must be a number {}", name, cited(text), wanted);
  }
  return *value;
}

std::size_t checked_whole(const std::string& name, const std::string& text, std::size_t low,
                          std::size_t high) {
  const double value = parse_number(trim(text)).value_or(-1);
  if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high)) ||
      value != std::floor(value)) {
    fail_option(name, "`{}` {}: must be a whole number, at least {} and at most {}", name, cited(text), low,
                high);
  }
  return static_cast<std::size_t>(value);
}

std::size_t checked_bytes(const std::string& name, const std::string& text, std::size_t least) {
  constexpr std::string_view units = "KMGT";
  std::string_view digits = trim(text);
  double unit = 1;
  const std::size_t place = digits.empty() ? std::string_view::npos : units.find(digits.back());
  if (place != std::string_view::npos) {
    unit = std::pow(1000.0, static_cast<double>(place + 1));
    digits.remove_suffix(1);
  }
  const double value = parse_number(trim(digits)).value_or(-1) * unit;
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(largest_whole))) {
    fail_option(name, "`{}` {}: must be a number of bytes such as 500M or 2G, at least {}", name, cited(text),
                least);
  }
  return static_cast<std::size_t>(value);
}

}  // namespace coppice
