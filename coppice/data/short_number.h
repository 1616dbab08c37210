#pragma once

#include "coppice/data/cell.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coppice {

/// Most cells of real tables are short decimals such as 12 or -3.25, which need no general parser: up to 15 digits and
/// powers of ten up to 10^22 are exact in double, so their quotient is the nearest double. Float32 is never exceeded.
inline bool parse_short(std::string_view text, double& value) {
  constexpr std::array<double, 15> powers{1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                          1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  if (at == end || static_cast<std::size_t>(end - at) > powers.size() || !is_digit(*at) || !is_digit(end[-1]))
    return false;
  std::uint64_t digits = 0;
  while (at != end && is_digit(*at)) digits = digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
  std::size_t decimals = 0;
  if (at != end) {
    if (*at++ != '.') return false;
    decimals = static_cast<std::size_t>(end - at);
    for (; at != end; ++at) {
      if (!is_digit(*at)) return false;
      digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
    }
  }
  value = decimals == 0 ? static_cast<double>(digits) : static_cast<double>(digits) / powers[decimals];
  if (negative) value = -value;
  return true;
}

}  // namespace coppice
