#include "coppice/data/derived.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/encoding.h"
#include "coppice/data/moment.h"
#include "coppice/data/orders.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace coppice {

namespace {

/// What a cell of the source becomes, one number for each of the names.
using Parts = std::vector<float>;

Parts parts_of(const Moment& moment, const Derived& derived) {
  Parts parts;
  if (derived.kind != DerivedKind::time) {
    parts = {static_cast<float>(moment.days - derived.origin), static_cast<float>(moment.month),
             static_cast<float>(moment.weekday)};
  }
  if (derived.kind != DerivedKind::date) parts.push_back(static_cast<float>(moment.hour));
  return parts;
}

bool fits(const Moment& moment, DerivedKind kind) {
  return moment.has_date == (kind != DerivedKind::time) && (kind != DerivedKind::time || moment.has_time);
}

/// The parts of every distinct text.
std::vector<Parts> parts_of_texts(const Table& table, std::size_t column, const TextCells& cells,
                                  const Derived& derived) {
  std::unordered_map<std::string, std::size_t> ranks;
  for (std::size_t k = 0; k < derived.order.size(); ++k) ranks.emplace(derived.order[k], k);
  std::vector<Parts> parts;
  for (std::size_t code = 0; code < cells.size(); ++code) {
    if (derived.kind == DerivedKind::rank) {
      const auto found = ranks.find(plain_words(cells.text(code)));
      parts.push_back({found == ranks.end() ? not_a_number : static_cast<float>(found->second)});
      continue;
    }
    const auto moment = parse_moment(trim(cells.text(code)));
    if (moment && fits(*moment, derived.kind)) {
      parts.push_back(parts_of(*moment, derived));
      continue;
    }
    std::size_t row = 0;
    while (cells.code(row) != code) ++row;
    place_in(table, column, {.row = table.info().first_row + row})
        .fail(fmt::format("{} is no {}; write it as {}, or put ? if it is unknown", cited(cells.text(code)),
                          derived.kind == DerivedKind::time ? "time" : "date",
                          derived.kind == DerivedKind::time     ? "12:30"
                          : derived.kind == DerivedKind::moment ? "2024-05-01T12:30:00"
                                                                : "2024-05-01"));
  }
  return parts;
}

/// A column whose texts are all dates, or all times.
std::optional<Derived> find_moments(const Column& column) {
  Derived derived{.source = column.name};
  bool any_time = false;
  std::optional<bool> dated;
  double first = 0;
  for (std::size_t code = 0; code < column.texts.size(); ++code) {
    const auto moment = parse_moment(trim(column.texts[code]));
    if (!moment || (dated && *dated != moment->has_date)) return std::nullopt;
    first = dated ? std::min(first, moment->days) : moment->days;
    dated = moment->has_date;
    any_time = any_time || moment->has_time;
  }
  if (!dated) return std::nullopt;
  derived.kind = !*dated ? DerivedKind::time : any_time ? DerivedKind::moment : DerivedKind::date;
  derived.origin = *dated ? std::floor(first) : 0;
  return derived;
}

std::optional<Derived> find_rank(const Column& column) {
  constexpr std::size_t most_words = 50;
  if (column.texts.size() > most_words) return std::nullopt;
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < column.texts.size(); ++code) texts.emplace_back(column.texts[code]);
  std::vector<std::string> order = known_order(texts);
  if (order.empty()) return std::nullopt;
  return Derived{.source = column.name, .kind = DerivedKind::rank, .order = std::move(order)};
}

std::string said(const Derived& derived) {
  if (derived.kind == DerivedKind::rank) {
    return fmt::format("column {} has an order ({}): its rank is an input beside the categories",
                       cited(derived.source), joined(derived.order, " < "));
  }
  std::vector<std::string> names = derived.names();
  for (std::string& name : names) name.erase(0, derived.source.size() + 1);
  return fmt::format("column {} holds {}: its {} become numbers; `categorical` {} takes it as text",
                     cited(derived.source), derived.kind == DerivedKind::time ? "times" : "dates",
                     names.size() == 1 ? names.front() + "s" : listed(names), as_argument(derived.source));
}

}  // namespace

std::vector<std::string> Derived::names() const {
  if (kind == DerivedKind::rank) return {source + " rank"};
  std::vector<std::string> names;
  if (kind != DerivedKind::time) names = {source + " day", source + " month", source + " weekday"};
  if (kind != DerivedKind::date) names.push_back(source + " hour");
  return names;
}

std::vector<Derived> find_derived(const Table& table, const EncodingOptions& options, std::string_view target,
                                  std::vector<std::string>& notes) {
  NameSet left{target};
  for (const auto* names : {&options.ids, &options.ignore, &options.categorical})
    left.insert(names->begin(), names->end());
  const std::vector<std::string> split = options.split.names();
  left.insert(split.begin(), split.end());
  std::vector<Derived> found;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const Column& column = table.column(i);
    const ColumnFacts& facts = column.facts;
    const bool texts = column.storage == Column::Storage::codes && column.texts.size() >= 2 &&
                       facts.numeric < facts.present && facts.declared != ColumnKind::number;
    if (!texts || left.contains(column.name)) continue;
    std::optional<Derived> derived = find_moments(column);
    if (!derived) derived = find_rank(column);
    if (!derived) continue;
    const auto names = derived->names();
    if (std::ranges::any_of(names, [&](const std::string& name) { return table.find(name).has_value(); }))
      continue;
    notes.push_back(said(*derived));
    found.push_back(std::move(*derived));
  }
  return found;
}

Table with_derived(const Table& table, const std::vector<Derived>& derived) {
  Table expanded = table;
  for (const Derived& one : derived) {
    const auto column = table.find(one.source);
    if (!column) continue;
    const TextCells cells(table, *column);
    const std::vector<Parts> parts = parts_of_texts(table, *column, cells, one);
    const std::vector<std::string> names = one.names();
    std::vector<float> numbers(table.rows());
    for (std::size_t k = 0; k < names.size(); ++k) {
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::uint32_t code = cells.code(row);
        numbers[row] = code == Column::missing ? not_a_number : parts[code][k];
      }
      expanded.add_numbers(names[k], numbers);
    }
  }
  return expanded;
}

}  // namespace coppice
