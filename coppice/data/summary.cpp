#include "coppice/data/summary.h"

#include "coppice/data/classes.h"
#include "coppice/data/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace coppice {

namespace {

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

double deviation(const NumberStatistics& statistics) {
  return std::sqrt(statistics.squares / static_cast<double>(std::max<std::size_t>(statistics.present, 1)));
}

ColumnRole role_of(const ColumnFacts& facts, const InputColumn& input) {
  if (input.kind == ColumnKind::text) return ColumnRole::category;
  return facts.distinct == 2 && !facts.more_distinct ? ColumnRole::flag : ColumnRole::number;
}

std::vector<ColumnSummary> summarize_columns(const Table& table, const Encoding& encoding) {
  std::unordered_map<std::string_view, const InputColumn*> inputs;
  for (const InputColumn& column : encoding.columns) inputs.emplace(column.name, &column);
  const NameSet ids = name_set(encoding.ids);
  std::vector<ColumnSummary> columns;
  std::vector<std::size_t> numbers;  // which of the columns are numbers,
  std::vector<std::size_t> places;   // and where they lie in the table
  for (std::size_t i = 0; i < table.columns() && columns.size() < DataSummary::most_columns; ++i) {
    const Column& from = table.column(i);
    if (from.name == encoding.target.name) continue;
    ColumnSummary& column = columns.emplace_back();
    column.name = from.name;
    column.missing = table.rows() - from.facts.present;
    if (ids.contains(from.name)) column.role = ColumnRole::id;
    const auto input = inputs.find(from.name);
    if (input == inputs.end()) continue;
    column.role = role_of(from.facts, *input->second);
    column.inputs = input->second->width();
    if (column.role == ColumnRole::category) continue;
    numbers.push_back(columns.size() - 1);
    places.push_back(i);
  }
  const std::vector<NumberStatistics> statistics = number_statistics(table, places, all_rows(table));
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    columns[numbers[c]].mean = table.column(places[c]).base + statistics[c].mean;
    columns[numbers[c]].deviation = deviation(statistics[c]);
  }
  return columns;
}

TargetSummary summarize_target(const Table& table, std::size_t column, const Encoding& encoding) {
  TargetSummary target;
  if (encoding.task == Task::regression) {
    const NumberStatistics statistics = number_statistics(table, std::array{column}, all_rows(table)).front();
    const double base = table.column(column).base;
    target.mean = base + statistics.mean;
    target.deviation = deviation(statistics);
    target.least = base + statistics.least;
    target.greatest = base + statistics.greatest;
    return target;
  }
  const TextCells cells(table, column);
  std::vector<std::size_t> rows(cells.size() + 1);  // the last one: missing cells
  for (std::size_t row = 0; row < table.rows(); ++row)
    ++rows[std::min<std::size_t>(cells.code(row), cells.size())];
  const ClassIndex index(encoding.target.classes);
  target.class_rows.resize(encoding.target.classes.size());
  for (std::size_t code = 0; code < cells.size(); ++code) {
    const std::size_t label = index.find(std::string(cells.text(code)));
    if (label < target.class_rows.size()) target.class_rows[label] += rows[code];
  }
  return target;
}

}  // namespace

DataSummary summarize(const Table& given, const Encoding& encoding) {
  DataSummary summary;
  const Table table = encoding.derived.empty() ? given : with_derived(given, encoding.derived);
  const std::size_t target = table.find(encoding.target.name).value();
  summary.rows = table.rows();
  summary.columns_total = table.columns() - 1;
  summary.target = summarize_target(table, target, encoding);
  // A label taken for a pixel would lie outside the image.
  const std::optional<ImageShape>& image = table.info().image;
  if (image && target >= image->rows * image->cols) {
    summary.image = image;
    for (const InputColumn& column : encoding.columns)
      summary.pixels.push_back(static_cast<std::uint32_t>(table.find(column.name).value()));
  } else {
    summary.columns = summarize_columns(table, encoding);
    summary.typical = typical_columns(given, encoding);
  }
  return summary;
}

}  // namespace coppice
