#pragma once

#include "coppice/data/reader.h"
#include "coppice/data/text_index.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace coppice {

/// Fills a table of known size, row by row. Columns are named by their place in the profile.
class TableBuilder {
 public:
  /// Makes the table at its final size; fails if it cannot fit into the memory of this machine.
  TableBuilder(const TableProfile& profile, const LoadPlan& plan);

  void put(std::size_t row, std::size_t column, float value) { table_.numbers(row, place_[column]) = value; }
  void put(std::size_t row, std::size_t column, std::string_view text) {
    const std::size_t at = place_[column];
    table_.columns[at].codes[row] = values_[at].add(text);
  }
  void put_missing_text(std::size_t row, std::size_t column) {
    table_.columns[place_[column]].codes[row] = Column::missing;
  }

  Table finish();

 private:
  Table table_;
  std::vector<std::size_t> place_;  ///< number: column of the matrix; text: column of the table
  std::vector<TextIndex> values_;   ///< one per column of the table; empty for numbers
};

}  // namespace coppice
