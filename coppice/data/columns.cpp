#include "coppice/data/columns.h"

#include "coppice/core/elementary.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/unread_number.h"
#include "coppice/data/weights.h"
#include "coppice/data/worth_threads.h"
#include "coppice/device/threads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace coppice {

std::size_t require_column(const Table& table, std::string_view name, std::string_view setting) {
  if (const auto column = table.find(name)) return *column;
  const std::vector<std::string> names = table.names();
  fail_option(setting, "{}: `{}` names the column {}, which is not there{}; {}", table.name(), setting,
              cited(name), suggestion(name, names),
              names.empty() ? "there are no columns" : "the columns are " + listed(names));
}

std::string as_argument(std::string_view name) {
  return name.empty() || name.find_first_of(" \t\n,;'\"") != std::string_view::npos ? cited(name)
                                                                                    : std::string(name);
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  const auto near = nearest(name, candidates);
  return near ? fmt::format(" (did you mean {}?)", cited(*near)) : std::string();
}

bool mostly_numbers(const ColumnFacts& facts) {
  return (facts.numeric + facts.unread_numbers) * 2 > facts.present;
}

bool only_unread_numbers(const ColumnFacts& facts) {
  return facts.unread_numbers > 0 && facts.numeric + facts.unread_numbers == facts.present;
}

const CellSpot* too_large(const Column& column) {
  const ColumnFacts& facts = column.facts;
  const bool numbers = facts.all_numbers() && facts.declared != ColumnKind::text && !facts.given_texts;
  return numbers && column.storage != Column::Storage::none ? facts.large.get() : nullptr;
}

void refuse_too_large(const std::string& table, std::span<const std::shared_ptr<const Column>> columns) {
  std::vector<CellPlace> places;
  std::vector<std::string> told;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = *columns[i];
    const ColumnFacts& facts = column.facts;
    if (const CellSpot* large = too_large(column)) {
      places.push_back({.table = table, .at = large->at, .column = i, .name = column.name});
      told.push_back(fmt::format("{} in {}, column {} ({})", cited(large->text), row_text(large->at), i + 1,
                                 cited(column.name)));
    } else if (!facts.all_numbers() && !facts.declared && !facts.given_texts && mostly_numbers(facts)) {
      others.push_back(column.name);
    }
  }
  if (places.empty()) return;
  const std::string more =
      others.empty() ? "" : fmt::format("; look at texts among the numbers of {} too", listed(others));
  if (places.size() == 1)
    fail_too_large(places.front(), too_large(*columns[places.front().column])->text, more);
  fail_at(
      {.column = places.front().name, .row = places.front().at.row},
      "{}: {} columns hold numbers that are infinite or too large for 32 bits, the first ones {}; correct "
      "them, or put ? where the value is unknown{}",
      table, places.size(), listed(told), more);
}

void refuse_unread_numbers(const Table& table, std::size_t column, std::string_view otherwise) {
  const ColumnFacts& facts = table.column(column).facts;
  std::string text;
  if (facts.stray)
    text =
        fmt::format(" ({} in {} is no number at all)", cited(facts.stray->text), row_text(facts.stray->at));
  place_in(table, column, facts.unread->at)
      .fail(fmt::format(
          "{} looks like a number with {}; {} of the {} values in this column are in a format that is not "
          "read{}; {}{}",
          cited(facts.unread->text), unread_format(facts.unread->text), facts.unread_numbers, facts.present,
          text, readable_format, otherwise));
}

void refuse_stray(const Table& table, std::size_t column, const std::string& sentence) {
  place_in(table, column, table.column(column).facts.stray->at).fail(sentence);
}

void CellCheck::numbers(std::size_t column) {
  const Column& cells = table_.column(column);
  const ColumnFacts& facts = cells.facts;
  // A declared value that is spelled like a missing marker is missing where numbers are needed.
  if (facts.stray && !is_missing(facts.stray->text)) offer(Fault::stray, column, facts.stray.get());
  offer(Fault::unread, column, facts.unread.get());
  offer(Fault::large, column, facts.large.get());
  if (first_ == nullptr && cells.storage == Column::Storage::none && facts.present > 0) {
    fail_at({.column = cells.name},
            "{}: column {} is needed, but was left out when the file was read; read it too", table_.name(),
            cited(cells.name));
  }
}

void CellCheck::complete(std::size_t column) {
  offer(Fault::missing, column, table_.column(column).facts.missing.get());
}

void CellCheck::offer(Fault fault, std::size_t column, const CellSpot* spot) {
  if (spot == nullptr) return;
  if (columns_.empty() || columns_.back() != column)
    columns_.push_back(column);  // they come one after another
  if (first_ != nullptr && std::pair(first_->at.row, column_) <= std::pair(spot->at.row, column)) return;
  first_ = spot;
  column_ = column;
  fault_ = fault;
}

void CellCheck::finish() const {
  if (first_ == nullptr) return;
  const CellPlace place = place_in(table_, column_, first_->at);
  std::vector<std::string> others;
  for (const std::size_t column : columns_) {
    if (column != column_) others.push_back(table_.column(column).name);
  }
  const std::string more =
      others.empty() ? std::string() : fmt::format("; look at the columns {} too", listed(others));
  switch (fault_) {
    case Fault::missing:
      place.fail(
          "the value is missing, but this column needs one in every row; fill it in or remove the row" +
          more);
    case Fault::unread:
      fail_unread(place, first_->text, more);
    case Fault::large:
      fail_too_large(place, first_->text, more);
    case Fault::stray:
      place.fail(
          fmt::format("{} is not a number; correct it, put ? if the value is unknown, or train with "
                      "`categorical` {} if the column "
                      "holds categories{}",
                      cited(first_->text), as_argument(place.name), more));
  }
}

namespace {

/// Calls use(k, numbers, rows) with the numbers of columns[k] in a block of rows, for all blocks and columns: the rows of
/// a borrowed matrix are then fetched once, not once for each column.
template <class Use>
void for_blocks(const Table& table, std::span<const std::size_t> columns, std::span<const std::uint32_t> rows,
                Use use) {
  constexpr std::size_t block = 256;
  std::array<float, block> numbers{};
  while (!rows.empty()) {
    const auto some = rows.first(std::min(block, rows.size()));
    const bool in_order = std::ranges::adjacent_find(some, [](std::uint32_t a, std::uint32_t b) {
                            return b != a + 1;
                          }) == some.end();
    const std::span<float> out(numbers.data(), some.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Column& column = table.column(columns[k]);
      if (in_order) {
        column.numbers(some.front(), out);
      } else {
        column.numbers(some, out.data());
      }
      use(k, out, some);
    }
    rows = rows.subspan(some.size());
  }
}

}  // namespace

namespace {

using Weights = std::span<const float>;

void add_statistics(const Table& table, std::span<const std::size_t> columns,
                    std::span<const std::uint32_t> rows, Weights weights, std::span<NumberStatistics> all) {
  using Numbers = std::span<const float>;
  using Rows = std::span<const std::uint32_t>;
  for_blocks(table, columns, rows, [&](std::size_t k, Numbers numbers, Rows some) {
    NumberStatistics s = all[k];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const float value = numbers[i];
      if (std::isnan(value)) continue;
      const double weight = weight_at(weights, some[i]);
      s.least = s.present == 0 ? value : std::min(s.least, value);
      s.greatest = s.present == 0 ? value : std::max(s.greatest, value);
      s.mean += weight * value;
      s.weight += weight;
      ++s.present;
    }
    all[k] = s;
  });
  for (NumberStatistics& s : all) s.mean /= s.present > 0 ? s.weight : 1;
  for_blocks(table, columns, rows, [&](std::size_t k, Numbers numbers, Rows some) {
    const double mean = all[k].mean;
    double squares = all[k].squares;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double difference = numbers[i] - mean;
      if (!std::isnan(numbers[i])) squares += weight_at(weights, some[i]) * (difference * difference);
    }
    all[k].squares = squares;
  });
}

}  // namespace

bool any_borrowed(const Table& table, std::span<const std::size_t> columns) {
  return std::ranges::any_of(
      columns, [&](std::size_t column) { return table.column(column).storage == Column::Storage::borrowed; });
}

std::vector<NumberStatistics> number_statistics(const Table& table, std::span<const std::size_t> columns,
                                                std::span<const std::uint32_t> rows,
                                                std::span<const float> weights, std::size_t threads) {
  // Columns at once: whole lines of a borrowed matrix's memory. Others are looked at one by one.
  const std::size_t together = any_borrowed(table, columns) ? 64 : 1;
  std::vector<NumberStatistics> all(columns.size());
  const std::size_t parts = (columns.size() + together - 1) / together;
  ThreadPool pool(
      std::min(std::max<std::size_t>(1, parts), worth_threads(columns.size() * rows.size(), threads)));
  pool.parallel_for(parts, [&](std::size_t part) {
    const std::size_t first = part * together;
    const std::size_t count = std::min(together, columns.size() - first);
    for (std::size_t k = first; k < first + count; ++k) expect_cells(table.column(columns[k]));
    add_statistics(table, columns.subspan(first, count), rows, weights, std::span(all).subspan(first, count));
    release_cells(table);
  });
  return all;
}

double skewness(std::span<const double> values, std::span<const double> weights) {
  double count = static_cast<double>(values.size());
  if (!weights.empty()) count = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += weight(i) * values[i] / count;
  double squares = 0;
  double cubes = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double difference = values[i] - mean;
    squares += weight(i) * (difference * difference) / count;
    cubes += weight(i) * (difference * difference * difference) / count;
  }
  return squares > 0 ? cubes / elementary::pow(squares, 1.5) : 0;
}

void gather_numbers(const Table& table, std::span<const std::size_t> columns,
                    std::span<const std::uint32_t> rows, Matrix<float>& all) {
  all.reshape(columns.size(), rows.size());
  std::vector<std::size_t> done(columns.size());
  for_blocks(table, columns, rows, [&](std::size_t k, std::span<const float> numbers, const auto&) {
    std::ranges::copy(numbers, all.row(k).begin() + static_cast<std::ptrdiff_t>(done[k]));
    done[k] += numbers.size();
  });
}

}  // namespace coppice
