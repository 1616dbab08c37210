#pragma once

#include "coppice/data/split.h"
#include "coppice/data/table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// The columns that say how rows are split, by their names; empty: none.
struct SplitColumns {
  std::string group = {};  ///< rows of one group are never on both sides
  std::string time = {};   ///< the last rows are held out
  std::string fold = {};   ///< rows of one fold validate

  /// Those that are named.
  std::vector<std::string> names() const;
};

/// What the rows of a table are split by; each list has one entry per row of the table, or none.
struct RowSplits {
  SplitColumns columns = {};
  std::vector<std::uint32_t> groups = {};  ///< numbered in the order of their first rows
  std::vector<double> times = {};          ///< numbers, or days
  std::vector<std::uint32_t> folds = {};   ///< numbered by value; texts in the order of their first rows
  std::vector<float> numbers = {};         ///< of the target, where splits are to be alike in them

  bool by_column() const { return !groups.empty() || !times.empty() || !folds.empty(); }

  /// Strata for so many parts of `rows`, one per row of the table: quantiles of the target's numbers; none if there are none.
  std::vector<std::uint32_t> number_strata(std::span<const std::uint32_t> rows, std::size_t count) const;

  /// Holds out about a fraction of `rows`: the last ones, cut between two times; else whole groups; else single rows, alike in
  /// the labels or numbers of both parts.
  Split hold_out(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> labels, double fraction,
                 std::uint64_t seed, std::uint32_t stream) const;

  /// Holds out one of the folds that `rows` have: the first, if it is turn 0, and so on around.
  Split hold_out_fold(std::span<const std::uint32_t> rows, std::uint64_t turn, std::uint64_t seed,
                      std::uint32_t stream) const;
};

/// Reads the columns. Fails on names that are not there or the target's, on missing cells, on times that are none, and on
/// groups that lie in two folds.
RowSplits read_splits(const Table& table, const SplitColumns& columns, const std::string& target);

}  // namespace coppice
