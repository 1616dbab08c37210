#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/csv_cutter.h"
#include "coppice/data/csv_splitter.h"
#include "coppice/data/records.h"

#include <unordered_map>

namespace coppice {

namespace {

class CsvReader : public RecordReader {
 public:
  CsvReader(ByteStream& stream, const TableBytes& bytes, char delimiter)
      : splitter_(stream, bytes, delimiter), cutter_(bytes, delimiter, read_first(bytes)) {}

  const std::vector<std::string_view>& first() const { return first_; }
  std::size_t line() const { return splitter_.line(); }
  void skip_first() { first_.clear(); }

  bool next(Record& record) override {
    if (first_.empty()) return false;
    record.cells.swap(first_);
    first_.clear();
    record.line = splitter_.line();
    record.sparse = false;
    return true;
  }
  bool in_blocks() const override { return true; }
  bool take(TextBlock& block, const BlockSize& size) override { return splitter_.take(block, size); }
  void cut(CellBlock& block) const override { cutter_.cut(block); }

 private:
  /// Its width is that of all.
  std::size_t read_first(const TableBytes& bytes) {
    if (!splitter_.next(first_)) fail_file("{}: the file holds no data, only blank lines", bytes.name);
    return first_.size();
  }

  CsvSplitter splitter_;
  std::vector<std::string_view> first_;  ///< the record that was read to see the width
  CsvCutter cutter_;
};

std::string delimiter_name(char delimiter) {
  if (delimiter == '\t') return "tab";
  if (delimiter == ' ') return "blanks";
  return fmt::format("'{}'", delimiter);
}

void require_distinct_names(const std::string& name, const std::vector<ColumnHead>& columns,
                            std::size_t line) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto [first, fresh] = seen.emplace(columns[i].name, i);
    if (fresh) continue;
    fail_at({.column = columns[i].name},
            "{}: line {}: columns {} and {} have the same name {}; rename one of them", name, line,
            first->second + 1, i + 1, cited(columns[i].name));
  }
}

}  // namespace

OpenRecords open_csv(HeadStream& stream, const TableBytes& bytes) {
  const CsvShape shape = find_shape(stream, bytes);
  stream.release();
  auto reader = std::make_unique<CsvReader>(stream, bytes, shape.delimiter);
  OpenRecords records;
  records.info.has_names = shape.header;
  records.info.description = fmt::format("csv, delimiter {}, {}", delimiter_name(shape.delimiter),
                                         shape.header ? "header" : "no header");
  for (const std::string_view cell : reader->first()) {
    const bool named = shape.header && !trim(cell).empty();
    records.columns.push_back(
        {.name = named ? to_utf8(trim(cell)) : fmt::format("column{}", records.columns.size() + 1)});
  }
  require_distinct_names(bytes.name, records.columns, reader->line());
  if (shape.header) reader->skip_first();
  records.rows = std::move(reader);
  return records;
}

}  // namespace coppice
