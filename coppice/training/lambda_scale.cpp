#include "coppice/training/lambda_scale.h"

#include "coppice/core/elementary.h"
#include "coppice/network/gradient.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t most_rows = 20000;
constexpr std::size_t probe_units = 10;

/// What holds each fan-in (fan-out) of zero weights at zero: a lambda above the length of its gradient, or, where single
/// weights are penalised, above the largest number in it.
std::vector<double> dual_sizes(const Matrix<float>& gradient, const Regularizer& regularizer) {
  const bool rows = regularizer.fan == Fan::fan_in;
  std::vector<double> sizes(rows ? gradient.rows() : gradient.cols());
  for (std::size_t j = 0; j < gradient.rows(); ++j) {
    for (std::size_t i = 0; i < gradient.cols(); ++i) {
      const double value = gradient(j, i);
      double& size = sizes[rows ? j : i];
      size = regularizer.power == 2 ? elementary::hypot(size, value) : std::max(size, std::abs(value));
    }
  }
  return sizes;
}

}  // namespace

double largest_lambda(ThreadPool& pool, const TrainingOptions& options, std::uint64_t seed,
                      const NetData& data) {
  TrainingOptions probe = options;
  probe.start_units = probe_units;
  Network<float> network = Trainer(pool, probe).start(0, 1, seed, data).current.network;
  Matrix<float>& output = network.layers.back().weights;
  for (std::size_t j = 0; j < output.rows(); ++j) std::ranges::fill(output.row(j), 0.0F);
  const auto rows = std::span(data.train_rows).first(std::min(most_rows, data.train_rows.size()));
  Workspace<float> workspace;
  gather_batch(pool, *data.train, rows, workspace);
  compute_gradient(Compute(pool), network, 1 / static_cast<float>(total_weight(*data.train, rows)),
                   workspace);
  const std::vector<double> sizes = dual_sizes(workspace.layers.back().weight_gradient, options.regularizer);
  return *std::ranges::max_element(sizes) / options.regularizer.factor(network.layers.size() - 1);
}

}  // namespace coppice
