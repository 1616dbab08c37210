#include "coppice/data/row_splits.h"

#include "coppice/core/fail.h"
#include "coppice/core/random.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"
#include "coppice/data/folds.h"
#include "coppice/data/moment.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <unordered_map>

namespace coppice {

namespace {

/// A column that a setting names, with a value in every row.
std::size_t complete_column(const Table& table, const std::string& name, const char* setting,
                            const std::string& target) {
  const std::size_t column = require_column(table, name, setting);
  if (name == target)
    fail_option(setting, "{}: `{}` names the target {}; name another column", table.name(), setting,
                cited(name));
  CellCheck check(table);
  check.complete(column);
  check.finish();
  return column;
}

/// The values of rows with their numbers in the order of their first rows.
std::vector<std::uint32_t> renumbered(std::vector<std::uint32_t> values) {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t& value : values)
    value = numbers.emplace(value, static_cast<std::uint32_t>(numbers.size())).first->second;
  return values;
}

std::vector<std::uint32_t> read_groups(const Table& table, std::size_t column) {
  const TextCells cells(table, column);
  std::vector<std::uint32_t> groups(table.rows());
  for (std::size_t row = 0; row < groups.size(); ++row) groups[row] = cells.code(row);
  return renumbered(std::move(groups));
}

std::vector<std::uint32_t> read_folds(const Table& table, std::size_t column) {
  const TextCells cells(table, column);
  std::vector<std::string> texts;
  std::vector<bool> met(cells.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!met[cells.code(row)]) texts.emplace_back(cells.text(cells.code(row)));
    met[cells.code(row)] = true;
  }
  std::vector<std::string> names = distinct_classes(texts);
  if (all_numbers(names))
    std::ranges::stable_sort(names, {}, [](const std::string& text) { return *parse_number(text); });
  const ClassIndex index(names);
  std::vector<std::uint32_t> fold_of;
  for (std::size_t code = 0; code < cells.size(); ++code)
    fold_of.push_back(index.find(std::string(cells.text(code))));
  std::vector<std::uint32_t> folds(table.rows());
  for (std::size_t row = 0; row < folds.size(); ++row) folds[row] = fold_of[cells.code(row)];
  return folds;
}

/// Times of texts: all of them numbers, all dates or all times of day.
std::vector<double> read_times(const Table& table, std::size_t column) {
  const Column& of = table.column(column);
  std::vector<double> times(table.rows());
  if (of.storage != Column::Storage::codes) {
    for (std::size_t row = 0; row < times.size(); ++row) times[row] = of.value(row);
    return times;
  }
  enum class Kind : std::uint8_t { unknown, number, date, time };
  std::vector<double> time_of(of.texts.size());
  std::vector<Kind> kinds(of.texts.size());
  for (std::size_t code = 0; code < time_of.size(); ++code) {
    const std::string_view text = trim(of.texts[code]);
    if (const auto moment = parse_moment(text)) {
      time_of[code] = moment->days;
      kinds[code] = moment->has_date ? Kind::date : Kind::time;
    } else if (const auto number = parse_number(text)) {
      time_of[code] = *number;
      kinds[code] = Kind::number;
    }
  }
  const Kind first = kinds[of.code(0)];
  for (std::size_t row = 0; row < times.size(); ++row) {
    const Kind kind = kinds[of.code(row)];
    if (kind == Kind::unknown || kind != first) {
      place_in(table, column, {.row = row})
          .fail(fmt::format(
              "{} is {}, but `time` needs numbers, dates (2024-05-01, 2024-05-01T12:30:00) or times "
              "(12:30) in every row; correct it or name another column",
              cited(of.texts[of.code(row)]),
              kind == Kind::unknown ? "no time" : "another kind of time than the rows before"));
    }
    times[row] = time_of[of.code(row)];
  }
  return times;
}

/// Fails on a group with rows in two folds.
void refuse_parted_groups(const Table& table, const RowSplits& splits) {
  std::unordered_map<std::uint32_t, std::size_t> first;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t other = first.emplace(splits.groups[row], row).first->second;
    if (splits.folds[row] == splits.folds[other]) continue;
    fail_at({.column = splits.columns.fold, .row = row},
            "{}: the group {} has rows in the folds {} and {}, so it would be on both sides; correct the "
            "column {} or "
            "leave `group` out",
            table.name(), cited(table.text(splits.columns.group, row)),
            cited(table.text(splits.columns.fold, other)), cited(table.text(splits.columns.fold, row)),
            cited(splits.columns.fold));
  }
}

/// Where to cut rows that stand in the order of their times: nearest to `wanted`, but between two different times.
std::size_t time_cut(const std::vector<double>& sorted, std::size_t wanted, const std::string& column) {
  const auto differs = [&](std::size_t cut) { return sorted[cut - 1] != sorted[cut]; };
  for (std::size_t away = 0; away < sorted.size(); ++away) {
    if (wanted > away && differs(wanted - away)) return wanted - away;
    if (wanted + away < sorted.size() && differs(wanted + away)) return wanted + away;
  }
  fail_option("time",
              "`time`: the column {} says the same in all {} rows to split, so none of them are the last; "
              "name another "
              "column",
              cited(column), sorted.size());
}

Split shuffled(Split split, std::uint64_t seed, std::uint32_t stream) {
  Random random(seed, Purpose::split, stream);
  random.shuffle(split.held_out);
  random.shuffle(split.kept);
  return split;
}

Split split_by_time(std::span<const std::uint32_t> rows, const std::vector<double>& times, double fraction,
                    const std::string& column) {
  std::vector<std::uint32_t> order(rows.begin(), rows.end());
  std::ranges::sort(order);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return times[row]; });
  std::vector<double> sorted;
  for (const std::uint32_t row : order) sorted.push_back(times[row]);
  const std::size_t cut = time_cut(sorted, rows.size() - held_out_count(rows.size(), fraction), column);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(cut);
  return {.kept = {order.begin(), middle}, .held_out = {middle, order.end()}};
}

}  // namespace

std::vector<std::string> SplitColumns::names() const {
  std::vector<std::string> named;
  for (const std::string& name : {group, time, fold})
    if (!name.empty()) named.push_back(name);
  return named;
}

std::vector<std::uint32_t> RowSplits::number_strata(std::span<const std::uint32_t> rows,
                                                    std::size_t count) const {
  if (numbers.empty()) return {};
  std::vector<float> values;
  for (const std::uint32_t row : rows) values.push_back(numbers[row]);
  const std::vector<std::uint32_t> quantiles = quantile_strata(values, count);
  std::vector<std::uint32_t> strata(numbers.size());
  for (std::size_t i = 0; i < rows.size(); ++i) strata[rows[i]] = quantiles[i];
  return strata;
}

Split RowSplits::hold_out(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> labels,
                          double fraction, std::uint64_t seed, std::uint32_t stream) const {
  if (rows.size() < 2) return split_rows(rows, labels, fraction, seed, stream);  // which refuses it
  if (!times.empty()) return shuffled(split_by_time(rows, times, fraction, columns.time), seed, stream);
  // As many strata as rows to hold out: each gives one.
  const std::size_t count = held_out_count(rows.size(), fraction);
  constexpr std::size_t strata_of_groups = 10;
  const std::vector<std::uint32_t> quantiles =
      number_strata(rows, groups.empty() ? count : std::min(count, strata_of_groups));
  const std::span<const std::uint32_t> strata = numbers.empty() ? labels : std::span(quantiles);
  if (groups.empty()) return split_rows(rows, strata, fraction, seed, stream);
  const bool single =
      std::ranges::all_of(rows, [&](std::uint32_t row) { return groups[row] == groups[rows.front()]; });
  if (single) {
    fail_option("group",
                "`group`: the column {} names one group in all {} rows to split, and every part needs one of "
                "its own; "
                "name another column or add rows",
                cited(columns.group), rows.size());
  }
  return split_groups(rows, {.strata = strata, .groups = groups}, fraction, seed, stream);
}

Split RowSplits::hold_out_fold(std::span<const std::uint32_t> rows, std::uint64_t turn, std::uint64_t seed,
                               std::uint32_t stream) const {
  std::set<std::uint32_t> present;
  for (const std::uint32_t row : rows) present.insert(folds[row]);
  if (present.size() < 2) {
    fail_option(
        "fold",
        "`fold`: the column {} names {} fold{} in the {} rows to split, but at least two are needed; name "
        "another column",
        cited(columns.fold), present.size(), present.size() == 1 ? "" : "s", rows.size());
  }
  const std::uint32_t chosen =
      *std::next(present.begin(), static_cast<std::ptrdiff_t>(turn % present.size()));
  Split split;
  for (const std::uint32_t row : rows) (folds[row] == chosen ? split.held_out : split.kept).push_back(row);
  return shuffled(std::move(split), seed, stream);
}

RowSplits read_splits(const Table& table, const SplitColumns& columns, const std::string& target) {
  RowSplits splits{.columns = columns};
  if (!columns.group.empty())
    splits.groups = read_groups(table, complete_column(table, columns.group, "group", target));
  if (!columns.time.empty())
    splits.times = read_times(table, complete_column(table, columns.time, "time", target));
  if (!columns.fold.empty())
    splits.folds = read_folds(table, complete_column(table, columns.fold, "fold", target));
  if (!splits.groups.empty() && !splits.folds.empty()) refuse_parted_groups(table, splits);
  return splits;
}

}  // namespace coppice
