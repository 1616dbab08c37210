#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace coppice {

/// Tells from the numbers of a column, in whatever order they come, whether float32 would lose what they differ by, as it
/// does of seconds since 1970: then the one nearest to 0 is their base, and the differences from it are what is learned.
/// No difference is greater than its number, so none loses digits by it. Columns that float32 holds have none.
class NumberRange {
 public:
  static constexpr double hundredths_below = 65'536;  ///< what float32 holds them of

  /// `whole`: this number and all before it are.
  void add(double value, bool whole) {
    const bool exact = holds(value);
    large_ = large_ || (!exact && std::fabs(value) >= hundredths_below);
    if (rounded_) return;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
    inexact_ = inexact_ || !exact;
    // What makes a base worthwhile holds for some of the numbers if it holds for all.
    rounded_ = inexact_ && !worth_base(whole);
  }

  /// A number far from 0 loses digits as a float: whatever base another table's column has may be taken off it.
  bool needs_doubles() const { return large_; }
  /// Float32 is not enough, and a base would not help; it stays so whatever follows.
  bool rounded() const { return rounded_; }
  double base() const { return inexact_ && !rounded_ ? nearest() : 0; }

 private:
  /// Whether float32 has the number, or of a large one all digits that were written: 3e38 is another float64, but no digit
  /// is lost.
  static bool holds(double value) {
    const auto rounded = static_cast<float>(value);
    if (static_cast<double>(rounded) == value) return true;
    if (!(std::fabs(value) >= hundredths_below) || !std::isfinite(rounded)) return false;
    std::array<char, 32> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), rounded).ptr;
    double read = 0;
    std::from_chars(digits.data(), end, read);
    return read == value;
  }

  double nearest() const { return least_ > 0 ? least_ : greatest_ < 0 ? greatest_ : 0; }

  /// Of whole numbers a base saves a digit at least. Others are rounded anyway: a base is worth it if they share three
  /// digits, and if hundredths are lost.
  bool worth_base(bool whole) const {
    const double size = std::fabs(nearest());
    return size >= hundredths_below && size > (whole ? 1 : 1024) * (greatest_ - least_);
  }

  double least_ = std::numeric_limits<double>::infinity();
  double greatest_ = -std::numeric_limits<double>::infinity();
  bool inexact_ = false;
  bool large_ = false;
  bool rounded_ = false;
};

}  // namespace coppice
