#include "coppice/data/typical.h"

#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/moment.h"
#include "coppice/data/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

namespace coppice {

namespace {

/// So many of them at equal steps from the first to the last, each once.
template <class Value>
std::vector<Value> at_equal_steps(const std::vector<Value>& sorted, std::size_t count) {
  std::vector<Value> distinct = sorted;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() <= count) return distinct;
  std::vector<Value> chosen;
  for (std::size_t k = 0; k < count; ++k) {
    const Value& value = sorted[count > 1 ? k * (sorted.size() - 1) / (count - 1) : sorted.size() / 2];
    if (chosen.empty() || chosen.back() != value) chosen.push_back(value);
  }
  return chosen;
}

Table typical_numbers(const Column& column, std::size_t rows, std::size_t count, std::size_t step) {
  std::vector<float> numbers;
  for (std::size_t row = 0; row < rows; row += step)
    if (const float number = column.number(row); !std::isnan(number)) numbers.push_back(number);
  std::ranges::sort(numbers);
  const std::vector<float> chosen = at_equal_steps(numbers, count);
  Table values;
  if (column.base == 0) {
    values.add_numbers(column.name, chosen);
  } else {
    std::vector<double> whole;
    for (const float number : chosen) whole.push_back(column.base + number);
    values.add_numbers(column.name, whole);
  }
  return values;
}

/// The codes in the order of the moments that their texts tell.
void sort_by_moment(const TextCells& cells, std::vector<std::uint32_t>& codes) {
  std::vector<double> days;
  for (std::size_t code = 0; code < cells.size(); ++code) {
    const auto moment = parse_moment(trim(cells.text(code)));
    days.push_back(moment ? moment->days : 0);
  }
  std::ranges::sort(codes, {}, [&](std::uint32_t code) { return std::pair(days[code], code); });
}

Table typical_texts(const std::string& name, const TextCells& cells, bool moments, std::size_t rows,
                    std::size_t count, std::size_t step) {
  std::vector<std::size_t> frequency(cells.size());
  std::vector<std::uint32_t> codes;
  for (std::size_t row = 0; row < rows; row += step) {
    if (cells.code(row) == Column::missing) continue;
    ++frequency[cells.code(row)];
    codes.push_back(cells.code(row));
  }
  if (moments) {
    sort_by_moment(cells, codes);
    codes = at_equal_steps(codes, count);
  } else {
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    std::ranges::stable_sort(codes, std::greater{}, [&](std::uint32_t code) { return frequency[code]; });
    codes.resize(std::min(codes.size(), count));
  }
  std::vector<std::string> texts;
  for (const std::uint32_t code : codes) texts.emplace_back(cells.text(code));
  Table values;
  values.add_texts(name, texts);
  return values;
}

}  // namespace

Table typical_values(const Table& table, const Encoding& encoding, const std::string& column,
                     std::size_t count, std::size_t step) {
  const std::size_t place = table.find(column).value();
  const auto derived = std::ranges::find(encoding.derived, column, &Derived::source);
  const bool moments = derived != encoding.derived.end() && derived->kind != DerivedKind::rank;
  const auto own = std::ranges::find(encoding.columns, column, &InputColumn::name);
  if (!moments && own != encoding.columns.end() && own->kind == ColumnKind::number)
    return typical_numbers(table.column(place), table.rows(), count, step);
  return typical_texts(column, TextCells(table, place), moments, table.rows(), count, step);
}

std::vector<TypicalColumn> typical_columns(const Table& table, const Encoding& encoding) {
  constexpr std::size_t many = 21;  // an odd number: the middle one is among them
  constexpr std::size_t few = 8;
  constexpr std::size_t most_rows = 4000;
  const std::size_t step = std::max<std::size_t>(1, table.rows() / most_rows);
  NameSet used;  // inputs, and what inputs are made of
  for (const InputColumn& column : encoding.columns) used.insert(column.name);
  for (const Derived& derived : encoding.derived) used.insert(derived.source);
  std::vector<TypicalColumn> columns;
  for (std::size_t i = 0; i < table.columns() && columns.size() < DataSummary::most_columns; ++i) {
    const std::string& name = table.column(i).name;
    if (!used.contains(name)) continue;
    expect_cells(table.column(i));
    const auto values = [&](std::size_t count) { return typical_values(table, encoding, name, count, step); };
    TypicalColumn column{.name = name, .values = values(many), .few = values(few), .usual = values(1)};
    if (column.usual.rows() > 0) columns.push_back(std::move(column));
    release_cells(table);
  }
  return columns;
}

}  // namespace coppice
