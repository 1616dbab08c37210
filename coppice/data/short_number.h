#pragma once

#include "coppice/data/cell.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace coppice {

/// Digits, perhaps with a decimal point among them.
struct ShortDigits {
  const char* end;  ///< of them
  std::uint64_t digits = 0;
  std::size_t decimals = 0;
  bool valid = false;  ///< they are a short number

  double value() const {
    constexpr std::array<double, 15> powers{1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    return decimals == 0 ? static_cast<double>(digits) : static_cast<double>(digits) / powers[decimals];
  }
};

/// Most cells of real tables are short decimals such as 12 or -3.25, which need no general parser: up to 15 digits and
/// powers of ten up to 10^22 are exact in double, so their quotient is the nearest double. Float32 is never exceeded.
/// text[at] is a character, or one that is neither digit nor point behind the end; text.add_digits(at, number) takes digits.
template <class Text>
[[gnu::always_inline]] inline ShortDigits take_short(const char* const first, const Text& text) {
  constexpr std::ptrdiff_t most = 15;
  ShortDigits taken{.end = first};
  text.add_digits(taken.end, taken.digits);
  bool complete = taken.end != first;
  if (text[taken.end] == '.') {
    const char* const point = taken.end++;
    text.add_digits(taken.end, taken.digits);
    taken.decimals = static_cast<std::size_t>(taken.end - point - 1);
    complete = complete && taken.decimals > 0;
  }
  taken.valid = complete && taken.end - first <= most;
  return taken;
}

/// A text that ends somewhere.
struct CellText {
  const char* end;

  char operator[](const char* at) const { return at == end ? ' ' : *at; }
  void add_digits(const char*& at, std::uint64_t& number) const {
    for (; at != end && is_digit(*at); ++at) number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  }
};

/// A text with other characters behind it, eight of which may be looked at together where they lie before `end`.
struct LineText {
  const char* end;

  char operator[](const char* at) const { return *at; }
  void add_digits(const char*& at, std::uint64_t& number) const {
    for (; std::endian::native == std::endian::little && at + 8 <= end; at += 8) {
      const std::size_t count = add_eight(at, number);
      if (count == 8) continue;
      at += count;
      return;
    }
    for (; is_digit(*at); ++at) number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  }

 private:
  /// Takes the digits among eight characters up to the first that is none.
  static std::size_t add_eight(const char* at, std::uint64_t& number) {
    constexpr std::array<std::uint64_t, 9> powers{1,       10,        100,        1'000,      10'000,
                                                  100'000, 1'000'000, 10'000'000, 100'000'000};
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, 8);
    bytes ^= 0x3030303030303030U;  // digits become their values
    const std::uint64_t others = ((bytes + 0x0606060606060606U) | bytes) & 0xF0F0F0F0F0F0F0F0U;
    const std::size_t count = others == 0 ? 8 : static_cast<std::size_t>(std::countr_zero(others)) / 8;
    if (count == 0) return 0;
    bytes <<= 64 - 8 * count;            // zeros come first
    bytes = bytes * 10 + (bytes >> 8U);  // pairs, in every second byte
    bytes = ((bytes & 0x000000FF000000FFU) * (100 + (std::uint64_t{1'000'000} << 32U)) +
             ((bytes >> 16U) & 0x000000FF000000FFU) * (1 + (std::uint64_t{10'000} << 32U))) >>
            32U;
    number = number * powers[count] + bytes;
    return count;
  }
};

/// The same of a whole cell, with a sign or without.
inline bool parse_short(std::string_view text, double& value) {
  const bool negative = text.starts_with('-');
  const char* const end = text.data() + text.size();
  const ShortDigits taken = take_short(text.data() + (negative ? 1 : 0), CellText{end});
  if (!taken.valid || taken.end != end) return false;
  value = negative ? -taken.value() : taken.value();
  return true;
}

}  // namespace coppice
