#include "coppice/data/records.h"

#include "coppice/core/fail.h"
#include "coppice/core/memory.h"
#include "coppice/data/target.h"
#include "coppice/data/worth_threads.h"
#include "coppice/device/threads.h"

#include <algorithm>
#include <optional>

namespace coppice {

namespace {

/// Two whole numbers side by side may be one with a decimal comma.
bool may_divide_numbers(const Record& record) {
  const auto whole = [](std::string_view cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const auto signed_whole = [&](std::string_view cell) {
    return whole(cell.starts_with('-') ? cell.substr(1) : cell);
  };
  for (std::size_t i = 1; i < record.cells.size(); ++i) {
    if (signed_whole(record.cells[i - 1]) && whole(record.cells[i])) return true;
  }
  return false;
}

}  // namespace

void require_width(const std::string& name, const Record& record, std::size_t width, std::string_view remedy,
                   bool commas_divide) {
  if (record.cells.size() == width) return;
  const bool decimal = commas_divide && record.cells.size() > width && may_divide_numbers(record);
  fail("{}: line {}: expected {} {}, but found {}; {}{}", name, record.line, width,
       width == 1 ? "field" : "fields", record.cells.size(), remedy,
       decimal ? ", or write a decimal point if there are decimal commas" : "");
}

void split_blanks(std::string_view line, std::size_t most, std::vector<std::string_view>& words) {
  words.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    if (at == end || words.size() > most) return;
    const char* const first = at;
    while (at != end && *at != ' ' && *at != '\t') ++at;
    words.emplace_back(first, static_cast<std::size_t>(at - first));
  }
}

KeptColumns::KeptColumns(const ReadHints& hints, const std::optional<std::string>& target)
    : others_(hints.skip_others ? Kept::nothing : Kept::best) {
  for (const std::string& name : hints.skip) named_.emplace(name, Kept::nothing);
  for (const std::string& name : hints.texts) named_.emplace(name, Kept::text);
  for (const std::string& name : hints.numbers) named_.emplace(name, Kept::number);
  if (target && others_ == Kept::best) named_.emplace(*target, Kept::classes);
}

Kept KeptColumns::of(const std::string& name) const {
  const auto found = named_.find(name);
  if (found != named_.end()) return found->second;
  return others_ == Kept::best && is_usual_target(name) ? Kept::classes : others_;
}

void require_memory(const TableBytes& bytes, std::size_t rows, std::size_t columns) {
  if (bytes.memory) return;
  const double needed =
      static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(sizeof(float));
  const double memory = bytes.limits.memory > 0 ? bytes.limits.memory : usable_memory();
  if (needed <= memory) return;
  fail_as(ErrorKind::out_of_memory,
          "{}: {} rows of {} columns need {:.1f} GB, and more may follow, but this machine has {:.1f} GB of "
          "memory; use "
          "fewer rows or columns",
          bytes.name, rows, columns, needed / 1e9, memory / 1e9);
}

namespace {

/// Rows of a cell for each column, to be taken column by column.
struct RecordBlock {
  std::vector<std::string_view> cells;  ///< row by row
  std::vector<std::size_t> lines;       ///< where each row begins

  void clear() {
    cells.clear();
    lines.clear();
  }
  void add(const Record& record) {
    cells.insert(cells.end(), record.cells.begin(), record.cells.end());
    lines.push_back(record.line);
  }
};

/// Puts the cells of records into columns.
class RecordTable {
 public:
  RecordTable(const TableBytes& bytes, OpenRecords& records)
      : bytes_(bytes), info_(records.info), kept_(bytes.hints, info_.target) {
    columns_.reserve(records.columns.size());
    for (ColumnHead& head : records.columns) add_column(std::move(head));
  }

  void add(const Record& record) {
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

  /// Takes rows that have a cell for each column and stand one after another.
  void add(const RecordBlock& block, ThreadPool& pool) {
    const std::size_t width = columns_.size();
    const std::size_t parts = std::min(width, pool.threads() > 1 ? 4 * pool.threads() : 1);
    const std::size_t most = most_distinct();
    pool.parallel_for(parts, [&](std::size_t part) {
      for (std::size_t c = part * width / parts; c < (part + 1) * width / parts; ++c)
        columns_[c].add({.first = block.cells.data() + c,
                         .stride = width,
                         .row = info_.first_row + rows_,
                         .lines = block.lines},
                        most);
    });
    rows_ += block.lines.size();
  }

  /// Fails if so many more rows do not fit into the memory.
  void require_room(std::size_t more) const { require_memory(bytes_, rows_ + more, kept_count_); }
  std::size_t rows() const { return rows_; }
  /// What came so far; begins anew with the rows that follow.
  Table part() {
    std::vector<std::string> names;
    for (const ColumnBuilder& column : columns_) names.push_back(column.name());
    const TableInfo info = info_;
    const std::size_t rows = rows_;
    Table table = finish();
    info_ = info;
    info_.first_row += rows;
    rows_ = kept_count_ = 0;
    columns_.clear();
    for (std::string& name : names) add_column({.name = std::move(name)});
    return table;
  }
  /// Whether rows came that no part has.
  bool has_more() const { return rows_ > 0 || info_.first_row == 0; }

  Table finish() {
    if (rows_ == 0) {
      fail_file("{}: there is no row of data{}; add rows to the file", bytes_.name,
                info_.format == Format::csv && info_.has_names ? " after the names of the columns" : "");
    }
    require_memory(bytes_, rows_, kept_count_);
    std::vector<std::shared_ptr<const Column>> columns;
    columns.reserve(columns_.size());
    for (ColumnBuilder& column : columns_) {
      if (column.rows() < rows_) catch_up(column, most_distinct());
      columns.push_back(column.finish());
    }
    return {std::move(info_), rows_, std::move(columns)};
  }

 private:
  void add_column(ColumnHead head) {
    const Kept kept = kept_.of(head.name);
    if (kept != Kept::nothing) ++kept_count_;
    columns_.emplace_back(std::move(head), kept, bytes_.name, columns_.size(), bytes_.memory);
  }

  /// Takes the cells that sparse rows left out.
  void catch_up(ColumnBuilder& column, std::size_t most) {
    column.add(column.absent_text(), {.row = column.rows(), .line = last_line_}, most, rows_ - column.rows());
  }

  /// Wide tables keep fewer distinct numbers of each column: together they could outgrow the table itself.
  std::size_t most_distinct() const {
    constexpr std::size_t in_all = 300'000;
    return std::clamp<std::size_t>(in_all / columns_.size(), 100, ColumnFacts::most_distinct);
  }

  const TableBytes& bytes_;
  TableInfo info_;
  KeptColumns kept_;
  std::vector<ColumnBuilder> columns_;
  std::size_t kept_count_ = 0;
  std::size_t rows_ = 0;
  std::size_t last_line_ = 0;
};

/// A block of rows at a time, cut by the calling thread, whose columns the threads share. A column meets its cells in the
/// order of the rows, as it would alone, so nothing depends on the threads.
void read_blocks(const TableBytes& bytes, RecordReader& rows, RecordTable& table, std::size_t part,
                 const std::function<void(Table)>& take) {
  constexpr std::size_t cells_of_block = 32'768;
  RecordBlock block;
  Record record;
  ThreadPool alone(1);
  std::optional<ThreadPool> all;  // once it is seen that there are many cells
  std::size_t cells = 0;
  for (bool more = true; more;) {
    block.clear();
    while (block.cells.size() < cells_of_block && !rows.full()) {
      more = rows.next(record);
      if (!more) break;
      if ((table.rows() + block.lines.size()) % 1024 == 0) table.require_room(block.lines.size() + 1);
      block.add(record);
    }
    cells += block.cells.size();
    if (!all && worth_threads(cells, bytes.threads) > 1) all.emplace(bytes.threads);
    table.add(block, all ? *all : alone);
    rows.release();
    if (table.rows() >= part) take(table.part());
  }
  if (table.has_more()) take(table.finish());
}

}  // namespace

void read_records(const TableBytes& bytes, OpenRecords records, std::size_t part,
                  const std::function<void(Table)>& take) {
  RecordTable table(bytes, records);
  if (records.rows->keep()) return read_blocks(bytes, *records.rows, table, part, take);
  Record record;
  while (records.rows->next(record)) table.add(record);
  take(table.finish());
}

}  // namespace coppice
