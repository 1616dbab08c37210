#include "coppice/training/base_rate.h"

#include "coppice/network/resize.h"

#include <algorithm>
#include <cmath>

namespace coppice {

std::vector<float> base_rate(const NetData& data) {
  std::vector<double> counts(data.classes);
  for (const std::uint32_t row : data.train_rows) counts[data.train->labels[row]] += 1;
  const auto rows = static_cast<double>(data.train_rows.size());
  std::vector<float> offset;
  // A class that the split left without a training row counts as half a row: its logarithm must be finite.
  for (const double count : counts)
    offset.push_back(static_cast<float>(std::log(std::max(count, 0.5) / rows)));
  return offset;
}

double base_criterion(const NetData& data, Metric metric) {
  const Dataset& set = *data.validation;
  double sum = 0;
  if (data.classes == 0) {
    for (const std::uint32_t row : data.validation_rows) sum += std::pow(set.targets[row], 2);
    return sum / static_cast<double>(data.validation_rows.size());
  }
  const std::vector<float> logs = base_rate(data);
  const auto usual = static_cast<std::size_t>(std::ranges::max_element(logs) - logs.begin());
  for (const std::uint32_t row : data.validation_rows) {
    const std::size_t label = set.labels[row];
    if (metric == Metric::error) {
      sum += label == usual ? 0 : 1;
    } else if (label < logs.size()) {
      sum -= logs[label];
    }
  }
  return sum / static_cast<double>(data.validation_rows.size());
}

NetState unlearned(const NetState& state, std::vector<UnitEvent>& removed) {
  NetState plain = state;
  std::vector<Layer<float>>& layers = plain.network.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    for (std::size_t j = 1; j < layers[l].units.size(); ++j) removed.push_back({layers[l].units[j], l});
    const ResizePlan plan{.layer = l, .keep = {0}, .added = {}};
    resize(plain.network, plan);
    plain.optimizer.resize(plan);
  }
  Matrix<float>& output = layers.back().weights;
  for (std::size_t j = 0; j < output.rows(); ++j) std::ranges::fill(output.row(j), 0.0F);
  return plain;
}

}  // namespace coppice
