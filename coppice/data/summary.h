#pragma once

#include "coppice/data/encoding.h"
#include "coppice/data/typical.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// What became of a column: a flag is a column of numbers that holds just two of them.
enum class ColumnRole : std::uint8_t { number, flag, category, id, unused };
template <>
inline constexpr std::array<std::string_view, 5> names_of<ColumnRole>{"number", "flag", "category", "id",
                                                                      "unused"};

struct ColumnSummary {
  std::string name;
  ColumnRole role = ColumnRole::unused;
  std::size_t missing = 0;  ///< cells, of all rows of the file
  std::size_t inputs = 0;   ///< network inputs made of it
  double mean = 0;          ///< numbers and flags: of the cells that are there
  double deviation = 0;
};

struct TargetSummary {
  std::vector<std::size_t> class_rows;  ///< classification: rows of each class of the encoding
  double mean = 0;                      ///< regression, this and the following
  double deviation = 0;
  double least = 0;
  double greatest = 0;
};

/// What a data file holds, for people: counted over all of its rows, whatever they are used for.
struct DataSummary {
  static constexpr std::size_t most_columns = 200;

  std::size_t rows = 0;
  std::vector<ColumnSummary>
      columns;                    ///< in file order without the target, at most most_columns; none of images
  std::size_t columns_total = 0;  ///< without the target
  std::vector<TypicalColumn> typical;  ///< none of images
  TargetSummary target;
  std::optional<ImageShape> image;
  std::vector<std::uint32_t> pixels;  ///< images: where each column of the encoding lies, row by row
};

DataSummary summarize(const Table& given, const Encoding& encoding);

}  // namespace coppice
