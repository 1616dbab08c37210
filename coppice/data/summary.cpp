#include "coppice/data/summary.h"

#include "coppice/data/classes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace coppice {

namespace {

struct Spread {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
};

/// Of the values that are there, row by row as they lie in memory; in two passes, since one pass of squares
/// loses digits.
std::vector<Spread> spreads_of(const Table& table, const std::vector<std::size_t>& columns) {
  std::vector<Spread> spreads(columns.size());
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double value = table.numbers(row, columns[c]);
      if (std::isnan(value)) continue;
      Spread& spread = spreads[c];
      spread.least = std::min(spread.least, value);
      spread.greatest = std::max(spread.greatest, value);
      spread.mean += value;
      ++spread.count;
    }
  }
  for (Spread& spread : spreads) spread.mean /= static_cast<double>(std::max<std::size_t>(spread.count, 1));
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double difference = table.numbers(row, columns[c]) - spreads[c].mean;
      if (!std::isnan(difference)) spreads[c].deviation += difference * difference;
    }
  }
  for (Spread& spread : spreads) {
    spread.deviation =
        std::sqrt(spread.deviation / static_cast<double>(std::max<std::size_t>(spread.count, 1)));
  }
  return spreads;
}

template <class Item>
std::unordered_map<std::string_view, const Item*> by_name(const std::vector<Item>& items) {
  std::unordered_map<std::string_view, const Item*> found;
  for (const Item& item : items) found.emplace(item.name, &item);
  return found;
}

ColumnRole role_of(const ColumnProfile& profile, const InputColumn& input) {
  if (input.kind == ColumnKind::text) return ColumnRole::category;
  return profile.distinct.size() == 2 && !profile.more_distinct ? ColumnRole::flag : ColumnRole::number;
}

std::vector<ColumnSummary> summarize_columns(const TableProfile& profile, const Table& table,
                                             const Encoding& encoding) {
  const auto inputs = by_name(encoding.columns);
  const auto loaded = by_name(table.columns);
  std::vector<ColumnSummary> columns;
  std::vector<std::size_t> numbers;  // which of the columns are numbers,
  std::vector<std::size_t> places;   // and where they lie in the table
  for (const ColumnProfile& from : profile.columns) {
    if (from.name == encoding.target.name) continue;
    if (columns.size() == DataSummary::most_columns) break;
    ColumnSummary& column = columns.emplace_back();
    column.name = from.name;
    column.missing = profile.rows - from.present;
    if (std::ranges::find(encoding.ids, from.name) != encoding.ids.end()) column.role = ColumnRole::id;
    const auto input = inputs.find(from.name);
    if (input == inputs.end()) continue;
    column.role = role_of(from, *input->second);
    column.inputs = input->second->width();
    if (column.role == ColumnRole::category) continue;
    numbers.push_back(columns.size() - 1);
    places.push_back(loaded.at(from.name)->index);
  }
  const std::vector<Spread> spreads = spreads_of(table, places);
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    columns[numbers[c]].mean = spreads[c].mean;
    columns[numbers[c]].deviation = spreads[c].deviation;
  }
  return columns;
}

TargetSummary summarize_target(const Column& column, const Table& table, const Encoding& encoding) {
  TargetSummary target;
  if (encoding.task == Task::regression) {
    const Spread spread = spreads_of(table, {column.index}).front();
    target.mean = spread.mean;
    target.deviation = spread.deviation;
    target.least = spread.least;
    target.greatest = spread.greatest;
    return target;
  }
  std::vector<std::size_t> rows(column.values.size() + 1);  // the last one: missing cells
  for (const std::uint32_t code : column.codes) ++rows[std::min<std::size_t>(code, column.values.size())];
  const ClassIndex index(encoding.target.classes);
  target.class_rows.resize(encoding.target.classes.size());
  for (std::size_t code = 0; code < column.values.size(); ++code) {
    const std::size_t label = index.find(column.values[code]);
    if (label < target.class_rows.size()) target.class_rows[label] += rows[code];
  }
  return target;
}

std::vector<std::uint32_t> pixels_of(const TableProfile& profile, const Encoding& encoding) {
  std::unordered_map<std::string_view, std::uint32_t> places;
  for (const ColumnProfile& column : profile.columns) {
    places.emplace(column.name, static_cast<std::uint32_t>(places.size()));
  }
  std::vector<std::uint32_t> pixels;
  for (const InputColumn& column : encoding.columns) pixels.push_back(places.at(column.name));
  return pixels;
}

}  // namespace

DataSummary summarize(const TableProfile& profile, const Table& table, const Encoding& encoding) {
  DataSummary summary;
  summary.rows = profile.rows;
  summary.columns_total = profile.columns.size() - 1;
  summary.target = summarize_target(*std::ranges::find(table.columns, encoding.target.name, &Column::name),
                                    table, encoding);
  // A label taken for a pixel would lie outside the image.
  if (profile.image && profile.target == encoding.target.name) summary.image = profile.image;
  if (summary.image) {
    summary.pixels = pixels_of(profile, encoding);
  } else {
    summary.columns = summarize_columns(profile, table, encoding);
  }
  return summary;
}

}  // namespace coppice
