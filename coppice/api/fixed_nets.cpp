#include "coppice/api/fixed_nets.h"

#include "coppice/analysis/importance.h"
#include "coppice/core/fail.h"
#include "coppice/data/keep_columns.h"
#include "coppice/exports/footprint.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace coppice {

namespace {

// Found on tables of 300 to 14,000 rows and budgets of 60 to 1,500 parameters.
constexpr double adam_step = 0.01;
constexpr double more_patience = 4;  ///< small nets learn on for long, and cost little

/// A header's numbers may have more digits than those of a net that was not trained.
constexpr std::size_t header_digits = 256;

/// The share of each input's variance that the target explains: the variance between the means of classes, or the squared
/// correlation with a number.
std::vector<double> told_by_target(const NetData& data) {
  const bool classes = data.classes > 0;
  const std::size_t inputs = data.train->input_count();
  const std::size_t groups = classes ? data.classes : 1;
  const auto rows = static_cast<double>(data.train_rows.size());
  double target_mean = 0;
  for (const std::uint32_t row : data.train_rows)
    target_mean += classes ? 0 : data.train->targets[row] / rows;
  Matrix<double> sums(groups, inputs);  // over the rows of a class; of numbers, times the target
  std::vector<double> weights(groups);  // rows of a class; squares of the target
  std::vector<double> sum(inputs);
  std::vector<double> squares(inputs);
  for_inputs(*data.train, data.train_rows, [&](std::uint32_t row, std::span<const float> values) {
    const std::size_t group = classes ? data.train->labels[row] : 0;
    const double factor = classes ? 1 : data.train->targets[row] - target_mean;
    weights[group] += factor * factor;
    for (std::size_t i = 0; i < inputs; ++i) {
      const double value = values[i];
      sums(group, i) += factor * value;
      sum[i] += value;
      squares[i] += value * value;
    }
  });
  std::vector<double> shares(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    const double all = squares[i] - sum[i] * sum[i] / rows;
    double told = classes ? -sum[i] * sum[i] / rows : 0;
    for (std::size_t g = 0; g < groups; ++g)
      told += weights[g] > 0 ? sums(g, i) * sums(g, i) / weights[g] : 0;
    shares[i] = all > 0 ? std::max(0.0, told / all) : 0;
  }
  return shares;
}

/// Squares of how far inputs reach into the net.
std::vector<double> reach_of(const Trainer& trainer, const NetState& state, const PreparedData& data,
                             const NetData& net) {
  Workspace<float> workspace;
  ModelParts parts;
  parts.encoding = data.encoding;
  parts.network = state.network;
  parts.statistics = trainer.statistics(state.network, net, workspace);
  const Model model(std::move(parts));
  std::vector<double> reach = input_strengths(model, input_deviations(*net.train, net.train_rows));
  for (double& strength : reach) strength *= strength;
  return reach;
}

/// Columns by what an input of theirs is worth on average, the most first.
Columns by_worth(const Encoding& encoding, const std::vector<double>& inputs) {
  const std::vector<InputGroup> groups = inputs_of(column_groups(encoding));
  std::vector<double> worth;
  for (const InputGroup& group : groups) {
    double sum = 0;
    for (const std::size_t i : group) sum += inputs[i];
    worth.push_back(sum / static_cast<double>(group.size()));
  }
  Columns order(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t c) { return worth[c]; });
  return order;
}

/// As long in a file as that of many rows.
Conformity usual_conformity(Task task) {
  constexpr std::size_t many = 100'000;
  constexpr double number = 0.01234;
  Conformity conformity;
  conformity.rows = many;
  conformity.scores.assign(kept_ranks(many).size(), number);
  if (task == Task::regression) conformity.answers = conformity.errors = std::vector<double>(5, number);
  return conformity;
}

std::unordered_set<std::string> names_of_columns(const Encoding& encoding, const Columns& columns) {
  const std::vector<ColumnGroup> groups = column_groups(encoding);
  std::unordered_set<std::string> names;
  for (const std::uint32_t c : columns) names.insert(groups[c].name);
  return names;
}

}  // namespace

TrainingOptions fixed_options(TrainingOptions options, const HiddenUnits& hidden) {
  options.fixed_size = hidden;
  options.hidden_layers = hidden.size();
  options.patience *= more_patience;
  options.fine_patience *= more_patience;
  // A penalty needs lengths that mean something and steps that leave them alone. Without one there are better ones.
  if (options.norm == Norm::capnorm) options.norm = Norm::batchnorm_affine;
  options.kinks = options.kink_step = options.output_scale_step = 0;
  options.capnorm_rows = 0;
  if (turns_fan_ins(options.optimizer)) {
    options.optimizer = OptimizerKind::adam;
    options.step = adam_step;
  }
  return options;
}

std::vector<std::size_t> column_widths(const PreparedData& data) {
  std::vector<std::size_t> widths;
  for (const ColumnGroup& group : column_groups(data.encoding)) widths.push_back(group.inputs.size());
  return widths;
}

PreparedData keep_columns(const PreparedData& data, const Columns& columns) {
  const std::unordered_set<std::string> names = names_of_columns(data.encoding, columns);
  const std::vector<std::uint32_t> inputs = inputs_made_of(data.encoding, names);
  PreparedData kept;
  kept.encoding = keep_columns(data.encoding, names);
  kept.train = keep_inputs(data.train, inputs);
  if (data.validation) kept.validation = keep_inputs(*data.validation, inputs);
  if (data.test) kept.test = keep_inputs(*data.test, inputs);
  kept.rows = data.rows;
  kept.validation_rows = data.validation_rows;
  kept.test_rows = data.test_rows;
  kept.validation_fraction = data.validation_fraction;
  kept.splits = data.splits;
  kept.first_seed = data.first_seed;
  kept.split_validation = data.split_validation;
  kept.folds = data.folds;
  kept.fold_of = data.fold_of;
  kept.summary = data.summary;
  for (ColumnSummary& column : kept.summary.columns) {
    if (column.inputs == 0 || names.contains(column.name)) continue;
    column.role = ColumnRole::unused;
    column.inputs = 0;
  }
  if (!kept.summary.pixels.empty()) {  // one per column: an image's are not made of others
    kept.summary.pixels.clear();
    for (const std::uint32_t c : columns) kept.summary.pixels.push_back(data.summary.pixels[c]);
  }
  return kept;
}

std::size_t model_size(const Encoding& encoding, const Network<float>& network, BytesFor bytes) {
  ModelParts model;
  model.encoding = encoding;
  model.network = network;
  for (const Layer<float>& layer : network.layers) {
    model.statistics.mean.emplace_back(layer.weights.rows());
    model.statistics.divisor.emplace_back(layer.weights.rows(), 1.0F);
  }
  if (bytes != BytesFor::model) return bytes_of(Model(std::move(model)), bytes);
  model.conformity = usual_conformity(encoding.task);
  return model_bytes(model).size();
}

std::size_t bytes_of(const Model& model, BytesFor bytes) {
  if (bytes == BytesFor::model) return model.bytes().size();
  const auto taken = footprint(model);
  if (!taken) {
    fail_option(
        "for",
        "`for` {}: {} network inputs are more than a C header counts; leave it out, or `ignore` columns",
        name_of(bytes), model.inputs());
  }
  return bytes == BytesFor::c ? taken->flash : taken->int8_flash;
}

std::optional<BytesFor> counted_bytes(const Options& options) {
  return options.max_bytes ? options.bytes_for : std::nullopt;
}

Candidate size_of(const PreparedData& data, const TrainingOptions& options, const Columns& columns,
                  const HiddenUnits& hidden, std::optional<BytesFor> bytes) {
  const TrainingOptions fixed = fixed_options(options, hidden);
  const bool all = columns.empty();
  const std::unordered_set<std::string> names =
      all ? std::unordered_set<std::string>() : names_of_columns(data.encoding, columns);
  NetworkShape shape{.inputs = all ? data.encoding.inputs() : inputs_made_of(data.encoding, names).size(),
                     .outputs = std::max<std::size_t>(1, data.classes()),
                     .hidden = hidden,
                     .activation = options.activation,
                     .norm = fixed.norm,
                     .output_capnorm = fixed.caps_output()};
  Candidate size;
  const std::size_t per_unit = shape.norm == Norm::batchnorm_affine ? 2 : 0;
  std::size_t below = shape.inputs;
  for (const std::size_t units : hidden) {
    size.parameters += units * (below + per_unit);
    below = units;
  }
  size.parameters += below * shape.outputs;
  if (!bytes) return size;
  Network<float> network = make_network<float>(shape, 0);
  network.offset.resize(data.classes() > 0 && options.prior_offset ? data.classes() : 0);
  size.bytes = model_size(all ? data.encoding : keep_columns(data.encoding, names), network, *bytes) +
               (*bytes == BytesFor::model ? header_digits : 0);
  return size;
}

Columns rank_columns(const Trainer& trainer, const NetState& state, const PreparedData& data,
                     std::uint64_t seed, const Columns& columns) {
  Columns order = by_worth(data.encoding, reach_of(trainer, state, data, data.net_data(seed)));
  if (!columns.empty()) {
    for (std::uint32_t& c : order) c = columns[c];
  }
  return order;
}

Columns telling_columns(const PreparedData& data, std::uint64_t seed) {
  return by_worth(data.encoding, told_by_target(data.net_data(seed)));
}

}  // namespace coppice
