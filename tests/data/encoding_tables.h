#pragma once

#include "coppice/core/text.h"
#include "coppice/data/column_builder.h"
#include "coppice/data/encoding.h"
#include "coppice/data/kept_columns.h"
#include "coppice/data/records.h"

#include "tests/support.h"

#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace coppice::testing {

using coppice::test::message_of;
using Cells = std::vector<std::string>;

/// A file as a user would write it, column by column: makes the table that a reader would.
struct Written {
  std::vector<std::pair<std::string, Cells>> columns;
  Format format = Format::csv;
  std::optional<std::string> own_target = {};
  std::map<std::string, ColumnKind> declared = {};
  std::map<std::string, Cells> declared_values = {};
  std::size_t most_distinct = ColumnFacts::most_distinct;  ///< numbers of a column that keep their spelling

  Table table(const ReadHints& hints = {}) const {
    TableInfo info{.name = "data.csv", .format = format, .target = own_target, .has_lines = true};
    const KeptColumns kept(hints, own_target);
    std::vector<std::shared_ptr<const Column>> made;
    for (const auto& [name, cells] : columns) {
      ColumnHead head{.name = name};
      if (declared.contains(name)) head.declared = declared.at(name);
      if (declared_values.contains(name)) head.declared_values = declared_values.at(name);
      // Whatever the name: a wide table counts fewer numbers.
      const Kept use = kept.of(name) == Kept::classes ? Kept::best : kept.of(name);
      ColumnBuilder column(std::move(head), use, info.name, made.size());
      for (std::size_t r = 0; r < cells.size(); ++r)
        column.add(cells[r], {.row = r, .line = r + 2}, most_distinct);
      made.push_back(column.finish());
    }
    return {std::move(info), columns.empty() ? 0 : columns.front().second.size(), std::move(made)};
  }
};

inline std::vector<std::uint32_t> all_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// What training sees of a file: plan, table, encoding fitted on `rows` (all if empty) and encoded data.
struct Trained {
  std::vector<std::string> notes, warnings;
  TrainingPlan plan;
  Table table;
  Encoding encoding;
  Dataset data;

  explicit Trained(const Written& file, const EncodingOptions& options = {},
                   std::vector<std::uint32_t> rows = {})
      : Trained(file.table(hints_for(options)), options, std::move(rows)) {}
  explicit Trained(Table of, const EncodingOptions& options = {}, std::vector<std::uint32_t> rows = {})
      : table(std::move(of)) {
    plan = plan_training(table, options, notes, warnings);
    if (rows.empty()) rows = all_rows(table.rows());
    encoding = fit_encoding(table, plan, options, rows, notes, warnings);
    data = encode(table, encoding, true, warnings);
  }
};

inline EncodingOptions with_target(std::string name) {
  EncodingOptions options;
  options.target = std::move(name);
  return options;
}

/// count cells, the i-th made from i.
inline Cells cells(std::size_t count, const std::function<std::string(std::size_t)>& make) {
  Cells made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(make(i));
  return made;
}

}  // namespace coppice::testing
