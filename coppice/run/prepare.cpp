#include "coppice/run/prepare.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/data/reader.h"
#include "coppice/data/split.h"
#include "coppice/run/effort.h"
#include "coppice/run/warm_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

constexpr double default_validation = 1.0 / 6;  // MNIST's 50,000 to 10,000
constexpr std::uint32_t test_stream = 0;
constexpr std::uint32_t validation_stream = 1;

/// A fraction, or nothing if the text names a file.
std::optional<double> fraction(const std::string& flag, const std::string& text) {
  const std::optional<double> value = parse_number(trim(text));
  if (!value) return std::nullopt;
  if (!(*value > 0 && *value < 1)) fail("--{} {}: a fraction must lie between 0 and 1", flag, cited(text));
  return value;
}

/// Labels that a split can be stratified by, before the encoding is known.
std::vector<std::uint32_t> raw_labels(const Table& table, const TrainingPlan& plan) {
  if (plan.task != Task::classification) return {};
  return std::ranges::find(table.columns, plan.target, &Column::name)->codes;
}

Dataset load_labelled(const Encoding& encoding, const Source& source, std::vector<std::string>& warnings) {
  const TableProfile profile = profile_table(source);
  const LoadPlan plan = plan_loading(profile, encoding, true, warnings);
  return encode(load_table(profile, plan), encoding, warnings);
}

}  // namespace

bool names_file(const std::string& text) {
  return !text.empty() && !parse_number(trim(text));
}

namespace {

/// The file of test rows, if there is one: named, or part of the data.
std::optional<Source> test_source(const RunOptions& options) {
  if (options.test.empty()) return test_part_of(options.data);
  if (names_file(options.test)) return find_source(options.test, true);
  return std::nullopt;
}

}  // namespace

NetData PreparedData::net_data(std::uint64_t seed) const {
  NetData data{.train = &train,
               .train_rows = rows,
               .validation = nullptr,
               .validation_rows = {},
               .classes = classes()};
  if (validation) {
    data.validation = &*validation;
    data.validation_rows.resize(validation->rows());
    std::iota(data.validation_rows.begin(), data.validation_rows.end(), 0U);
  } else {
    Split split = split_rows(rows, train.labels, validation_fraction, seed, validation_stream);
    data.validation = &train;
    data.train_rows = std::move(split.kept);
    data.validation_rows = std::move(split.held_out);
  }
  return data;
}

nlohmann::json file_checksums(const RunOptions& options) {
  const auto sum = [](const Source& source) { return fmt::format("{:08x}", source_checksum(source)); };
  nlohmann::json sums{{"data", sum(find_source(options.data))}};
  if (names_file(options.validation)) sums["validation"] = sum(find_source(options.validation));
  if (const std::optional<Source> source = test_source(options)) sums["test"] = sum(*source);
  if (!options.warm_start.empty()) {
    require_file(options.warm_start, "model");
    sums["warm-start"] = fmt::format("{:08x}", file_checksum(options.warm_start));
  }
  return sums;
}

PreparedData prepare_data(RunOptions& options) {
  PreparedData prepared;
  prepared.checksums = file_checksums(options);
  const Source source = find_source(options.data);
  const TableProfile profile = profile_table(source);
  prepared.notes.push_back(fmt::format("{}: {} rows, {}", options.data, profile.rows, profile.description));
  std::optional<Model> warm;
  if (!options.warm_start.empty()) warm = model_to_continue(options);
  const TrainingPlan plan = warm
                                ? plan_continuing(profile, warm->encoding, prepared.warnings)
                                : plan_training(profile, options.encoding, prepared.notes, prepared.warnings);
  const auto test_fraction = fraction("test", options.test);
  const auto validation_fraction = fraction("validation", options.validation);
  {
    const Table table = load_table(profile, plan.load);
    prepared.rows.resize(table.rows);
    std::iota(prepared.rows.begin(), prepared.rows.end(), 0U);
    if (test_fraction) {
      Split split =
          split_rows(prepared.rows, raw_labels(table, plan), *test_fraction, options.seed, test_stream);
      prepared.rows = std::move(split.kept);
      prepared.test_rows = std::move(split.held_out);
    }
    prepared.encoding =
        warm ? warm->encoding
             : fit_encoding(table, plan, profile, options.encoding, prepared.rows, prepared.warnings);
    prepared.train = encode(table, prepared.encoding, prepared.warnings);
    if (warm) {
      refuse_new_classes(table, prepared.train, prepared.encoding, options);
      prepared.warm_start = std::move(warm->network);
    }
    prepared.summary = summarize(profile, table, prepared.encoding);
  }
  if (options.validation.empty() || validation_fraction) {
    prepared.validation_fraction = validation_fraction.value_or(default_validation);
    if (prepared.rows.size() < 2)
      fail("{}: {} rows left to train and validate on; at least 2 are needed", options.data,
           prepared.rows.size());
  } else {
    prepared.validation =
        load_labelled(prepared.encoding, find_source(options.validation), prepared.warnings);
  }
  if (const std::optional<Source> test = test_source(options)) {
    prepared.test = load_labelled(prepared.encoding, *test, prepared.warnings);
  }
  options.encoding.target = plan.target;
  options.encoding.task = plan.task;
  options.encoding.scaling = prepared.encoding.scaling;
  if (options.validation.empty()) options.validation = fmt::format("{}", default_validation);
  const double train_share = prepared.validation ? 1.0 : 1.0 - prepared.validation_fraction;
  apply_effort(options, static_cast<std::size_t>(
                            std::llround(train_share * static_cast<double>(prepared.rows.size()))));
  return prepared;
}

LoadedData load_for(const Encoding& encoding, const std::string& path, bool with_target,
                    std::vector<std::string>& warnings) {
  const Source source = find_source(path, true);
  const TableProfile profile = profile_table(source);
  const LoadPlan plan = plan_loading(profile, encoding, with_target, warnings);
  const Table table = load_table(profile, plan);
  LoadedData loaded;
  for (const std::string& id : encoding.ids) {
    const auto column = std::ranges::find(table.columns, id, &Column::name);
    if (column == table.columns.end()) continue;
    std::vector<std::string>& texts = loaded.ids.emplace_back();
    for (const std::uint32_t code : column->codes) {
      texts.push_back(code == Column::missing ? std::string() : column->values[code]);
    }
    loaded.id_names.push_back(id);
  }
  loaded.data = encode(table, encoding, warnings);
  return loaded;
}

}  // namespace coppice
