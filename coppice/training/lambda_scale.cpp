#include "coppice/training/lambda_scale.h"

#include "coppice/device/rows.h"
#include "coppice/network/gradient.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t most_rows = 20000;
constexpr std::size_t probe_units = 10;

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
  compute_gradient(Compute(pool), network, 1 / static_cast<float>(rows.size()), workspace);
  std::vector<double> lengths(output.rows());
  row_lengths(std::as_const(workspace.layers.back().weight_gradient).view(), std::span(lengths));
  return *std::ranges::max_element(lengths);
}

}  // namespace coppice
