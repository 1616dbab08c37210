#pragma once

#include "coppice/core/text.h"
#include "coppice/data/encoding.h"

#include "tests/support.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace coppice::testing {

using coppice::test::message_of;

using Cells = std::vector<std::string>;

/// A file as a user would write it, column by column: makes the profile and the tables that a reader would.
struct Written {
  std::vector<std::pair<std::string, Cells>> columns;
  Format format = Format::csv;

  TableProfile profile() const {
    TableProfile p;
    p.source = {format, "data.csv", ""};
    p.rows = columns.empty() ? 0 : columns.front().second.size();
    for (const auto& [name, cells] : columns) p.columns.push_back(profile_column(name, cells));
    return p;
  }

  Table load(const LoadPlan& plan) const {
    Table table;
    table.rows = columns.empty() ? 0 : columns.front().second.size();
    const auto numbers = static_cast<std::size_t>(std::ranges::count(plan.uses, ColumnUse::number));
    table.numbers = Matrix<float>(table.rows, numbers);
    std::size_t index = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& [name, cells] = columns[c];
      if (plan.uses[c] == ColumnUse::text) table.columns.push_back(text_column(name, cells));
      if (plan.uses[c] != ColumnUse::number) continue;
      for (std::size_t r = 0; r < table.rows; ++r) {
        const auto nan = std::numeric_limits<float>::quiet_NaN();
        table.numbers(r, index) = is_missing(cells[r]) ? nan : static_cast<float>(*parse_number(cells[r]));
      }
      table.columns.push_back({.name = name, .index = index++, .codes = {}, .values = {}});
    }
    return table;
  }

 private:
  static ColumnProfile profile_column(const std::string& name, const Cells& cells) {
    ColumnProfile column;
    column.name = name;
    for (std::size_t r = 0; r < cells.size(); ++r) {
      if (is_missing(cells[r])) continue;
      ++column.present;
      if (const auto value = parse_number(cells[r])) {
        ++column.numeric;
        column.whole = column.whole && *value == static_cast<double>(static_cast<long long>(*value));
      } else if (column.stray_line == 0) {
        column.stray_line = r + 2;
        column.stray_value = cells[r];
      }
      if (std::ranges::find(column.distinct, cells[r]) != column.distinct.end()) continue;
      const bool text = !parse_number(cells[r]);
      if (text && column.distinct_texts < ColumnProfile::most_distinct_texts) ++column.distinct_texts;
      column.more_distinct = column.distinct.size() == ColumnProfile::most_distinct;
      if (!column.more_distinct) column.distinct.push_back(cells[r]);
    }
    return column;
  }

  static Column text_column(const std::string& name, const Cells& cells) {
    Column column{.name = name, .kind = ColumnKind::text, .codes = {}, .values = {}};
    for (const std::string& cell : cells) {
      const auto found = std::ranges::find(column.values, cell);
      const auto code = static_cast<std::uint32_t>(found - column.values.begin());
      if (!is_missing(cell) && found == column.values.end()) column.values.push_back(cell);
      column.codes.push_back(is_missing(cell) ? Column::missing : code);
    }
    return column;
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
                   std::vector<std::uint32_t> rows = {}) {
    const TableProfile profile = file.profile();
    plan = plan_training(profile, options, notes, warnings);
    table = file.load(plan.load);
    if (rows.empty()) rows = all_rows(table.rows);
    encoding = fit_encoding(table, plan, profile, options, rows, warnings);
    data = encode(table, encoding, warnings);
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
