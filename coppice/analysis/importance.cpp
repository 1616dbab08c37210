#include "coppice/analysis/importance.h"

#include "coppice/analysis/metrics.h"
#include "coppice/core/random.h"
#include "coppice/device/rows.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace coppice {

namespace {

/// The rows as a data set of their own, whose columns may be shuffled.
Dataset copy_of(const Dataset& data, std::span<const std::uint32_t> rows) {
  Dataset copy;
  copy.inputs = inputs_of(data, rows);
  for (const std::uint32_t row : rows) {
    if (!data.labels.empty()) copy.labels.push_back(data.labels[row]);
    if (!data.targets.empty()) copy.targets.push_back(data.targets[row]);
    if (!data.weights.empty()) copy.weights.push_back(data.weights[row]);
  }
  return copy;
}

/// Puts the group's inputs of row order[i] of `from` into row i of `to`.
void move_inputs(const Matrix<float>& from, std::span<const std::uint32_t> order, const InputGroup& group,
                 Matrix<float>& to) {
  for (std::size_t row = 0; row < order.size(); ++row) {
    for (const std::size_t input : group) to(row, input) = from(order[row], input);
  }
}

/// What permutations are judged by. `net_of`: for every row, or none.
double loss_on(ThreadPool& pool, const Model& model, const Dataset& data,
               std::span<const std::uint32_t> net_of) {
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  const Matrix<float> scores = predict_scores_by(pool, model.folded(), data, rows, net_of);
  const Metrics metrics = measure(model.parts(), scores,
                                  {.labels = data.labels, .targets = data.targets, .weights = data.weights});
  return model.task() == Task::classification ? metrics.log_loss : metrics.error;
}

}  // namespace

std::vector<ColumnGroup> column_groups(const Encoding& encoding) {
  std::unordered_map<std::string, std::string> sources;
  for (const Derived& derived : encoding.derived) {
    for (const std::string& name : derived.names()) sources.emplace(name, derived.source);
  }
  std::unordered_map<std::string, std::size_t> made;  // of columns that others are made of too
  std::vector<ColumnGroup> groups;
  std::size_t first = 0;
  for (const InputColumn& column : encoding.columns) {
    const auto source = sources.find(column.name);
    const std::string& name = source == sources.end() ? column.name : source->second;
    std::size_t place = groups.size();
    if (!sources.empty()) place = made.emplace(name, groups.size()).first->second;
    if (place == groups.size()) groups.push_back({.name = name, .inputs = {}});
    for (std::size_t i = 0; i < column.width(); ++i) groups[place].inputs.push_back(first + i);
    first += column.width();
  }
  return groups;
}

std::vector<InputGroup> inputs_of(std::span<const ColumnGroup> groups) {
  std::vector<InputGroup> inputs;
  for (const ColumnGroup& group : groups) inputs.push_back(group.inputs);
  return inputs;
}

std::vector<double> input_deviations(const Dataset& data, std::span<const std::uint32_t> rows) {
  const std::size_t inputs = data.input_count();
  const auto count = static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  std::vector<double> mean(inputs);
  for_inputs(data, rows, [&](std::uint32_t, std::span<const float> values) {
    for (std::size_t i = 0; i < inputs; ++i) mean[i] += values[i] / count;
  });
  std::vector<double> deviations(inputs);
  for_inputs(data, rows, [&](std::uint32_t, std::span<const float> values) {
    for (std::size_t i = 0; i < inputs; ++i) {
      const double difference = values[i] - mean[i];
      deviations[i] += difference * difference / count;
    }
  });
  for (double& value : deviations) value = std::sqrt(value);
  return deviations;
}

std::vector<double> input_strengths(const Model& model, std::span<const double> deviations) {
  std::vector<double> squares(deviations.size());
  for (const FoldedNet& net : model.folded()) {
    const std::vector<Layer<float>>& layers = net.network.layers;
    std::vector<double> reach;
    if (layers.size() > 1) {
      reach.resize(layers[1].weights.cols());
      column_lengths(layers[1].weights.view(), std::span(reach));
    }
    std::vector<double> strengths(deviations.size());
    column_lengths(layers.front().weights.view(), std::span(strengths), reach);
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += strengths[i] * strengths[i];
  }
  std::vector<double> strengths;
  for (std::size_t i = 0; i < squares.size(); ++i)
    strengths.push_back(std::sqrt(squares[i] / static_cast<double>(model.nets())) * deviations[i]);
  return strengths;
}

std::vector<double> group_strengths(std::span<const double> inputs, std::span<const InputGroup> groups) {
  std::vector<double> strengths;
  for (const InputGroup& group : groups) {
    double squares = 0;
    for (const std::size_t input : group) squares += inputs[input] * inputs[input];
    strengths.push_back(std::sqrt(squares));
  }
  return strengths;
}

std::vector<double> permutation_importance(ThreadPool& pool, const Model& model, const Dataset& data,
                                           std::span<const std::uint32_t> rows,
                                           std::span<const InputGroup> groups, std::uint64_t seed,
                                           std::span<const std::uint32_t> net_of) {
  const Dataset original = copy_of(data, rows);
  Dataset shuffled = original;
  std::vector<std::uint32_t> answering;
  for (std::size_t i = 0; i < rows.size() && !net_of.empty(); ++i) answering.push_back(net_of[rows[i]]);
  const double loss = loss_on(pool, model, original, answering);
  std::vector<std::uint32_t> in_order(rows.size());
  std::iota(in_order.begin(), in_order.end(), 0U);
  std::vector<double> rises;
  for (const InputGroup& group : groups) {
    std::vector<std::uint32_t> order = in_order;
    // Named by what is shuffled, so that a column's number does not depend on which others are looked at.
    Random(seed, Purpose::permutation, static_cast<std::uint32_t>(group.empty() ? 0 : group.front()))
        .shuffle(order);
    move_inputs(original.inputs, order, group, shuffled.inputs);
    rises.push_back(loss_on(pool, model, shuffled, answering) - loss);
    move_inputs(original.inputs, in_order, group, shuffled.inputs);
  }
  return rises;
}

}  // namespace coppice
