#pragma once

#include "coppice/data/column_builder.h"
#include "coppice/data/table.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

// Cells that lie in somebody's memory, on their way into a column: all at once, or some more of them.
namespace coppice {

/// The codes of numbers that a column has met, as long as it has codes.
template <class Number>
using NumberCodes = std::unordered_map<Number, std::uint32_t>;

/// As texts while there are few different numbers, so that classes keep all their digits.
template <class Number>
void put_numbers(ColumnBuilder& column, NumberCodes<Number>& codes, std::span<const Number> values,
                 const MissingCells& missing) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const RowPlace at{.row = column.rows()};
    const Number value = values[i];
    const auto code = codes.find(value);
    if (missing[i] || std::isnan(static_cast<double>(value))) {
      column.add_missing(at);
    } else if (column.has_codes() && code != codes.end()) {
      column.add_again(code->second);
    } else if (column.has_codes()) {
      codes.emplace(value, static_cast<std::uint32_t>(codes.size()));
      if constexpr (std::is_floating_point_v<Number>) {
        column.add(shortest(value), at, ColumnFacts::most_distinct);
      } else {
        column.add(std::to_string(value), at, ColumnFacts::most_distinct);
      }
    } else {
      column.add(static_cast<double>(value), at);
    }
  }
}

/// float32 is what a table holds: nothing of it gets lost.
void put_floats(ColumnBuilder& column, std::span<const float> values, const MissingCells& missing);

void put_texts(ColumnBuilder& column, std::span<const std::string_view> texts, const MissingCells& missing);

/// Categories that the column does not know yet come after those that it knows.
void put_codes(ColumnBuilder& column, std::span<const std::int32_t> codes,
               const std::vector<std::string>& categories);

}  // namespace coppice
