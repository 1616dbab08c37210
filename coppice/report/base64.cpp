#include "coppice/report/base64.h"

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace coppice {

std::string base64(std::span<const float> numbers) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint32_t> bytes;
  for (const float number : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(bits >> shift & 255U);
  }
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t three =
        bytes[i] << 16U | (left > 1 ? bytes[i + 1] << 8U : 0U) | (left > 2 ? bytes[i + 2] : 0U);
    for (unsigned k = 0; k < 4; ++k) text += k > left ? '=' : letters[three >> (18 - 6 * k) & 63U];
  }
  return text;
}

}  // namespace coppice
