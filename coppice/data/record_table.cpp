#include "coppice/data/record_table.h"

#include "coppice/core/fail.h"
#include "coppice/data/columns.h"

#include <algorithm>

namespace coppice {

RecordTable::RecordTable(const TableBytes& bytes, const KeptColumns& kept, TableInfo info,
                         std::vector<ColumnHead> heads)
    : bytes_(bytes), kept_(kept), info_(std::move(info)) {
  columns_.reserve(heads.size());
  for (ColumnHead& head : heads) add_column(std::move(head));
}

void RecordTable::add_column(ColumnHead head) {
  const Kept kept = kept_.of(head.name);
  if (kept != Kept::nothing) ++kept_count_;
  columns_.emplace_back(std::move(head), kept, bytes_.name, columns_.size(), bytes_.memory);
}

void RecordTable::add(const Record& record) {
  if (rows_ % 1024 == 0) require_memory(bytes_, rows_ + 1, kept_count_);
  last_line_ = record.line;
  // Only libsvm files can show a column that was not there before.
  while (record.sparse && !record.columns.empty() && columns_.size() <= record.columns.back())
    add_column({.name = std::to_string(columns_.size()), .declared = ColumnKind::number});
  const std::size_t most = most_distinct();
  for (std::size_t i = 0; i < record.cells.size(); ++i) {
    ColumnBuilder& column = columns_[record.sparse ? record.columns[i] : i];
    if (column.rows() < rows_) catch_up(column, most);
    column.add(record.cells[i], {.row = rows_, .line = record.line}, most);
  }
  ++rows_;
}

void RecordTable::add(std::span<const CellBlock> blocks, ThreadPool& pool) {
  const std::size_t width = columns_.size();
  const std::size_t parts = std::min(width, pool.threads() > 1 ? 4 * pool.threads() : 1);
  const std::size_t most = most_distinct();
  std::size_t more = 0;
  for (const CellBlock& block : blocks) more += block.rows();
  for (std::size_t row = (rows_ + 1023) / 1024 * 1024; row < rows_ + more; row += 1024)
    require_memory(bytes_, row + 1, kept_count_);
  pool.parallel_for(parts, [&](std::size_t part) {
    for (std::size_t c = part * width / parts; c < (part + 1) * width / parts; ++c) {
      std::size_t row = info_.first_row + rows_;
      for (const CellBlock& block : blocks) {
        if (block.rows() > 0) columns_[c].add(block.column(c, row), most);
        row += block.rows();
      }
    }
  });
  rows_ += more;
}

Table RecordTable::finish() {
  if (rows_ == 0) {
    fail_file("{}: there is no row of data{}; add rows to the file", bytes_.name,
              info_.format == Format::csv && info_.has_names ? " after the names of the columns" : "");
  }
  require_memory(bytes_, rows_, kept_count_);
  std::vector<std::shared_ptr<const Column>> columns;
  columns.reserve(columns_.size());
  for (ColumnBuilder& column : columns_) {
    if (column.rows() < rows_) catch_up(column, most_distinct());
    columns.push_back(column.close());
  }
  refuse_too_large(bytes_.name, columns);
  return {std::move(info_), rows_, std::move(columns)};
}

/// Takes the cells that sparse rows left out.
void RecordTable::catch_up(ColumnBuilder& column, std::size_t most) {
  column.add(column.absent_text(), {.row = column.rows(), .line = last_line_}, most, rows_ - column.rows());
}

/// Wide tables keep fewer distinct numbers of each column: together they could outgrow the table itself.
std::size_t RecordTable::most_distinct() const {
  constexpr std::size_t in_all = 300'000;
  return std::clamp<std::size_t>(in_all / columns_.size(), 100, ColumnFacts::most_distinct);
}

}  // namespace coppice
