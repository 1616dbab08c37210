#pragma once

#include "coppice/data/cell_block.h"
#include "coppice/data/csv_splitter.h"
#include "coppice/data/reader.h"
#include "coppice/data/records.h"

#include <cstddef>

namespace coppice {

/// Cuts blocks of a csv file into cells. Threads share one.
class CsvCutter {
 public:
  CsvCutter(const TableBytes& bytes, char delimiter, std::size_t width)
      : bytes_(bytes), delimiter_(delimiter), width_(width) {}

  /// Replaces the cells of the block by those of its text. Fails on a row that has not as many as there are columns.
  void cut(CellBlock& block) const;
  void require_width(const Record& record) const;

 private:
  void cut_plain(CellBlock& block) const;
  void cut_quoted(CellBlock& block) const;
  const char* blank_line(const char* at) const;
  [[noreturn]] void refuse_width(const char* line, std::size_t number) const;

  const TableBytes& bytes_;
  char delimiter_;
  std::size_t width_;
};

}  // namespace coppice
