#pragma once

#include "coppice/data/cell_block.h"
#include "coppice/data/column_builder.h"
#include "coppice/data/kept_columns.h"
#include "coppice/data/reader.h"
#include "coppice/data/records.h"
#include "coppice/device/threads.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coppice {

/// Puts the cells of records into columns.
class RecordTable {
 public:
  RecordTable(const TableBytes& bytes, const KeptColumns& kept, TableInfo info,
              std::vector<ColumnHead> heads);

  void add(const Record& record);
  /// Takes blocks one after another; a column meets its cells in the order of the rows, whoever takes them.
  void add(std::span<const CellBlock> blocks, ThreadPool& pool);
  std::size_t rows() const { return rows_; }
  Table finish();

 private:
  void add_column(ColumnHead head);
  void catch_up(ColumnBuilder& column, std::size_t most);
  std::size_t most_distinct() const;

  const TableBytes& bytes_;
  const KeptColumns& kept_;
  TableInfo info_;
  std::vector<ColumnBuilder> columns_;
  std::size_t kept_count_ = 0;
  std::size_t rows_ = 0;
  std::size_t last_line_ = 0;
};

}  // namespace coppice
