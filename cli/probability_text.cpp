#include "cli/probability_text.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace coppice::cli {

void append_probability(std::string& out, double p) {
  constexpr double units = 1e6;
  const double scaled = p * units;
  const double below = std::floor(scaled);
  const double rest = scaled - below;
  // Next to the middle between two such numbers the exact digits decide.
  if (std::signbit(p) || !(p <= 1) || std::fabs(rest - 0.5) < 1e-6) {
    fmt::format_to(std::back_inserter(out), "{:.6f}", p);
    return;
  }
  auto digits = static_cast<std::uint32_t>(below) + (rest > 0.5 ? 1U : 0U);
  std::array<char, 8> text{'0', '.', '0', '0', '0', '0', '0', '0'};
  for (std::size_t i = text.size() - 1; i > 1; --i, digits /= 10)
    text[i] = static_cast<char>('0' + digits % 10);
  text[0] = static_cast<char>('0' + digits);
  out.append(text.data(), text.size());
}

}  // namespace coppice::cli
