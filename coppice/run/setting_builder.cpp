#include "coppice/run/setting_builder.h"

namespace coppice {

const std::string& single(const std::string& name, const std::vector<std::string>& values) {
  if (values.size() != 1) fail("--{}: takes one value, {} were given", name, values.size());
  return values.front();
}

double checked_number(const std::string& name, const std::string& text, double low, double high,
                      bool low_included) {
  const std::optional<double> value = parse_number(trim(text));
  const bool inside = value && *value <= high && (low_included ? *value >= low : *value > low);
  if (!inside || !std::isfinite(*value)) {
    const std::string range =
        std::isinf(high)
            ? fmt::format("{} {}", low_included ? "at least" : "above", low)
            : fmt::format("{} {} and at most {}", low_included ? "at least" : "above", low, high);
    fail("--{} {}: must be a number {}", name, cited(text), range);
  }
  return *value;
}

}  // namespace coppice
