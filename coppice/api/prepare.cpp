#include "coppice/api/prepare.h"

#include "coppice/api/class_weights.h"
#include "coppice/api/combinations.h"
#include "coppice/api/device.h"
#include "coppice/api/metric.h"
#include "coppice/api/resolve.h"
#include "coppice/api/settings.h"
#include "coppice/api/teach.h"
#include "coppice/api/warm_start.h"
#include "coppice/core/fail.h"
#include "coppice/core/random.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/folds.h"
#include "coppice/data/keep_columns.h"
#include "coppice/data/row_memory.h"
#include "coppice/data/split.h"
#include "coppice/data/weights.h"
#include "coppice/device/threads.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace coppice {

namespace {

constexpr std::uint32_t test_stream = 0;
constexpr std::uint32_t validation_stream = 1;
constexpr std::uint32_t fold_stream = 2;
constexpr std::uint32_t all_rows_stream = 3;
constexpr std::size_t most_numbers =
    50'000'000;                            ///< that inputs with bins may be, to be tried beside plain ones
constexpr std::size_t target_strata = 10;  ///< quantiles of numbers that folds have alike

std::vector<std::uint32_t> all_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// Takes rows that were told by number out of those that nets learn from.
std::vector<std::uint32_t> take_rows(const char* setting, const std::vector<std::uint32_t>& wanted,
                                     const Table& table, std::vector<std::uint32_t>& rows) {
  std::vector<bool> taken(table.rows());
  for (const std::uint32_t row : wanted) {
    if (row >= table.rows()) {
      fail_option(setting, "`{}`: row {} does not exist; the table has {} rows, counted from 0", setting, row,
                  table.rows());
    }
    if (taken[row]) fail_option(setting, "`{}`: row {} is named twice", setting, row);
    taken[row] = true;
  }
  if (wanted.empty()) fail_option(setting, "`{}`: names no row; leave it unset or name some", setting);
  const std::size_t before = rows.size();
  std::erase_if(rows, [&](std::uint32_t row) { return taken[row]; });
  if (before - rows.size() != wanted.size())
    fail_option(setting, "`{}`: names rows that are test rows too; a row can serve one purpose", setting);
  return wanted;
}

/// Rows of a table of their own.
std::vector<std::uint32_t> counting_rows(const Dataset& data) {
  std::vector<std::uint32_t> rows = all_rows(data.rows());
  drop_weightless(data.weights, rows);
  return rows;
}

/// Rows that nets do not learn from, taken out of `prepared.rows` before the encoding is fitted, which must not see test
/// rows: first those told by number, then a share of the others. Rows that count nothing are none of them.
void hold_out(PreparedData& prepared, const Table& table, const Options& options,
              std::span<const std::uint32_t> labels, std::span<const float> weights) {
  if (const auto* wanted = std::get_if<std::vector<std::uint32_t>>(&options.test))
    prepared.test_rows = take_rows("test", *wanted, table, prepared.rows);
  if (const auto* wanted = std::get_if<std::vector<std::uint32_t>>(&options.validation))
    prepared.validation_rows = take_rows("validation", *wanted, table, prepared.rows);
  for (const auto& [setting, rows] :
       {std::pair("test", &prepared.test_rows), std::pair("validation", &prepared.validation_rows),
        std::pair("", &prepared.rows)}) {
    const bool named = !rows->empty();
    drop_weightless(weights, *rows);
    if (named && rows->empty() && rows != &prepared.rows)
      fail_option(setting, "`{}`: all of these rows have the weight 0; name others", setting);
  }
  if (const double* share = std::get_if<double>(&options.test)) {
    Split split =
        prepared.splits.hold_out(prepared.rows, labels, *share, options.seed.value_or(0), test_stream);
    prepared.rows = std::move(split.kept);
    prepared.test_rows = std::move(split.held_out);
  }
}

/// What the options say about splits, and the numbers of the target: the paper's rows are drawn without looking at them.
RowSplits splits_of(const Table& table, const TrainingPlan& plan, const Options& options) {
  RowSplits splits = read_splits(table, encoding_options(options).split, plan.target);
  const auto target = table.find(plan.target);
  if (plan.task != Task::regression || options.effort == Effort::paper || !target) return splits;
  CellCheck check(table);
  check.complete(*target);
  check.numbers(*target);
  check.finish();
  splits.numbers.resize(table.rows());
  table.column(*target).numbers(0, splits.numbers);
  return splits;
}

void require_rows(const Table& table, const PreparedData& prepared) {
  const std::size_t needed = prepared.splits_rows() ? 2 : 1;
  if (prepared.rows.size() >= needed) return;
  fail("{}: {} row{} left to train{} on; at least {} {} needed", table.name(), prepared.rows.size(),
       prepared.rows.size() == 1 ? "" : "s", needed == 2 ? " and validate" : "", needed,
       needed == 2 ? "are" : "is");
}

/// Whether inputs get bins so that nets with and without can be compared.
bool tries_bins(const Table& table, const Options& options) {
  const Format format = table.info().format;
  return explores(options) && options.encode.value_or(Encode::automatic) == Encode::automatic &&
         format != Format::idx && format != Format::amat &&
         by_column(options.scale.value_or(Scaling::column));
}

void note_scratch(const RowMemory& memory, const Options& options, PreparedData& prepared) {
  if (memory.in_file() == 0) return;
  prepared.notes.push_back(
      fmt::format("inputs of {:.2f} GB, more than half of `memory` ({:.2f} GB), lie in a scratch file in {}",
                  memory.in_file() / 1e9, memory_of(options) / 1e9, ScratchFile::folder()));
}

void add_plain(PreparedData& prepared, RowMemory& memory) {
  const std::vector<std::uint32_t> inputs = prepared.encoding.plain_inputs();
  EncodedTables& plain = prepared.plain.emplace();
  plain.encoding = prepared.encoding.without_bins();
  plain.train = keep_inputs(prepared.train, inputs, &memory);
  if (prepared.validation) plain.validation = keep_inputs(*prepared.validation, inputs, &memory);
  if (prepared.test) plain.test = keep_inputs(*prepared.test, inputs, &memory);
}

/// How many different ones the rows have.
std::size_t distinct(std::span<const std::uint32_t> values, std::span<const std::uint32_t> rows) {
  std::set<std::uint32_t> seen;
  for (const std::uint32_t row : rows) seen.insert(values[row]);
  return seen.size();
}

/// The folds of an ensemble, which may be one net's teacher: as many as a column names, else as told or usual, but no more
/// than there are groups unless told.
std::size_t folds_for(const Options& options, bool image, const PreparedData& prepared) {
  const std::size_t wanted = std::max(nets_of_ensemble(options, image, prepared.rows.size()),
                                      nets_of_teacher(options, image, prepared.rows.size()));
  const RowSplits& splits = prepared.splits;
  if (wanted > 1 && !splits.folds.empty()) return distinct(splits.folds, prepared.rows);
  if (wanted > 1 && !splits.groups.empty() && options.ensemble.value_or(1) == 1)
    return std::min(wanted, distinct(splits.groups, prepared.rows));
  return wanted;
}

/// Divides the rows into folds, each of which validates one net of an ensemble.
void divide(PreparedData& prepared, std::size_t folds) {
  const Dataset& train = prepared.train;
  const RowSplits& splits = prepared.splits;
  prepared.folds = folds;
  prepared.validation_fraction = 0;
  if (!splits.folds.empty()) {
    std::map<std::uint32_t, std::uint32_t> numbers;  // of the folds that these rows have
    for (const std::uint32_t row : prepared.rows) numbers.emplace(splits.folds[row], 0);
    std::uint32_t next = 0;
    for (auto& [fold, number] : numbers) number = next++;
    for (const std::uint32_t row : prepared.rows) prepared.fold_of.push_back(numbers.at(splits.folds[row]));
    return;
  }
  const std::vector<std::uint32_t> strata =
      train.labels.empty() ? quantile_strata(train.targets, target_strata) : train.labels;
  prepared.fold_of = assign_folds(prepared.rows, {.strata = strata, .groups = splits.groups}, folds,
                                  prepared.first_seed, validation_stream);
}

/// Of a table's rows; none if all count the same.
std::vector<float> weights_in(const Table& table, const Options& options) {
  return options.weight ? read_weights(table, *options.weight) : std::vector<float>{};
}

/// Gives rows their weights, those of classes included, and says so.
void weigh(PreparedData& prepared, const Options& options, const std::vector<float>& weights) {
  prepared.train.weights = weights;
  if (const Table* rows = std::get_if<Table>(&options.validation))
    prepared.validation->weights = weights_in(*rows, options);
  if (const Table* rows = std::get_if<Table>(&options.test))
    prepared.test->weights = weights_in(*rows, options);
  if (!weights.empty()) {
    const auto without = std::ranges::count(weights, 0.0F);
    prepared.notes.push_back(
        fmt::format("rows count by the column {}, in training and in errors{}", cited(*options.weight),
                    without > 0 ? fmt::format("; {} rows of weight 0 are left out", without) : ""));
  }
  const std::vector<double> factors =
      class_factors(options.class_weights, prepared.encoding, prepared.train, prepared.rows);
  weigh_classes(prepared.train, factors);
  if (prepared.validation) weigh_classes(*prepared.validation, factors);
  if (prepared.test) weigh_classes(*prepared.test, factors);
  if (factors.empty()) return;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < factors.size(); ++k)
    texts.push_back(fmt::format("{} {:.4g}", prepared.encoding.target.classes[k], factors[k]));
  prepared.notes.push_back(
      fmt::format("rows count by their classes, in training and in errors: {}", listed(texts, 10)));
}

}  // namespace

NetData PreparedData::net_data(std::uint64_t seed, NetShare share) const {
  seed -= share.beginning;
  const EncodedTables& encoded = tables(share.plain);
  NetData data{.train = &encoded.train,
               .train_rows = rows,
               .validation = encoded.validation ? &*encoded.validation : &encoded.train,
               .validation_rows = validation_rows,
               .classes = classes()};
  if (folds > 0) {
    data.train_rows.clear();
    for (std::size_t i = 0; i < rows.size(); ++i)
      (fold_of[i] == share.fold ? data.validation_rows : data.train_rows).push_back(rows[i]);
    Random(seed, Purpose::split, fold_stream).shuffle(data.train_rows);
  } else if (validation) {
    data.validation_rows = counting_rows(*validation);
  } else if (splits_rows()) {
    Split split = splits.folds.empty()
                      ? splits.hold_out(rows, train.labels, validation_fraction, seed, validation_stream)
                      : splits.hold_out_fold(rows, seed - first_seed, seed, validation_stream);
    data.train_rows = std::move(split.kept);
    data.validation_rows = std::move(split.held_out);
  }
  if (share.all_rows) {
    data.train_rows.insert(data.train_rows.end(), data.validation_rows.begin(), data.validation_rows.end());
    Random(seed, Purpose::split, all_rows_stream).shuffle(data.train_rows);
  }
  return data;
}

std::size_t PreparedData::train_count() const {
  return rows.size() - (splits_rows() ? validation_count() : 0);
}

std::size_t PreparedData::validation_count() const {
  if (folds > 0) return static_cast<std::size_t>(std::ranges::count(fold_of, 0U));
  if (validation) return counting_rows(*validation).size();
  if (splits_rows() && splits.by_column()) return split_validation;
  return validation_fraction > 0 ? held_out_count(rows.size(), validation_fraction) : validation_rows.size();
}

std::vector<std::uint32_t> PreparedData::all_test_rows() const {
  return test ? counting_rows(*test) : test_rows;
}

bool PreparedData::images() const {
  return encoding.format == Format::idx || encoding.format == Format::amat || summary.image.has_value();
}

Prepared prepare(const Table& table, const Options& given, const std::function<void()>& check) {
  const WithArithmetic as_asked(arithmetic_of(given));
  check_values(given);
  if (!given.warm_start) refuse_combinations(given);
  Options options = given.warm_start ? settled_by_model(given) : given;
  if (given.warm_start) refuse_combinations(options);
  if (options.rows_over_ranks.value_or(false)) {  // one table for all nets
    options.encode = Encode::plain;
    options.distil = Distil::off;
  }
  PreparedData prepared;
  const std::string& what = table.info().description;
  prepared.notes.push_back(fmt::format("{}: {} rows, {}", table.name(), table.rows(),
                                       what.empty() ? fmt::format("{} columns", table.columns()) : what));
  if (options.threads.value_or(0) > useful_threads()) {
    prepared.notes.push_back(
        fmt::format("`threads` {}: {} are used, since more would only wait for each other", *options.threads,
                    useful_threads()));
  }
  const ModelParts* warm = options.warm_start ? &options.warm_start->parts() : nullptr;
  const TrainingPlan plan =
      warm != nullptr ? TrainingPlan{.task = warm->encoding.task,
                                     .target = warm->encoding.target.name,
                                     .derived = {},
                                     .uses = {}}
                      : plan_training(table, encoding_options(options), prepared.notes, prepared.warnings);
  prepared.rows = all_rows(table.rows());
  prepared.validation_fraction = validation_share(options, false);
  prepared.splits = splits_of(table, plan, options);
  for (const std::string& name : prepared.splits.columns.names())
    prepared.notes.push_back(fmt::format("column {} says how rows are split and is no input", cited(name)));
  prepared.first_seed = options.seed.value_or(0);
  refuse_metric(options.metric, plan.task);
  if (options.label_smoothing.value_or(0) > 0 && plan.task == Task::regression)
    fail_option("label-smoothing", "`label-smoothing`: numbers have no labels; leave it out");
  const std::vector<float> weights = weights_in(table, options);
  hold_out(prepared, table, options, raw_labels(table, plan), weights);
  require_rows(table, prepared);
  check();
  EncodingOptions encoding = encoding_options(options);
  if (tries_bins(table, options)) encoding.encode = Encode::bins;
  prepared.encoding = warm != nullptr ? warm->encoding
                                      : fit_encoding(table, plan, encoding, prepared.rows, prepared.notes,
                                                     prepared.warnings, weights, thread_count(options));
  prepared.summary = summarize(table, prepared.encoding);
  const bool image = prepared.images();
  prepared.validation_fraction = validation_share(options, image);
  if (tries_bins(table, options) && (image || prepared.encoding.inputs() > most_numbers / table.rows())) {
    prepared.encoding = prepared.encoding.without_bins();
    prepared.summary = summarize(table, prepared.encoding);
  }
  check();
  RowMemory memory(share_of_inputs * memory_of(options));
  prepared.train = encode(table, prepared.encoding, true, prepared.warnings, thread_count(options), &memory);
  check();
  if (warm != nullptr) {
    refuse_new_classes(table, prepared.train, prepared.encoding);
    for (std::size_t i = 0; i < warm->nets(); ++i) {
      prepared.warm_starts.push_back(warm->net(i).network);
      if (warm->net(i).plain)
        widen(prepared.warm_starts.back(), warm->encoding.plain_inputs(), warm->encoding.inputs());
    }
  }
  if (const Table* rows = std::get_if<Table>(&options.validation))
    prepared.validation = encode(*rows, prepared.encoding, true, prepared.warnings, 1, &memory);
  if (const Table* rows = std::get_if<Table>(&options.test))
    prepared.test = encode(*rows, prepared.encoding, true, prepared.warnings, 1, &memory);
  weigh(prepared, options, weights);
  check();

  if (tries_bins(table, options) && prepared.encoding.has_bins()) add_plain(prepared, memory);
  note_scratch(memory, options, prepared);
  if (const std::size_t folds = folds_for(options, image, prepared); folds > 1) divide(prepared, folds);
  check();

  if (prepared.splits.by_column())
    prepared.split_validation = prepared.net_data(prepared.first_seed).validation_rows.size();
  const double share =
      prepared.folds > 0 ? 1 - 1 / static_cast<double>(prepared.folds) : 1 - prepared.validation_fraction;
  DataFacts facts{.target = plan.target,
                  .task = plan.task,
                  .scaling = prepared.encoding.scaling,
                  .transform = prepared.encoding.target.transform,
                  .folds = prepared.folds,
                  .taught = prepared.folds > 1 && nets_of_teacher(options, image, prepared.rows.size()) > 1,
                  .train_rows = prepared.splits.by_column()
                                    ? prepared.train_count()
                                    : static_cast<std::size_t>(
                                          std::llround(share * static_cast<double>(prepared.rows.size()))),
                  .images = image};
  Options complete = resolve(options, facts);
  facts.folds = 0;
  facts.train_rows = lesson_rows(prepared.rows.size());
  Options lessons = resolve(options, facts);
  for (HeldOut* rows : {&complete.validation, &complete.test, &lessons.validation, &lessons.test})
    if (std::holds_alternative<Table>(*rows)) *rows = Table();
  std::vector<Variant> variants =
      image ? std::vector<Variant>{{.hidden_layers = *complete.hidden_layers, .bins = false}}
            : variants_of(given, complete, prepared.encoding.has_bins());
  return {.data = std::move(prepared),
          .options = std::move(complete),
          .variants = std::move(variants),
          .lessons = std::move(lessons)};
}

}  // namespace coppice
