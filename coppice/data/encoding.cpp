#include "coppice/data/encoding.h"

#include "coppice/core/elementary.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"
#include "coppice/data/input_memory.h"
#include "coppice/data/number_shape.h"
#include "coppice/data/worth_threads.h"
#include "coppice/device/threads.h"

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

constexpr std::size_t encoded_rows = 64;  ///< at a time
constexpr std::size_t rows_of_thread = 16 * encoded_rows;

/// Where each input column stands in a table, if it does.
using Places = std::vector<std::optional<std::size_t>>;

/// Most tables have the columns in the model's order: then names are compared once, and none is looked up.
Places find_inputs(const Table& table, const Encoding& encoding) {
  Places places;
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
void require_inputs(const Table& table, const Encoding& encoding, const Places& places) {
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
void match_columns(const Table& table, const Encoding& encoding, const Places& places, bool with_target,
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

/// How one input column is read from the table. Texts are looked up once per distinct value, not per row.
struct Step {
  const InputColumn* input = nullptr;
  const Column* column = nullptr;
  std::size_t first = 0;                ///< network input
  std::optional<TextCells> texts = {};  ///< text
  std::vector<std::size_t> slots = {};  ///< text: code -> network input; the last one is for missing cells
};

std::vector<std::size_t> slots_of(const InputColumn& input, const TextCells& cells, std::size_t first) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t k = 0; k < input.categories.size(); ++k) known.emplace(input.categories[k], first + k);
  const auto slot = [&](std::string_view text) {
    const auto found = known.find(text);
    return found == known.end() ? first + input.categories.size() : found->second;
  };
  std::vector<std::size_t> slots;
  for (std::size_t code = 0; code < cells.size(); ++code) slots.push_back(slot(cells.text(code)));
  slots.push_back(slot(""));
  return slots;
}

/// A column the table lacks is zero in every row: only libsvm files may lack one.
std::vector<Step> steps_for(const Table& table, const Encoding& encoding, const Places& places) {
  std::vector<Step> steps;
  steps.reserve(places.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const InputColumn& input = encoding.columns[i];
    if (const auto index = places[i]) {
      Step& step = steps.emplace_back(Step{.input = &input, .column = &table.column(*index), .first = first});
      if (input.kind == ColumnKind::text) {
        step.texts.emplace(table, *index);
        step.slots = slots_of(input, *step.texts, first);
      }
    }
    first += input.width();
  }
  return steps;
}

/// input = (raw - offset) * factor, in double so that far values do not overflow on the way.
struct Scale {
  Scale(const Encoding& encoding, std::size_t i) : offset(encoding.offset[i]), factor(encoding.factor[i]) {}
  float operator()(double raw) const { return static_cast<float>((raw - offset) * factor); }

  double offset;
  double factor;
};

float scaled(const Encoding& encoding, std::size_t i, double raw) {
  return Scale(encoding, i)(raw);
}

/// The inputs of numbers that are all there, in column `first` of `out` and in those of the bins.
void encode_numbers(const InputColumn& input, const Encoding& encoding, std::size_t first,
                    std::span<const float> numbers, View<float> out) {
  const Scale scale(encoding, first);
  if (input.squash.used()) {
    const Squash squash = input.squash;
    for (std::size_t r = 0; r < out.rows; ++r) out(r, first) = scale(squash(numbers[r]));
  } else {
    for (std::size_t r = 0; r < out.rows; ++r) out(r, first) = scale(numbers[r]);
  }
  for (std::size_t t = 0; t < input.bins(); ++t) {
    const std::size_t i = first + input.first_bin() + t;
    const Scale bin(encoding, i);
    const float low = input.edges[t];
    const float high = input.edges[t + 1];
    for (std::size_t r = 0; r < out.rows; ++r) out(r, i) = bin(bin_value(numbers[r], low, high));
  }
}

/// The inputs of 0 and of 1.
struct Binary {
  Matrix<float> zeros;  ///< one row: numbers are 0 and there, nothing is of any category
  std::vector<float> ones;

  explicit Binary(const Encoding& encoding) : zeros(1, encoding.inputs()) {
    ones.reserve(encoding.inputs());
    for (std::size_t i = 0; i < encoding.inputs(); ++i) {
      zeros(0, i) = scaled(encoding, i, 0);
      ones.push_back(scaled(encoding, i, 1));
    }
    std::size_t first = 0;
    for (const InputColumn& input : encoding.columns) {
      if (input.kind == ColumnKind::number)
        encode_numbers(input, encoding, first, std::array{static_cast<float>(0 - input.base)}, zeros.view());
      first += input.width();
    }
  }
};

void encode_column(const Step& step, const Encoding& encoding, const Binary& binary, std::size_t row,
                   View<float> out) {
  if (step.texts) {
    for (std::size_t r = 0; r < out.rows; ++r) {
      const std::size_t code = std::min<std::size_t>(step.texts->code(row + r), step.slots.size() - 1);
      out(r, step.slots[code]) = binary.ones[step.slots[code]];
    }
    return;
  }
  std::array<float, encoded_rows> numbers{};
  step.column->numbers(row, std::span(numbers).first(out.rows), step.input->base);
  for (std::size_t r = 0; r < out.rows; ++r) {
    if (!std::isnan(numbers[r])) continue;
    numbers[r] = step.input->fill;
    if (step.input->indicator) out(r, step.first + 1) = binary.ones[step.first + 1];
  }
  encode_numbers(*step.input, encoding, step.first, numbers, out);
}

/// A block of rows at a time: columns lie one after another in the table, rows in the inputs. Calls use(row, count, encode) for
/// parts of the rows, whose inputs encode(view) then fills in.
template <class Use>
void encode_inputs(const Table& table, const Encoding& encoding, const Places& places, std::size_t threads,
                   const Use& use) {
  const Binary binary(encoding);
  const std::vector<Step> steps = steps_for(table, encoding, places);
  const std::size_t parts = (table.rows() + rows_of_thread - 1) / rows_of_thread;
  ThreadPool pool(
      std::min(std::max<std::size_t>(1, parts), worth_threads(table.rows() * encoding.inputs(), threads)));
  pool.parallel_for(parts, [&](std::size_t part) {
    const std::size_t first = part * rows_of_thread;
    use(first, std::min(table.rows() - first, rows_of_thread), [&](View<float> inputs) {
      for (std::size_t row = 0; row < inputs.rows; row += encoded_rows) {
        const View<float> out = inputs.block(row, std::min(encoded_rows, inputs.rows - row));
        for (std::size_t r = 0; r < out.rows; ++r) std::ranges::copy(binary.zeros.row(0), out[r]);
        for (const Step& step : steps) encode_column(step, encoding, binary, first + row, out);
      }
    });
  });
}

/// Into memory or, where that is not to hold them, into a scratch file.
void put_inputs(const Table& table, const Encoding& encoding, const Places& places, std::size_t threads,
                RowMemory* memory, Dataset& data) {
  const std::size_t rows = table.rows();
  const std::size_t width = encoding.inputs();
  const double bytes = static_cast<double>(rows) * static_cast<double>(width * sizeof(float));
  const std::shared_ptr<ScratchFile> file = memory != nullptr ? memory->take(bytes) : nullptr;
  if (!file) {
    if (memory == nullptr) require_input_memory(table, encoding, rows, width);
    data.inputs = Matrix<float>::packed(rows, width);
    encode_inputs(table, encoding, places, threads,
                  [&](std::size_t first, std::size_t count, const auto& encode) {
                    encode(data.inputs.view().block(first, count));
                  });
    return;
  }
  constexpr std::size_t released_cells = std::size_t{1} << 20U;
  const auto scratch = std::make_shared<ScratchRows>(file, rows, width);
  std::atomic<std::size_t> cells = 0;
  encode_inputs(table, encoding, places, threads,
                [&](std::size_t first, std::size_t count, const auto& encode) {
                  Matrix<float> part = Matrix<float>::packed(count, width);
                  encode(part.view());
                  scratch->write(first, part);
                  const std::size_t own = count * table.columns();
                  const std::size_t before = cells.fetch_add(own);
                  if (before / released_cells != (before + own) / released_cells) release_cells(table);
                });
  release_cells(table);
  data.scratch = scratch;
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
  const Places places = find_inputs(table, encoding);
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
