#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/column.h"
#include "coppice/data/encoding.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// Where each input column stands in a table, if it does.
using InputPlaces = std::vector<std::optional<std::size_t>>;

/// Makes inputs of a table's cells, whose columns are known to fit.
class InputEncoder {
 public:
  static constexpr std::size_t most_rows = 64;  ///< at a time

  /// How one input column is read from the table. Texts are looked up once per distinct value, not per row.
  struct Step {
    const InputColumn* input = nullptr;
    const Column* column = nullptr;  ///< none: zero in every row, as columns that only libsvm files may lack
    std::size_t first = 0;           ///< network input
    std::size_t width = 0;           ///< inputs
    std::optional<TextCells> texts = {};  ///< text
    std::vector<std::size_t> slots =
        {};  ///< text: code -> input from the first on; the last one is for missing cells

    /// Text: of the row's input that is 1.
    std::size_t slot(std::size_t row) const {
      return slots[std::min<std::size_t>(texts->code(row), slots.size() - 1)];
    }
  };

  InputEncoder(const Table& table, const Encoding& encoding, const InputPlaces& places);

  const std::vector<Step>& steps() const { return steps_; }
  /// The inputs of the column where they are 0, that is where numbers are 0 and there, and nothing is of any category.
  std::span<const float> zeros(const Step& step) const {
    return zeros_.row(0).subspan(step.first, step.width);
  }
  std::span<const float> ones(const Step& step) const {
    return std::span(ones_).subspan(step.first, step.width);
  }
  /// What input `i` makes of a number: (number - offset) * factor.
  double offset(std::size_t i) const { return encoding_.offset[i]; }
  double factor(std::size_t i) const { return encoding_.factor[i]; }

  /// Up to most_rows rows from `row` on.
  void encode(std::size_t row, View<float> inputs) const;
  /// The inputs of one column, which hold zeros().
  void encode(const Step& step, std::size_t row, View<float> own) const;
  /// The inputs of numbers, less the column's base; NaN is missing.
  void encode_numbers(const Step& step, std::span<float> numbers, View<float> own) const;

 private:
  const Encoding& encoding_;
  Matrix<float> zeros_;  ///< one row
  std::vector<float> ones_;
  std::vector<Step> steps_;
};

}  // namespace coppice
