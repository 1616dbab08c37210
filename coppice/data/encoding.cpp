#include "coppice/data/encoding.h"

#include "coppice/core/elementary.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"
#include "coppice/data/input_encoder.h"
#include "coppice/data/put_inputs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace coppice {

std::size_t InputColumn::width() const {
  if (kind == ColumnKind::text) return categories.size() + 1;
  return first_bin() + bins();
}

double Squash::operator()(float x) const {
  const double z = (static_cast<double>(x) - median) * factor;
  const double share = z / limit;
  return z / std::sqrt(1 + share * share);
}

double TargetColumn::value(double output) const {
  const double plain = mean + deviation * output;
  if (transform == TargetTransform::none) return plain;
  return elementary::exp(std::min(plain, ceiling()));
}

double TargetColumn::ceiling() const {
  constexpr double largest = 700;
  return std::min(mean + 10 * deviation, largest);
}

double TargetColumn::output(double value) const {
  return ((transform == TargetTransform::log ? elementary::log(value) : value) - mean) / deviation;
}

namespace {

/// An edge as a number of the user's table.
std::string edge_text(const InputColumn& column, std::size_t t) {
  return column.base == 0 ? fmt::format("{}", column.edges[t])
                          : fmt::format("{}", column.base + column.edges[t]);
}

}  // namespace

std::vector<std::string> Encoding::input_names() const {
  std::vector<std::string> names;
  names.reserve(inputs());
  for (const InputColumn& column : columns) {
    if (column.kind == ColumnKind::number) {
      names.push_back(column.name);
      if (column.indicator) names.push_back(column.name + " missing");
      for (std::size_t t = 0; t < column.bins(); ++t)
        names.push_back(
            fmt::format("{} {}..{}", column.name, edge_text(column, t), edge_text(column, t + 1)));
      continue;
    }
    for (const std::string& category : column.categories) names.push_back(column.name + "=" + category);
    names.push_back(column.name + " other");
  }
  return names;
}

std::vector<std::uint32_t> Encoding::plain_inputs() const {
  std::vector<std::uint32_t> plain;
  std::uint32_t first = 0;
  for (const InputColumn& column : columns) {
    const std::size_t end = first + column.width();
    for (std::size_t i = first; i < end - column.bins(); ++i) plain.push_back(static_cast<std::uint32_t>(i));
    first = static_cast<std::uint32_t>(end);
  }
  return plain;
}

bool Encoding::has_bins() const {
  return std::ranges::any_of(columns, [](const InputColumn& column) { return column.bins() > 0; });
}

Encoding Encoding::without_bins() const {
  Encoding plain = *this;
  plain.offset.clear();
  plain.factor.clear();
  for (const std::uint32_t input : plain_inputs()) {
    plain.offset.push_back(offset[input]);
    plain.factor.push_back(factor[input]);
  }
  for (InputColumn& column : plain.columns) column.edges.clear();
  return plain;
}

namespace {

/// Most tables have the columns in the model's order: then names are compared once, and none is looked up.
InputPlaces find_inputs(const Table& table, const Encoding& encoding) {
  InputPlaces places;
  places.reserve(encoding.columns.size());
  std::size_t next = 0;
  for (const InputColumn& input : encoding.columns) {
    const bool in_order = next < table.columns() && table.column(next).name == input.name;
    places.push_back(in_order ? next : table.find(input.name));
    next = places.back().value_or(next) + 1;
  }
  return places;
}

/// The column of the user's table that a column is made of, by the name of the latter.
std::unordered_map<std::string, std::string> sources_of(const Encoding& encoding) {
  std::unordered_map<std::string, std::string> sources;
  for (const Derived& derived : encoding.derived) {
    for (std::string& name : derived.names()) sources.emplace(std::move(name), derived.source);
  }
  return sources;
}

/// Inputs the table lacks. In libsvm a column that no row mentions is zero everywhere, so none is missing.
void require_inputs(const Table& table, const Encoding& encoding, const InputPlaces& places) {
  const TableInfo& info = table.info();
  if (info.format == Format::libsvm) return;
  if (std::ranges::all_of(places, [](const auto& place) { return place.has_value(); })) return;
  const std::unordered_map<std::string, std::string> sources = sources_of(encoding);
  std::vector<std::string> missing;
  std::unordered_set<std::string> said;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i]) continue;
    const auto source = sources.find(encoding.columns[i].name);
    const std::string& name = source == sources.end() ? encoding.columns[i].name : source->second;
    if (said.insert(name).second) missing.push_back(name);
  }
  const bool one = missing.size() == 1;
  const std::string first = missing.front();
  const std::string hint = one ? suggestion(first, table.names()) : std::string();
  const bool unnamed = info.format == Format::csv && info.has_lines && !info.has_names;
  for (std::string& name : missing) name = cited(name);
  fail_at({.column = first},
          "{}: the model needs the column{} {}, which {} missing in the {}{}{}; the columns there are {}",
          table.name(), one ? "" : "s", listed(missing), one ? "is" : "are",
          info.has_lines ? "file" : "table", hint, unnamed ? "; its first line holds no names" : "",
          listed(table.names()));
}

/// Says which columns are not used, by their names.
void warn_of_extras(const Table& table, const Encoding& encoding, std::vector<std::string>& warnings) {
  NameSet known = name_set(encoding.unused);
  for (const InputColumn& column : encoding.columns) known.insert(column.name);
  for (const std::string& id : encoding.ids) known.insert(id);
  known.insert(encoding.target.name);
  std::vector<std::string> extra;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    if (!known.contains(table.column(i).name)) extra.push_back(table.column(i).name);
  }
  if (!extra.empty()) {
    warnings.push_back(
        fmt::format("{}: columns that the model does not know are ignored: {}", table.name(), listed(extra)));
  }
}

void warn_of_absent_ids(const Table& table, const Encoding& encoding, std::vector<std::string>& warnings) {
  std::vector<std::string> absent;
  std::ranges::copy_if(encoding.ids, std::back_inserter(absent),
                       [&](const std::string& id) { return !table.find(id); });
  if (!absent.empty()) {
    warnings.push_back(fmt::format("{}: id columns that the {} lacks are not passed through: {}",
                                   table.name(), table.info().has_lines ? "file" : "table", listed(absent)));
  }
}

/// Fails if the table is not what the model needs.
void match_columns(const Table& table, const Encoding& encoding, const InputPlaces& places, bool with_target,
                   std::vector<std::string>& warnings) {
  require_inputs(table, encoding, places);
  const std::string& target = encoding.target.name;
  if (with_target && !table.find(target)) {
    fail_at({.column = target},
            "{}: the target column {} is missing in the {}{}; add it, the columns there are {}", table.name(),
            cited(target), table.info().has_lines ? "file" : "table", suggestion(target, table.names()),
            listed(table.names()));
  }
  const auto found = std::ranges::count_if(places, [](const auto& place) { return place.has_value(); });
  if (table.columns() > static_cast<std::size_t>(found)) warn_of_extras(table, encoding, warnings);
  warn_of_absent_ids(table, encoding, warnings);
  CellCheck check(table);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] && encoding.columns[i].kind == ColumnKind::number) check.numbers(*places[i]);
  }
  if (with_target) {
    check.complete(*table.find(target));
    if (encoding.task == Task::regression) check.numbers(*table.find(target));
  }
  check.finish();
}

std::vector<std::uint32_t> encode_labels(const TextCells& cells, std::size_t rows, const Encoding& encoding,
                                         std::vector<std::string>& warnings) {
  const std::vector<std::string>& classes = encoding.target.classes;
  const auto unknown = static_cast<std::uint32_t>(classes.size());
  const ClassIndex index(classes);
  std::vector<std::uint32_t> label_of;
  for (std::size_t code = 0; code < cells.size(); ++code)
    label_of.push_back(index.find(std::string(cells.text(code))));
  label_of.push_back(unknown);  // missing cells
  std::vector<bool> occurs(label_of.size());
  std::size_t unseen_rows = 0;
  std::vector<std::uint32_t> labels(rows);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::size_t code = std::min<std::size_t>(cells.code(row), label_of.size() - 1);
    labels[row] = label_of[code];
    if (labels[row] != unknown) continue;
    ++unseen_rows;
    occurs[code] = true;
  }
  std::vector<std::string> unseen;
  for (std::size_t code = 0; code < cells.size(); ++code) {
    if (occurs[code]) unseen.push_back(cited(cells.text(code)));
  }
  if (occurs.back()) unseen.emplace_back("no class");
  if (!unseen.empty()) {
    warnings.push_back(
        fmt::format("{} of {} rows are of a class that training never saw ({}); they count as errors",
                    unseen_rows, labels.size(), listed(unseen, 5)));
  }
  return labels;
}

Dataset encode_columns(const Table& table, const Encoding& encoding, bool with_target,
                       std::vector<std::string>& warnings, std::size_t threads, RowMemory* memory) {
  const InputPlaces places = find_inputs(table, encoding);
  match_columns(table, encoding, places, with_target, warnings);
  Dataset data;
  put_inputs(table, encoding, places, threads, memory, data);
  if (!with_target) return data;
  const std::size_t target = *table.find(encoding.target.name);
  if (encoding.task == Task::classification) {
    data.labels = encode_labels(TextCells(table, target), table.rows(), encoding, warnings);
    return data;
  }
  data.targets.resize(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double value = table.column(target).learned(row);
    if (encoding.target.transform == TargetTransform::log && !(value > 0)) {
      place_in(table, target, {.row = row})
          .fail(fmt::format(
              "the target is {}, but the model was trained with `target-transform` log, which needs "
              "numbers above 0; correct it or train with `target-transform` none",
              shortest(value)));
    }
    data.targets[row] = static_cast<float>(encoding.target.output(value));
  }
  return data;
}

}  // namespace

Dataset encode(const Table& table, const Encoding& encoding, bool with_target,
               std::vector<std::string>& warnings, std::size_t threads, RowMemory* memory) {
  if (encoding.derived.empty())
    return encode_columns(table, encoding, with_target, warnings, threads, memory);
  return encode_columns(with_derived(table, encoding.derived), encoding, with_target, warnings, threads,
                        memory);
}

std::vector<std::uint32_t> raw_labels(const Table& table, const TrainingPlan& plan) {
  if (plan.task != Task::classification) return {};
  const auto target = table.find(plan.target);
  if (!target) return {};  // encode() says so
  CellCheck check(table);
  check.complete(*target);
  check.finish();
  const TextCells cells(table, *target);
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < cells.size(); ++code) texts.emplace_back(cells.text(code));
  const ClassIndex classes(distinct_classes(texts));
  std::vector<std::uint32_t> label_of;
  for (const std::string& text : texts) label_of.push_back(classes.find(text));
  std::vector<std::uint32_t> labels(table.rows());
  for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = label_of[cells.code(row)];
  return labels;
}

IdColumns id_columns(const Table& table, const Encoding& encoding) {
  IdColumns ids;
  for (const std::string& name : encoding.ids) {
    const auto index = table.find(name);
    if (!index) continue;
    const TextCells cells(table, *index);
    std::vector<std::string>& texts = ids.texts.emplace_back();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::uint32_t code = cells.code(row);
      texts.emplace_back(code == Column::missing ? std::string_view() : cells.text(code));
    }
    ids.names.push_back(name);
  }
  return ids;
}

ReadHints hints_for(const EncodingOptions& options) {
  ReadHints hints;
  hints.texts = options.categorical;
  if (options.task == Task::classification && !options.target.empty()) hints.texts.push_back(options.target);
  hints.skip = options.ignore;
  hints.skip.insert(hints.skip.end(), options.ids.begin(), options.ids.end());
  for (const std::string& name : options.split.names()) {
    std::erase(hints.skip, name);
    hints.texts.push_back(name);
  }
  if (!options.weight.empty()) {
    std::erase(hints.skip, options.weight);
    hints.numbers.push_back(options.weight);
  }
  return hints;
}

ReadHints hints_for(const Encoding& encoding, bool with_target) {
  ReadHints hints{.texts = encoding.ids, .numbers = {}, .skip = {}, .skip_others = true};
  const auto add = [&](ColumnKind kind, const std::string& name) {
    (kind == ColumnKind::number ? hints.numbers : hints.texts).push_back(name);
  };
  NameSet made;
  std::vector<std::string> names;
  for (const Derived& derived : encoding.derived) {
    std::ranges::move(derived.names(), std::back_inserter(names));
    hints.texts.push_back(derived.source);
  }
  made.insert(names.begin(), names.end());
  for (const InputColumn& column : encoding.columns) {
    if (!made.contains(column.name)) add(column.kind, column.name);
  }
  if (with_target)
    add(encoding.task == Task::regression ? ColumnKind::number : ColumnKind::text, encoding.target.name);
  return hints;
}

}  // namespace coppice
