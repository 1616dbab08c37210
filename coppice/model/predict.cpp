#include "coppice/model/predict.h"

#include "coppice/network/evaluate.h"
#include "coppice/network/gpu_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

void fold(Network<float>& network, Statistics<float>& statistics) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    Matrix<float>& weights = network.layers[l].weights;
    Matrix<float>& affine = network.layers[l].affine;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const float divisor = statistics.divisor[l][j];
      for (float& weight : weights.row(j)) weight /= divisor;
      statistics.mean[l][j] /= divisor;
      statistics.divisor[l][j] = 1;
      if (affine.empty()) continue;
      for (float& weight : weights.row(j)) weight *= affine(j, 0);
      statistics.mean[l][j] = statistics.mean[l][j] * affine(j, 0) - affine(j, 1);
    }
    affine = {};
  }
}

Matrix<float> predict_scores(ThreadPool& pool, const Model& model, const Dataset& data,
                             std::span<const std::uint32_t> rows, Device device) {
  Network<float> network = model.network;
  Statistics<float> statistics = model.statistics;
  fold(network, statistics);
  Matrix<float> scores(rows.size(), network.outputs());
  if (device == Device::cuda) {
    scores = gpu_scores(network, statistics, data, rows);
  } else {
    Workspace<float> workspace;
    std::size_t at = 0;
    for_scores<float>(pool, network, statistics, data, rows, workspace,
                      [&](View<const float> chunk, std::span<const std::uint32_t> chunk_rows) {
                        for (std::size_t i = 0; i < chunk_rows.size(); ++i, ++at) {
                          for (std::size_t k = 0; k < chunk.rows; ++k) scores(at, k) = chunk(k, i);
                        }
                      });
  }
  for (std::size_t i = 0; i < scores.rows() && !network.offset.empty(); ++i) {
    for (std::size_t k = 0; k < scores.cols(); ++k) scores(i, k) += network.offset[k];
  }
  return scores;
}

Matrix<float> predict_scores(ThreadPool& pool, const Model& model, const Dataset& data, Device device) {
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return predict_scores(pool, model, data, rows, device);
}

std::size_t best_class(std::span<const float> scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

std::vector<double> probabilities(std::span<const float> scores, double temperature) {
  const double top = *std::ranges::max_element(scores);
  std::vector<double> result;
  for (const float score : scores) result.push_back(std::exp((score - top) / temperature));
  const double total = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& p : result) p /= total;
  return result;
}

}  // namespace coppice
