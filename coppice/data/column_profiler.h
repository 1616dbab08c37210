#pragma once

#include "coppice/data/reader.h"
#include "coppice/data/text_index.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace coppice {

/// Gathers what the cells of one column say.
class ColumnProfiler {
 public:
  ColumnProfiler(ColumnProfile column, std::size_t index);

  /// Takes `count` cells of the same text. Fails if the column's declaration does not admit it. `most` bounds
  /// the distinct texts that are kept of a column of numbers.
  void add(std::string_view text, const std::string& path, std::size_t line, std::size_t most,
           std::size_t count = 1);
  /// Takes the cells that sparse rows left out since the last one taken, if the next row is number `row`.
  void catch_up(std::size_t row, const std::string& path, std::size_t line, std::size_t most);
  /// Fails if a column of nothing but numbers holds one that cannot be used. In a column with texts such a
  /// number is a code like 12e456.
  ColumnProfile finish(const std::string& path);

 private:
  void check_declared(bool text_cell, std::string_view text, const std::string& path, std::size_t line) const;
  void note_distinct(std::string_view text, std::size_t most);

  ColumnProfile column_;
  std::size_t index_;
  std::size_t cells_ = 0;
  TextIndex distinct_;
  TextIndex texts_;  ///< the first few cells that are no numbers
  TextIndex admitted_;
  std::size_t large_line_ = 0;  ///< where the first number too large for float32 stands
  std::string large_value_;
};

}  // namespace coppice
