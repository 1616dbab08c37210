#include "coppice/core/elementary.h"

#include <array>
#include <cstddef>
#include <limits>
#include <numbers>

namespace coppice::portable {

namespace {

// Constants in parts: products of the first, which ends in zeros, with whole numbers of up to 20 bits are exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double quarter_turn_high = 0x1.921fb544p+0;
constexpr double quarter_turn_middle = 0x1.0b4611a6p-34;
constexpr double quarter_turn_low = 0x1.3198a2e037073p-69;

/// coefficient[0] + coefficient[1] x + ...
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficient, double x) {
  double sum = coefficient[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + coefficient[i];
  return sum;
}

constexpr double factorial(std::size_t n) {
  double product = 1;
  for (std::size_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
  return product;
}

/// 1 / first!, sign / (first + step)!, 1 / (first + 2 step)!, ...: series of exp, sin and cos.
template <std::size_t N>
constexpr std::array<double, N> inverse_factorials(std::size_t first, std::size_t step, double sign) {
  std::array<double, N> all{};
  double signs = 1;
  for (std::size_t i = 0; i < N; ++i) {
    all[i] = signs / factorial(first + i * step);
    signs *= sign;
  }
  return all;
}

/// 1, 1/3, 1/5, ...: atanh(f) / f in f^2.
template <std::size_t N>
constexpr std::array<double, N> inverse_odd_numbers() {
  std::array<double, N> all{};
  for (std::size_t i = 0; i < N; ++i) all[i] = 1 / static_cast<double>(2 * i + 1);
  return all;
}

double sine_near_zero(double r) {
  static constexpr auto series = inverse_factorials<9>(3, 2, -1);
  return r - r * (r * r) * polynomial(series, r * r);
}

double cosine_near_zero(double r) {
  static constexpr auto series = inverse_factorials<9>(2, 2, -1);
  return 1 - r * r * polynomial(series, r * r);
}

/// sin(x + quarters pi / 2).
double turned_sine(double x, int quarters) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double many_turns = 1e6;  // so large an angle says little: whole turns are taken off as they are
  if (std::abs(x) > many_turns) x = std::fmod(x, 2 * std::numbers::pi);
  const double n = std::floor(x * (2 / std::numbers::pi) + 0.5);
  const double r = ((x - n * quarter_turn_high) - n * quarter_turn_middle) - n * quarter_turn_low;
  const auto quadrant = (static_cast<long long>(n) + quarters) & 3;
  const double value = (quadrant & 1) != 0 ? cosine_near_zero(r) : sine_near_zero(r);
  return (quadrant & 2) != 0 ? -value : value;
}

double whole_power(double x, long long n) {
  double power = 1;
  for (long long left = std::abs(n); left > 0; left /= 2) {
    if (left % 2 != 0) power *= x;
    x *= x;
  }
  return n < 0 ? 1 / power : power;
}

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  static constexpr auto series = inverse_factorials<13>(2, 1, 1);  // (exp(r) - 1 - r) / r^2
  const double n = std::floor(x * std::numbers::log2e + 0.5);
  const double r = (x - n * ln2_high) - n * ln2_low;
  return std::ldexp(1 + (r + r * r * polynomial(series, r)), static_cast<int>(n));
}

double log(double x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  static constexpr auto series = inverse_odd_numbers<13>();
  const double f = (m - 1) / (m + 1);  // log(m) = 2 atanh(f)
  const double n = exponent;
  return n * ln2_high + (n * ln2_low + 2 * f * polynomial(series, f * f));
}

double log10(double x) {
  const double value = log(x) / std::numbers::ln10;
  const double whole = std::floor(value + 0.5);
  return std::abs(whole) <= 22 && x == whole_power(10, static_cast<long long>(whole)) ? whole : value;
}

double sin(double x) {
  return turned_sine(x, 0);
}

double cos(double x) {
  return turned_sine(x, 1);
}

double tanh(double x) {
  if (std::isnan(x)) return x;
  const double size = std::abs(x);
  if (size > 20) return std::copysign(1.0, x);
  if (size > 0.5) return std::copysign(1 - 2 / (exp(2 * size) + 1), x);
  // x / (1 + x^2 / (3 + x^2 / (5 + ...)))
  double fraction = 17;
  for (double odd = 15; odd > 0; odd -= 2) fraction = odd + x * x / fraction;
  return x / fraction;
}

double pow(double x, double y) {
  constexpr double few = 64;
  if (y == std::floor(y) && std::abs(y) <= few) return whole_power(x, static_cast<long long>(y));
  if (x == 0) return y > 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return exp(y * log(x));
}

}  // namespace coppice::portable
