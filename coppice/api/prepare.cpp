#include "coppice/api/prepare.h"

#include "coppice/api/combinations.h"
#include "coppice/api/resolve.h"
#include "coppice/api/settings.h"
#include "coppice/api/warm_start.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/split.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

constexpr std::uint32_t test_stream = 0;
constexpr std::uint32_t validation_stream = 1;

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

/// Rows that nets do not learn from, taken out of `prepared.rows` before the encoding is fitted, which must not see test
/// rows: first those told by number, then a share of the others.
void hold_out(PreparedData& prepared, const Table& table, const Options& options,
              std::span<const std::uint32_t> labels) {
  if (const auto* wanted = std::get_if<std::vector<std::uint32_t>>(&options.test))
    prepared.test_rows = take_rows("test", *wanted, table, prepared.rows);
  if (const auto* wanted = std::get_if<std::vector<std::uint32_t>>(&options.validation))
    prepared.validation_rows = take_rows("validation", *wanted, table, prepared.rows);
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

}  // namespace

NetData PreparedData::net_data(std::uint64_t seed) const {
  NetData data{.train = &train,
               .train_rows = rows,
               .validation = validation ? &*validation : &train,
               .validation_rows = validation_rows,
               .classes = classes()};
  if (validation) {
    data.validation_rows = all_rows(validation->rows());
  } else if (splits_rows()) {
    Split split = splits.folds.empty()
                      ? splits.hold_out(rows, train.labels, validation_fraction, seed, validation_stream)
                      : splits.hold_out_fold(rows, seed - first_seed, seed, validation_stream);
    data.train_rows = std::move(split.kept);
    data.validation_rows = std::move(split.held_out);
  }
  return data;
}

std::size_t PreparedData::train_count() const {
  return rows.size() - (splits_rows() ? validation_count() : 0);
}

std::size_t PreparedData::validation_count() const {
  if (validation) return validation->rows();
  if (splits_rows() && splits.by_column()) return split_validation;
  return validation_fraction > 0 ? held_out_count(rows.size(), validation_fraction) : validation_rows.size();
}

std::vector<std::uint32_t> PreparedData::all_test_rows() const {
  return test ? all_rows(test->rows()) : test_rows;
}

bool PreparedData::images() const {
  return encoding.format == Format::idx || encoding.format == Format::amat || summary.image.has_value();
}

Prepared prepare(const Table& table, const Options& given, const std::function<void()>& check) {
  check_values(given);
  if (!given.warm_start) refuse_combinations(given);
  const Options options = given.warm_start ? settled_by_model(given) : given;
  if (given.warm_start) refuse_combinations(options);
  PreparedData prepared;
  const std::string& what = table.info().description;
  prepared.notes.push_back(fmt::format("{}: {} rows, {}", table.name(), table.rows(),
                                       what.empty() ? fmt::format("{} columns", table.columns()) : what));
  const ModelParts* warm = options.warm_start ? &options.warm_start->parts() : nullptr;
  const EncodingOptions encoding = encoding_options(options);
  const TrainingPlan plan = warm != nullptr
                                ? TrainingPlan{.task = warm->encoding.task,
                                               .target = warm->encoding.target.name,
                                               .derived = {},
                                               .uses = {}}
                                : plan_training(table, encoding, prepared.notes, prepared.warnings);
  prepared.rows = all_rows(table.rows());
  prepared.validation_fraction = validation_share(options);
  prepared.splits = splits_of(table, plan, options);
  for (const std::string& name : prepared.splits.columns.names())
    prepared.notes.push_back(fmt::format("column {} says how rows are split and is no input", cited(name)));
  prepared.first_seed = options.seed.value_or(0);
  hold_out(prepared, table, options, raw_labels(table, plan));
  require_rows(table, prepared);
  check();
  prepared.encoding =
      warm != nullptr ? warm->encoding
                      : fit_encoding(table, plan, encoding, prepared.rows, prepared.notes, prepared.warnings);
  check();
  prepared.train = encode(table, prepared.encoding, true, prepared.warnings);
  check();
  if (warm != nullptr) {
    refuse_new_classes(table, prepared.train, prepared.encoding);
    prepared.warm_start = warm->network;
  }
  prepared.summary = summarize(table, prepared.encoding);
  if (const Table* rows = std::get_if<Table>(&options.validation))
    prepared.validation = encode(*rows, prepared.encoding, true, prepared.warnings);
  if (const Table* rows = std::get_if<Table>(&options.test))
    prepared.test = encode(*rows, prepared.encoding, true, prepared.warnings);
  check();

  if (prepared.splits.by_column())
    prepared.split_validation = prepared.net_data(prepared.first_seed).validation_rows.size();
  const double share = 1 - prepared.validation_fraction;
  Options complete = resolve(
      options, {.target = plan.target,
                .task = plan.task,
                .scaling = prepared.encoding.scaling,
                .transform = prepared.encoding.target.transform,
                .train_rows = prepared.splits.by_column()
                                  ? prepared.train_count()
                                  : static_cast<std::size_t>(
                                        std::llround(share * static_cast<double>(prepared.rows.size())))});
  for (HeldOut* rows : {&complete.validation, &complete.test})
    if (std::holds_alternative<Table>(*rows)) *rows = Table();
  return {.data = std::move(prepared), .options = std::move(complete)};
}

}  // namespace coppice
