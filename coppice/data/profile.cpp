#include "coppice/core/error.h"
#include "coppice/data/column_profiler.h"
#include "coppice/data/records.h"

#include <algorithm>

namespace coppice {

namespace {

/// Profiles the rows of a text file, column by column.
class TableProfiler {
 public:
  explicit TableProfiler(TableProfile& profile) : profile_(profile), path_(profile.source.path) {
    for (auto& column : profile.columns) columns_.emplace_back(std::move(column), columns_.size());
    profile.columns.clear();
  }

  void add(const Record& record) {
    last_line_ = record.line;
    if (record.sparse) {
      add_sparse(record);
    } else {
      const std::size_t most = most_distinct();
      for (std::size_t i = 0; i < record.cells.size(); ++i) {
        columns_[i].catch_up(profile_.rows, path_, record.line, most);
        columns_[i].add(record.cells[i], path_, record.line, most);
      }
    }
    ++profile_.rows;
  }

  void finish() {
    if (profile_.rows == 0) {
      fail("{}: there is no row of data{}; add rows to the file", path_,
           profile_.source.format == Format::csv && profile_.header ? " after the names of the columns" : "");
    }
    profile_.columns.reserve(columns_.size());
    for (auto& column : columns_) {
      column.catch_up(profile_.rows, path_, last_line_, most_distinct());
      profile_.columns.push_back(column.finish(path_));
    }
  }

 private:
  /// Wide tables keep fewer distinct numbers of each column: together they could outgrow the table itself.
  std::size_t most_distinct() const {
    constexpr std::size_t in_all = 300'000;
    return std::clamp<std::size_t>(in_all / columns_.size(), 100, ColumnProfile::most_distinct);
  }

  void add_sparse(const Record& record) {
    // Only libsvm files can show a column that was not there before.
    while (!record.columns.empty() && columns_.size() <= record.columns.back()) {
      ColumnProfile column;
      column.name = std::to_string(columns_.size());
      column.declared = ColumnKind::number;
      columns_.emplace_back(std::move(column), columns_.size());
    }
    const std::size_t most = most_distinct();
    for (std::size_t i = 0; i < record.cells.size(); ++i) {
      auto& column = columns_[record.columns[i]];
      column.catch_up(profile_.rows, path_, record.line, most);
      column.add(record.cells[i], path_, record.line, most);
    }
  }

  TableProfile& profile_;
  std::string path_;
  std::vector<ColumnProfiler> columns_;
  std::size_t last_line_ = 0;
};

void describe(TableProfile& profile) {
  switch (profile.source.format) {
    case Format::libsvm:
      return describe_libsvm(profile);
    case Format::arff:
      return describe_arff(profile);
    case Format::amat:
      return describe_amat(profile);
    default:
      return describe_csv(profile);
  }
}

}  // namespace

TableProfile profile_table(const Source& source) {
  if (source.format == Format::idx) return profile_idx(source);
  TableProfile profile;
  profile.source = source;
  describe(profile);
  const auto reader = read_records(profile);
  TableProfiler profiler(profile);
  Record record;
  while (reader->next(record)) profiler.add(record);
  profiler.finish();
  return profile;
}

}  // namespace coppice
