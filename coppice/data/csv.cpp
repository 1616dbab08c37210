#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/csv_shape.h"
#include "coppice/data/csv_splitter.h"
#include "coppice/data/records.h"

#include <unordered_map>

namespace coppice {

namespace {

class CsvReader : public RecordReader {
 public:
  explicit CsvReader(const TableProfile& profile)
      : path_(profile.source.path),
        splitter_(path_, profile.delimiter),
        width_(profile.columns.size()),
        commas_(profile.delimiter == ',') {
    if (profile.header) splitter_.next(skipped_);
  }

  bool next(Record& record) override {
    if (!splitter_.next(record.cells)) return false;
    record.line = splitter_.line();
    record.sparse = false;
    require_width(path_, record, width_,
                  "give every row the same number, and quote a cell that contains the delimiter", commas_);
    return true;
  }

 private:
  std::string path_;
  CsvSplitter splitter_;
  std::size_t width_;
  bool commas_;
  std::vector<std::string_view> skipped_;
};

std::string delimiter_name(char delimiter) {
  if (delimiter == '\t') return "tab";
  if (delimiter == ' ') return "blanks";
  return fmt::format("'{}'", delimiter);
}

void require_distinct_names(const TableProfile& profile, std::size_t line) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < profile.columns.size(); ++i) {
    const auto [first, fresh] = seen.emplace(profile.columns[i].name, i);
    if (fresh) continue;
    fail("{}: line {}: columns {} and {} have the same name {}; rename one of them", profile.source.path,
         line, first->second + 1, i + 1, cited(profile.columns[i].name));
  }
}

}  // namespace

void describe_csv(TableProfile& profile) {
  const CsvShape shape = find_shape(profile.source.path);
  profile.delimiter = shape.delimiter;
  profile.header = shape.header;
  profile.description = fmt::format("csv, delimiter {}, {}", delimiter_name(shape.delimiter),
                                    shape.header ? "header" : "no header");
  CsvSplitter splitter(profile.source.path, shape.delimiter);
  std::vector<std::string_view> cells;
  if (!splitter.next(cells)) fail("{}: the file holds no data, only blank lines", profile.source.path);
  profile.columns.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool named = shape.header && !trim(cells[i]).empty();
    profile.columns[i].name = named ? to_utf8(trim(cells[i])) : fmt::format("column{}", i + 1);
  }
  require_distinct_names(profile, splitter.line());
}

std::unique_ptr<RecordReader> read_csv(const TableProfile& profile) {
  return std::make_unique<CsvReader>(profile);
}

}  // namespace coppice
