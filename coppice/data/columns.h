#pragma once

#include "coppice/core/matrix.h"
#include "coppice/data/column.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace coppice {

/// The column that a setting names; an unknown one is an Error that lists the columns and suggests the nearest.
std::size_t require_column(const Table& table, std::string_view name, std::string_view setting);

/// Names to look for, which must outlive the set.
using NameSet = std::unordered_set<std::string_view>;
inline NameSet name_set(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// The name as a user would type it after a setting: in quotes if it holds blanks.
std::string as_argument(std::string_view name);

/// " (did you mean "age"?)", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

/// Whether more than half of the cells are numbers, in whatever format: then a few texts are slips.
bool mostly_numbers(const ColumnFacts& facts);

/// Whether numbers in a format that is not read are all that keeps the column from being one of numbers.
bool only_unread_numbers(const ColumnFacts& facts);

/// The first number that is infinite or too large, in a column of nothing but numbers; none if it has none. In a column
/// with texts such a number is a code like 12e456, and what is not kept may hold anything.
const CellSpot* too_large(const Column& column);

/// Fails if one of the columns has such a number, and names all that have, and those with a few texts among numbers.
void refuse_too_large(const std::string& table, std::span<const std::shared_ptr<const Column>> columns);

/// Fails because of the numbers in a format that is not read. `otherwise` says what to do if they are none.
[[noreturn]] void refuse_unread_numbers(const Table& table, std::size_t column, std::string_view otherwise);

/// Fails because of the first cell that is no number in any format, in the place where it stands.
[[noreturn]] void refuse_stray(const Table& table, std::size_t column, const std::string& sentence);

/// Finds the first cell, row by row, that does not fit what its column is taken for, and what other columns have such.
class CellCheck {
 public:
  explicit CellCheck(const Table& table) : table_(table) {}

  /// Missing cells and numbers.
  void numbers(std::size_t column);
  /// No missing cells.
  void complete(std::size_t column);
  /// Fails if there was one.
  void finish() const;

 private:
  enum class Fault : std::uint8_t { missing, stray, unread, large };

  void offer(Fault fault, std::size_t column, const CellSpot* spot);

  const Table& table_;
  std::vector<std::size_t> columns_;  ///< with such cells
  const CellSpot* first_ = nullptr;
  std::size_t column_ = 0;
  Fault fault_ = Fault::missing;
};

/// What some rows say about a column of numbers, less its base; sums in double.
struct NumberStatistics {
  std::size_t present = 0;
  double weight = 0;   ///< of the rows whose cells are there
  double mean = 0;     ///< this and the following of the cells that are there, by weight
  double squares = 0;  ///< sum of squared differences from the mean
  float least = 0;
  float greatest = 0;

  bool constant() const { return least == greatest; }
};

/// Whether numbers of the columns lie in somebody's matrix, row by row.
bool any_borrowed(const Table& table, std::span<const std::size_t> columns);

/// For several columns at once; once for the means, once for the squares, since one pass of squares loses digits.
/// weights: of all rows of the table; empty: all count the same. threads: at most, each for columns of its own.
std::vector<NumberStatistics> number_statistics(const Table& table, std::span<const std::size_t> columns,
                                                std::span<const std::uint32_t> rows,
                                                std::span<const float> weights = {}, std::size_t threads = 1);

/// Numbers that lie far to one side: the mean third power of their standardised values. weights: one per value.
double skewness(std::span<const double> values, std::span<const double> weights = {});

/// The numbers of several columns in some rows, less their bases, one row of the matrix for each column; NaN where there is none. Memory that
/// the matrix has is used again.
void gather_numbers(const Table& table, std::span<const std::size_t> columns,
                    std::span<const std::uint32_t> rows, Matrix<float>& all);

}  // namespace coppice
